/**
 * The longest turn of an event loop, and the most CPU time of its thread in one turn. They can be
 * different turns: on a busy machine a turn can be long without much work.
 */
export interface LoopBlock {
  ms: number;
  computingMs: number;
}

const tickMs = 5;
const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Watches the event loop of this thread. `take` returns the longest turn since the last call. */
export function watchLoop(): { take: () => LoopBlock } & Disposable {
  let [last, used] = [performance.now(), usedMs()];
  let longest: LoopBlock = { ms: 0, computingMs: 0 };
  const look = (): void => {
    const [now, usedNow] = [performance.now(), usedMs()];
    longest = {
      ms: Math.max(longest.ms, now - last - tickMs),
      computingMs: Math.max(longest.computingMs, usedNow - used),
    };
    [last, used] = [now, usedNow];
  };
  const ticker = setInterval(look, tickMs);
  return {
    take() {
      look();
      const taken = longest;
      longest = { ms: 0, computingMs: 0 };
      return taken;
    },
    [Symbol.dispose]: () => clearInterval(ticker),
  };
}
