import { Argument, type Command } from 'commander';
import { keyText, keyVariableOf, type KeyList } from '../../../../src-shared/domain/keys.ts';
import { remoteProviders, type RemoteProvider } from '../../../../src-shared/domain/provider.ts';
import { contextOf, type CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { table } from '../output/output.ts';
import { addKeyStore, describeStore, withKeys } from './keyStore.ts';

const provider = () => new Argument('<provider>', 'provider of the key').choices(remoteProviders);

export function addKeys(keys: Command, io: CommandIo): void {
  keys.addHelpText('after', '\nExample:\n  touchstone keys list');

  keys
    .command('list')
    .description('which keys are set, and where they are kept')
    .addHelpText('after', '\nExample:\n  touchstone keys list --json')
    .action((_options: object, command: Command) =>
      withKeys(contextOf(command, io), async (client, { output }) => {
        const list = await client.keys.list();
        output.answer(list, () =>
          table([
            ['provider', 'key', 'from', 'variable'],
            ...list.keys.map((key) => [
              key.provider,
              key.status,
              key.place ?? '',
              keyVariableOf(key.provider),
            ]),
          ]),
        );
        output.note(describeStore(list));
      }),
    );

  keys
    .command('set')
    .addArgument(provider())
    .description('stores the key from standard input')
    .addHelpText('after', '\nExample:\n  touchstone keys set openai < key.txt')
    .action(async (name: RemoteProvider, _options: object, command: Command) => {
      const context = contextOf(command, io);
      const key = await readKey(name, context);
      await withKeys(context, async (client, { output }, remote) => {
        await client.keys.set({ provider: name, key });
        const list = await client.keys.list();
        const place = list.keys.find((each) => each.provider === name)?.place ?? null;
        const isKept = place !== 'memory' || remote;
        const status = isKept ? 'set' : 'not set';
        output.answer({ provider: name, status, place: isKept ? place : null }, () =>
          isKept ? `${name}: set, in ${placeNames[place ?? 'memory']}` : `${name}: not set`,
        );
        if (place === 'memory' && isKept)
          output.note(`The open window keeps the key until it closes. ${describeStore(list)}`);
        if (isKept) return;
        output.error(
          `Key of ${name}: It would be lost with this command. ${describeStore(list)} ` +
            `Or set ${keyVariableOf(name)} in the environment.`,
        );
        io.setExitCode(exitCodes.incomplete);
      });
    });

  keys
    .command('remove')
    .addArgument(provider())
    .description('removes a key; environment variables are not changed')
    .addHelpText('after', '\nExample:\n  touchstone keys remove anthropic')
    .action((name: RemoteProvider, _options: object, command: Command) =>
      withKeys(contextOf(command, io), async (client, { output }) => {
        const { status } = await client.keys.remove({ provider: name });
        output.answer({ provider: name, status }, () => `${name}: ${status}`);
        if (status === 'set') output.note(`${keyVariableOf(name)} still provides a key.`);
      }),
    );

  addKeyStore(keys, io);
}

const placeNames: Record<NonNullable<KeyList['keys'][number]['place']>, string> = {
  keychain: 'the keychain',
  file: 'the encrypted file',
  memory: 'memory',
  environment: 'the environment',
};

async function readKey(name: RemoteProvider, { io, output }: CommandContext): Promise<string> {
  if (io.stdin.isTTY)
    output.note(
      'Type the key, then Enter and Ctrl-D. It is shown as you type it; a file or a ' +
        'password manager hides it: touchstone keys set openai < key.txt',
    );
  const key = keyText.safeParse(await readInput('-', io));
  if (!key.success)
    throw new UsageError(
      `keys set ${name}: ${key.error.issues[0]?.message ?? "That isn't a key."} It is read ` +
        'from standard input.',
    );
  return key.data;
}
