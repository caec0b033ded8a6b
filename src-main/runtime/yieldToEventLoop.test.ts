import { describe, expect, it } from 'vitest';
import { createYielder, maxHoldMs, yieldToEventLoop } from './yieldToEventLoop.ts';

describe('yieldToEventLoop', () => {
  it('returns after everything that was due', async () => {
    let handled = false;
    setImmediate(() => (handled = true));
    await yieldToEventLoop();
    expect(handled).toBe(true);
  });
});

describe('createYielder', () => {
  it('yields once the work has held the event loop for its time, and again after that', async () => {
    let now = 1_000;
    const yieldIfDue = createYielder(maxHoldMs, () => now);
    expect(yieldIfDue()).toBeUndefined();
    now += maxHoldMs - 1;
    expect(yieldIfDue()).toBeUndefined();
    now += 1;
    await yieldIfDue();
    expect(yieldIfDue()).toBeUndefined();
    now += maxHoldMs;
    expect(yieldIfDue()).toBeInstanceOf(Promise);
  });

  it('makes concurrent parts wait for the same turn', async () => {
    let now = 0;
    const yieldIfDue = createYielder(10, () => now);
    now = 10;
    const turn = yieldIfDue();
    expect(turn).toBeInstanceOf(Promise);
    expect(yieldIfDue()).toBe(turn);
    await turn;
    expect(yieldIfDue()).toBeUndefined();
  });
});
