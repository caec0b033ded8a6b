import type { CommandIo } from '../commandIo.ts';

/**
 * Writes to standard output as fast as its reader takes it, so that a long answer never stands in
 * memory as a whole. False where the reader has seen enough (`| head`): there is nobody to write
 * for any more. The stream itself does not tell: it is never destroyed.
 */
export async function writeAnswer(
  text: string,
  { stdout }: Pick<CommandIo, 'stdout'>,
): Promise<boolean> {
  return new Promise((resolve) => {
    stdout.write(text, (error) => resolve(error === null || error === undefined));
  });
}
