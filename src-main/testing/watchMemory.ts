const sampleMs = 5;

/**
 * Watches how far the memory outside and inside of the JavaScript heap grows. Garbage counts until
 * it is collected, so a bound needs room for that.
 */
export function watchMemory(): { peakMb: () => number } & Disposable {
  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const start = used();
  let peak = start;
  const sample = (): void => {
    peak = Math.max(peak, used());
  };
  const timer = setInterval(sample, sampleMs);
  return {
    peakMb() {
      sample();
      return (peak - start) / 1_000_000;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
