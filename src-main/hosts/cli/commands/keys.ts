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
import type { CommandContext } from '../commandContext.ts';
import { group, member } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { table } from '../output/output.ts';
import type { Client } from '../session.ts';
import { describeStore, keyStoreCommands, withKeys } from './keyStore.ts';

const keyNames = {
  words: remoteProviders,
  about:
    'a provider, tool:NAME/SECRET for a secret of a workshop tool, or model:NAME for a value of ' +
    '${secret:NAME} in requests to models',
};

/** What `keys set` and `keys remove` change: the key of a provider or a secret of a tool. */
interface NamedKey {
  /** The document of an answer names it this way. */
  shape: Record<string, string>;
  value: z.ZodType<string, string>;
  /** The environment variable that also provides it. */
  variable: string;
  set(client: Client, value: string): Promise<KeyPlace | null>;
  remove(client: Client): Promise<'set' | 'not set'>;
}

export const keys = group({ example: 'keys list' }, [
  member(
    'list',
    'which keys, secrets of tools and values in requests are set, and where they are kept',
    {
      example: 'keys list --json',
      run: (context) =>
        withKeys(context, async (client, { output }) => {
          const list = await client.keys.list();
          const secrets = await client.workshop.secrets({});
          const ofModels = await client.models.secrets();
          const ofTools = secrets.map(({ tool, name: secret, status, place }) => ({
            key: toolSecretKey(tool, secret),
            tool,
            secret,
            status,
            place,
          }));
          const inRequests = ofModels.map(({ name: secret, place }) => ({
            key: `model:${secret}`,
            secret,
            status: 'set',
            place,
          }));
          output.answer({ ...list, tool_secrets: ofTools, model_secrets: inRequests }, () =>
            table([
              ['key', 'status', 'from', 'variable'],
              ...list.keys.map((key) => [
                key.provider,
                key.status,
                key.place ?? '',
                keyVariableOf(key.provider),
              ]),
              ...[...ofTools, ...inRequests].map(({ key, status, place, secret }) => [
                key,
                status,
                place ?? '',
                secretVariable(secret),
              ]),
            ]),
          );
          output.note(describeStore(list));
        }),
    },
  ),
  member('set <name>', 'stores a key or a secret from standard input', {
    argument: keyNames,
    example:
      'keys set openai < key.txt\n' +
      '  touchstone keys set tool:search_issues/GITHUB_TOKEN < token.txt',
    async run(context, name: string) {
      const key = readName(name);
      const value = await readValue(name, key, context);
      await withKeys(context, async (client, { io, output }, remote) => {
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
    },
  }),
  member('remove <name>', 'removes a key or a secret; environment variables are not changed', {
    argument: keyNames,
    example: 'keys remove anthropic',
    async run(context, name: string) {
      const key = readName(name);
      await withKeys(context, async (client, { output }) => {
        const status = await key.remove(client);
        output.answer({ ...key.shape, status }, () => `${name}: ${status}`);
        if (status === 'set') output.note(`${key.variable} still provides a key.`);
      });
    },
  }),
  ...keyStoreCommands,
]);

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
