import { once } from 'node:events';

/**
 * Writes to standard output as fast as its reader takes it, so that a long answer never stands in memory as a whole. False where the
 * reader has seen enough (`| head`): there is nobody to write for any more.
 */
export async function writeAnswer(text: string, stdout: NodeJS.WriteStream = process.stdout): Promise<boolean> {
  if (stdout.destroyed) return false;
  if (!stdout.write(text)) await Promise.race([once(stdout, 'drain'), once(stdout, 'close')]).catch(() => undefined);
  return !stdout.destroyed;
}
