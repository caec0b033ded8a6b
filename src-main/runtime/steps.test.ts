import { describe, expect, it } from 'vitest';
import { finish, finishInTurns, type Steps } from './steps.ts';

function* countTo(end: number, reached: number[] = []): Steps<string> {
  for (let at = 1; at <= end; at += 1) {
    reached.push(at);
    yield;
  }
  return `counted to ${end}`;
}
const everyTime = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('finish', () => {
  it('returns what the steps lead to', () => {
    expect(finish(countTo(3))).toBe('counted to 3');
  });
});

describe('finishInTurns', () => {
  it('lets other work run between steps', async () => {
    const reached: number[] = [];
    const seen: number[] = [];
    setImmediate(() => seen.push(reached.length));
    expect(await finishInTurns(countTo(3, reached), undefined, everyTime)).toBe('counted to 3');
    expect(seen).toEqual([1]);
  });

  it('stops at the next step when aborted, with the reason', async () => {
    const reached: number[] = [];
    const stop = new AbortController();
    setImmediate(() => stop.abort(new Error('Enough.')));
    const counting = finishInTurns(countTo(1_000_000, reached), stop.signal, everyTime);
    await expect(counting).rejects.toThrow('Enough.');
    expect(reached).toEqual([1]);
  });
});
