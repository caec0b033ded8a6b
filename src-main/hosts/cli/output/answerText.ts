import type { CommandIo } from '../commandIo.ts';

/**
 * Writes to standard output as fast as its reader takes it, so that a long answer is never in
 * memory as a whole. False when the reader has closed the pipe (`| head`): the stream does not
 * report that itself, because it is never destroyed.
 */
export async function writeAnswer(
  text: string,
  { stdout }: Pick<CommandIo, 'stdout'>,
): Promise<boolean> {
  return new Promise((resolve) => {
    stdout.write(text, (error) => resolve(error === null || error === undefined));
  });
}
