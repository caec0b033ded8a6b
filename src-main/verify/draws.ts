/**
 * Whole numbers from 0 up to below `n`, from random numbers of our own with a fixed start: xorshift of
 * 32 bits (Marsaglia, Journal of Statistical Software 8 (14), 2003), of which the upper ones count.
 */
export function draws(): (n: number) => number {
  let state = 0x2545f491;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 2 ** 32) * n);
  };
}
