import {
  passphrase,
  storePlace,
  type KeyList,
  type StorePlace,
} from '../../../../src-shared/domain/keys.ts';
import type { CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { inSession, member } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { readPassphrases } from '../input/askPassphrase.ts';
import type { Client } from '../session.ts';

/** The commands that choose where keys are kept. */
export const keyStoreCommands = [
  member(
    'store [where]',
    'says where keys are kept, or moves them: into an encrypted file or out of it',
    {
      argument: { about: 'where to keep keys', choices: storePlace.options },
      flags: { '--discard': 'remove the encrypted file even if it can’t be opened' },
      notes:
        'The passphrase is asked at the terminal, or read from TOUCHSTONE_KEYS_PASSPHRASE or ' +
        'standard input.',
      example: 'keys store file < passphrase.txt',
      run: ({ options: { discard = false }, ...context }, where: StorePlace | undefined) =>
        withKeys(context, async (client, _context, remote) => {
          const before = await client.keys.list();
          const list =
            where === undefined || where === before.store.kind
              ? before
              : where === 'file'
                ? await client.keys.useFile({ passphrase: await newPassphrase(context.io) })
                : await leaveFile(client, before, where, discard, remote);
          answer(list, context);
        }),
    },
  ),
  member('unlock', 'unlocks the encrypted file in the open window', {
    example: 'keys unlock < passphrase.txt',
    run: (context) =>
      withKeys(context, async (client, { io, output }, remote) => {
        const [given = ''] = await readPassphrases(io, ['current']);
        answer(await client.keys.unlock({ passphrase: given }), context);
        if (!remote)
          output.note(
            'The passphrase is correct. No window is open, so it is not remembered after this command: ' +
              'commands ask for it, or read it from TOUCHSTONE_KEYS_PASSPHRASE.',
          );
      }),
  }),
  member('passphrase', 'changes the passphrase of the encrypted file', {
    notes: 'Without a terminal, standard input holds two lines: the passphrase and the new one.',
    example: 'keys passphrase',
    run: (context) =>
      withKeys(context, async (client, { io }) => {
        const [current = '', next = ''] = await readPassphrases(io, ['current', 'new']);
        checkNew(next);
        answer(await client.keys.changePassphrase({ current, next }), context);
      }),
  }),
];

/** Runs a command on the keys of the workspace, or of the window that holds it. */
export const withKeys = (
  context: CommandContext,
  work: (client: Client, context: CommandContext, remote: boolean) => Promise<void>,
): Promise<void> =>
  inSession(context, 'write', async ({ client, remote }) => {
    const plainSecrets = async () => (await client.settings.info()).plainSecrets;
    const before = await plainSecrets();
    await work(client, context, remote);
    const now = await plainSecrets();
    if (now !== before && now !== null) context.output.note(now);
  });

/** Where keys are kept, and what to do if that is not good enough. */
export function describeStore({ store, keychain }: KeyList): string {
  if (store.problem !== null)
    return `${store.problem}${store.locked ? ' Unlock it with `touchstone keys unlock`.' : ''}`;
  if (store.kind === 'file') return 'Keys are kept in the encrypted file of the workspace.';
  if (store.kind === 'keychain') return 'Keys are kept in the system’s keychain.';
  return (
    `There is no keychain here (${keychain.reason ?? 'no reason given'}): a key that is set is ` +
    'kept in memory while the window is open. `touchstone keys store file` keeps keys in an ' +
    'encrypted file.'
  );
}

function answer(list: KeyList, { output }: CommandContext): void {
  output.answer({ ...list.store, keychain: list.keychain }, () => describeStore(list));
}

async function newPassphrase(io: CommandIo): Promise<string> {
  const [given = ''] = await readPassphrases(io, ['new']);
  return checkNew(given);
}

function checkNew(text: string): string {
  const parsed = passphrase.safeParse(text);
  if (!parsed.success)
    throw new UsageError(parsed.error.issues[0]?.message ?? 'The passphrase can’t be used.');
  return parsed.data;
}

/** Moves keys out of the file, where that doesn't lose them. */
function leaveFile(
  client: Client,
  { store, keychain }: KeyList,
  where: 'keychain' | 'memory',
  discard: boolean,
  remote: boolean,
): Promise<KeyList> {
  if (where === 'keychain' && !keychain.available)
    throw new UsageError(
      `keys store keychain: There is no keychain here (${keychain.reason ?? 'no reason given'}). ` +
        'Keys stay where they are.',
    );
  if (where === 'memory' && keychain.available)
    throw new UsageError(
      'keys store memory: Without the file, the keychain is used. Set TOUCHSTONE_KEYCHAIN=off to ' +
        'keep keys in memory.',
    );
  if (where === 'memory' && !remote && !discard && store.kind === 'file')
    throw new UsageError(
      'keys store memory: The keys in the file would be lost with this command, because no window ' +
        'is open that keeps them. Add --discard to remove them.',
    );
  return client.keys.leaveFile({ discard });
}
