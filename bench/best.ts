/**
 * The shortest of several goes in milliseconds: what the work costs when nothing else disturbs it.
 */
export function best(goes: number, work: () => unknown): number {
  let shortest = Infinity;
  for (let go = 0; go < goes; go += 1) {
    const began = performance.now();
    work();
    shortest = Math.min(shortest, performance.now() - began);
  }
  return shortest;
}
