import { passphraseVariable, type AskPassphrase } from '../../../adapters/secrets/secretFile.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { readInput } from './files.ts';

const question = 'Passphrase of the key file: ';

export const askPassphrase =
  (io: CommandIo): AskPassphrase =>
  (problem) =>
    io.ask(`${problem === null ? '' : `${problem} `}${question}`);

/**
 * The passphrases that a command needs: the first from the environment where it has one, the others
 * typed or from the lines of standard input. A new one is typed twice.
 */
export async function readPassphrases(
  io: CommandIo,
  kinds: readonly ('current' | 'new')[],
): Promise<string[]> {
  const given = io.env[passphraseVariable];
  const found = given ? [given] : [];
  let lines: string[] | null = null;
  for (const kind of kinds.slice(found.length)) {
    let value = await typePassphrase(io, kind);
    if (value === null) {
      lines ??= (await readInput('-', io)).split(/\r?\n/);
      value = lines.shift() ?? '';
    }
    if (value === '')
      throw new UsageError(
        'No passphrase was given. Type it at a terminal, write it on standard input, or set ' +
          `${passphraseVariable}.`,
      );
    found.push(value);
  }
  return found;
}

async function typePassphrase(io: CommandIo, kind: 'current' | 'new'): Promise<string | null> {
  if (kind === 'current') return io.ask(question);
  const typed = await io.ask('New passphrase: ');
  if (typed !== null && (await io.ask('Repeat the new passphrase: ')) !== typed)
    throw new UsageError('The two passphrases differ. Nothing was changed.');
  return typed;
}
