/**
 * How much a test tries: a small sample in the test run, which has to be fast, and far more in a
 * soak (`npm run soak`), which prints how much it was.
 */
export function inTestOrSoak(what: string, inTest: number, inSoak: number): number {
  if (process.env['TOUCHSTONE_SOAK'] === undefined) return inTest;
  process.stderr.write(`tried: ${inSoak.toLocaleString('en')} ${what}\n`);
  return inSoak;
}
