import { createHash } from 'node:crypto';

/**
 * Reproducible random numbers: the seed is printed, and taken from TOUCHSTONE_SEED if that is set.
 */
export function seededRandom(purpose: string): { integer(below: number): number } {
  const seed = process.env['TOUCHSTONE_SEED'] ?? String(Date.now());
  process.stderr.write(`${purpose}: TOUCHSTONE_SEED=${seed}\n`);
  let drawn = 0;
  return {
    integer: (below) =>
      createHash('sha256')
        .update(`${purpose} ${seed} ${(drawn += 1)}`)
        .digest()
        .readUInt32BE(0) % below,
  };
}
