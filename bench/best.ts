/** The shortest of several runs in milliseconds: what the work costs when nothing disturbs it. */
export function best(goes: number, work: () => unknown): number {
  let shortest = Infinity;
  for (let go = 0; go < goes; go += 1) {
    const began = performance.now();
    work();
    shortest = Math.min(shortest, performance.now() - began);
  }
  return shortest;
}
