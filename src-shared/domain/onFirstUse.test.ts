import { expect, test } from 'vitest';
import { onFirstUse } from './onFirstUse.ts';

test('a value is made when it is first asked for, and only once', () => {
  let made = 0;
  const value = onFirstUse(() => ({ number: (made += 1) }));
  expect(made).toBe(0);
  const first = value();
  expect(value()).toBe(first);
  expect(first.number).toBe(1);
});
