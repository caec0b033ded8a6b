import { Argument, type Command } from 'commander';
import { keyText, keyVariableOf } from '../../../../src-shared/domain/keys.ts';
import { remoteProviders, type RemoteProvider } from '../../../../src-shared/domain/provider.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { table } from '../output/output.ts';
import { openSession } from '../session.ts';

const provider = () => new Argument('<provider>', 'whose key').choices(remoteProviders);

export function addKeys(keys: Command, io: CommandIo): void {
  keys.addHelpText('after', '\nExample:\n  touchstone keys list');

  keys
    .command('list')
    .description('which keys are set')
    .addHelpText('after', '\nExample:\n  touchstone keys list --json')
    .action(async (_options: object, command: Command) => {
      const context = contextOf(command, io);
      const { output } = context;
      const session = await openSession(context, 'write');
      try {
        const list = await session.client.keys.list();
        output.answer(list, () =>
          table([
            ['provider', 'key', 'variable'],
            ...list.keys.map((key) => [key.provider, key.status, keyVariableOf(key.provider)]),
          ]),
        );
        if (!list.keychain.available)
          output.note(
            `There is no keychain here (${list.keychain.reason ?? 'no reason given'}): a key ` +
              'that is set lives as long as the window. Keys of the environment work.',
          );
      } finally {
        await session.close();
      }
    });

  keys
    .command('set')
    .addArgument(provider())
    .description('keeps the key that stands on standard input')
    .addHelpText('after', '\nExample:\n  touchstone keys set openai < key.txt')
    .action(async (name: RemoteProvider, _options: object, command: Command) => {
      const context = contextOf(command, io);
      const { output } = context;
      if (io.stdin.isTTY)
        output.note(
          'Type the key, then Enter and Ctrl-D. It is shown as you type it; a file or a ' +
            'password manager hides it: touchstone keys set openai < key.txt',
        );
      const key = keyText.safeParse(await readInput('-', io));
      if (!key.success)
        throw new UsageError(
          `keys set ${name}: ${key.error.issues[0]?.message ?? 'That is no key.'} It is read ` +
            'from standard input.',
        );
      const session = await openSession(context, 'write');
      try {
        const { status } = await session.client.keys.set({ provider: name, key: key.data });
        const { keychain } = await session.client.keys.list();
        const kept = keychain.available || session.remote;
        output.answer({ provider: name, status: kept ? status : 'not set' }, () =>
          kept ? `${name}: ${status}` : `${name}: not set`,
        );
        if (kept && !keychain.available)
          output.note(
            `There is no keychain here (${keychain.reason ?? 'no reason given'}): the open ` +
              'window keeps the key until it ends.',
          );
        if (kept) return;
        output.error(
          `Key of ${name}: There is no keychain here ` +
            `(${keychain.reason ?? 'no reason given'}), so it would be lost with this command. ` +
            `Set ${keyVariableOf(name)} in the environment, or open the window and set it ` +
            'there.',
        );
        io.setExitCode(exitCodes.incomplete);
      } finally {
        await session.close();
      }
    });

  keys
    .command('remove')
    .addArgument(provider())
    .description('forgets a key; an environment variable stays what it is')
    .addHelpText('after', '\nExample:\n  touchstone keys remove anthropic')
    .action(async (name: RemoteProvider, _options: object, command: Command) => {
      const context = contextOf(command, io);
      const { output } = context;
      const session = await openSession(context, 'write');
      try {
        const { status } = await session.client.keys.remove({ provider: name });
        output.answer({ provider: name, status }, () => `${name}: ${status}`);
        if (status === 'set') output.note(`${keyVariableOf(name)} still gives a key.`);
      } finally {
        await session.close();
      }
    });
}
