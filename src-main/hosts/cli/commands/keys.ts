import { Argument, type Command } from 'commander';
import type { z } from 'zod';
import {
  keyText,
  keyVariableOf,
  type KeyList,
  type KeyPlace,
} from '../../../../src-shared/domain/keys.ts';
import { remoteProviders } from '../../../../src-shared/domain/provider.ts';
import { toolSecretKey, toolSecretValue } from '../../../../src-shared/domain/toolSecrets.ts';
import { secretVariable } from '../../../adapters/secrets/namedSecrets.ts';
import { contextOf, type CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { table } from '../output/output.ts';
import type { Client } from '../session.ts';
import { addKeyStore, describeStore, withKeys } from './keyStore.ts';

const keyName = () =>
  new Argument(
    '<name>',
    'a provider, tool:NAME/SECRET for a secret of a workshop tool, or model:NAME for a value of ' +
      '${secret:NAME} in requests to models',
  );

/** What `keys set` and `keys remove` change: the key of a provider or a secret of a tool. */
interface NamedKey {
  /** The document of an answer names it this way. */
  shape: Record<string, string>;
  /** Accepts the value. */
  value: z.ZodType<string, string>;
  /** The environment variable that also provides it. */
  variable: string;
  set(client: Client, value: string): Promise<KeyPlace | null>;
  remove(client: Client): Promise<'set' | 'not set'>;
}

export function addKeys(keys: Command, io: CommandIo): void {
  keys.addHelpText('after', '\nExample:\n  touchstone keys list');

  keys
    .command('list')
    .description(
      'which keys, secrets of tools and values in requests are set, and where they are kept',
    )
    .addHelpText('after', '\nExample:\n  touchstone keys list --json')
    .action((_options: object, command: Command) =>
      withKeys(contextOf(command, io), async (client, { output }) => {
        const list = await client.keys.list();
        const secrets = await client.workshop.secrets({});
        const ofModels = await client.models.secrets();
        output.answer(
          {
            ...list,
            tool_secrets: secrets.map(({ tool, name, status, place }) => ({
              key: toolSecretKey(tool, name),
              tool,
              secret: name,
              status,
              place,
            })),
            model_secrets: ofModels.map(({ name, place }) => ({
              key: `model:${name}`,
              secret: name,
              status: 'set',
              place,
            })),
          },
          () =>
            table([
              ['key', 'status', 'from', 'variable'],
              ...list.keys.map((key) => [
                key.provider,
                key.status,
                key.place ?? '',
                keyVariableOf(key.provider),
              ]),
              ...secrets.map(({ tool, name, status, place }) => [
                toolSecretKey(tool, name),
                status,
                place ?? '',
                secretVariable(name),
              ]),
              ...ofModels.map(({ name, place }) => [
                `model:${name}`,
                'set',
                place,
                secretVariable(name),
              ]),
            ]),
        );
        output.note(describeStore(list));
      }),
    );

  keys
    .command('set')
    .addArgument(keyName())
    .description('stores a key or a secret from standard input')
    .addHelpText(
      'after',
      '\nExample:\n  touchstone keys set openai < key.txt\n' +
        '  touchstone keys set tool:search_issues/GITHUB_TOKEN < token.txt',
    )
    .action(async (name: string, _options: object, command: Command) => {
      const context = contextOf(command, io);
      const key = readName(name);
      const value = await readValue(name, key, context);
      await withKeys(context, async (client, { output }, remote) => {
        const place = await key.set(client, value);
        const list = await client.keys.list();
        const isKept = place !== 'memory' || remote;
        const status = isKept ? 'set' : 'not set';
        output.answer({ ...key.shape, status, place: isKept ? place : null }, () =>
          isKept ? `${name}: set, in ${placeNames[place ?? 'memory']}` : `${name}: not set`,
        );
        if (place === 'memory' && isKept)
          output.note(`The open window keeps the key until it closes. ${describeStore(list)}`);
        if (isKept) return;
        output.error(
          `Key of ${name}: It would be lost with this command. ${describeStore(list)} ` +
            `Or set ${key.variable} in the environment.`,
        );
        io.setExitCode(exitCodes.incomplete);
      });
    });

  keys
    .command('remove')
    .addArgument(keyName())
    .description('removes a key or a secret; environment variables are not changed')
    .addHelpText('after', '\nExample:\n  touchstone keys remove anthropic')
    .action(async (name: string, _options: object, command: Command) => {
      const key = readName(name);
      await withKeys(contextOf(command, io), async (client, { output }) => {
        const status = await key.remove(client);
        output.answer({ ...key.shape, status }, () => `${name}: ${status}`);
        if (status === 'set') output.note(`${key.variable} still provides a key.`);
      });
    });

  addKeyStore(keys, io);
}

const placeNames: Record<NonNullable<KeyList['keys'][number]['place']>, string> = {
  keychain: 'the keychain',
  file: 'the encrypted file',
  memory: 'memory',
  environment: 'the environment',
};

function readName(given: string): NamedKey {
  const provider = remoteProviders.find((each) => each === given);
  if (provider !== undefined)
    return {
      shape: { provider },
      value: keyText,
      variable: keyVariableOf(provider),
      async set(client, key) {
        await client.keys.set({ provider, key });
        const { keys } = await client.keys.list();
        return keys.find((each) => each.provider === provider)?.place ?? null;
      },
      remove: async (client) => (await client.keys.remove({ provider })).status,
    };
  const [, ofModels] = /^model:([\w.-]+)$/.exec(given) ?? [];
  if (ofModels !== undefined)
    return {
      shape: { model_secret: ofModels },
      value: keyText,
      variable: secretVariable(ofModels),
      set: async (client, value) =>
        (await client.models.setSecret({ name: ofModels, value })).place,
      remove: async (client) => (await client.models.removeSecret({ name: ofModels })).status,
    };
  const [, tool, secret] = /^tool:([^/]+)\/(.+)$/.exec(given) ?? [];
  if (tool === undefined || secret === undefined)
    throw new UsageError(
      `${given}: It isn’t a key. Give ${remoteProviders.join(', ')}, tool:NAME/SECRET for a ` +
        'secret of a workshop tool, or model:NAME for ${secret:NAME} in requests to models.',
    );
  const idOf = async (client: Client) => (await client.workshop.getByName({ name: tool })).id;
  return {
    shape: { tool, secret },
    value: toolSecretValue,
    variable: secretVariable(secret),
    set: async (client, value) =>
      (await client.workshop.setSecret({ id: await idOf(client), name: secret, value })).place,
    remove: async (client) =>
      (await client.workshop.removeSecret({ id: await idOf(client), name: secret })).status,
  };
}

async function readValue(
  name: string,
  { value }: NamedKey,
  { io, output }: CommandContext,
): Promise<string> {
  if (io.stdin.isTTY)
    output.note(
      'Type the key, then Enter and Ctrl-D. It is shown as you type it; a file or a ' +
        `password manager hides it: touchstone keys set ${name} < key.txt`,
    );
  const key = value.safeParse(await readInput('-', io));
  if (!key.success)
    throw new UsageError(
      `keys set ${name}: ${key.error.issues[0]?.message ?? "That isn't a key."} It is read ` +
        'from standard input.',
    );
  return key.data;
}
