import { expect, it } from 'vitest';
import { effectOf } from './toolEffect.ts';

it.each([
  [{ destructiveHint: true }, 'destroys'],
  [{ destructiveHint: true, readOnlyHint: false }, 'destroys'],
  [{ readOnlyHint: true }, 'reads'],
  [{ destructiveHint: false }, 'changes'],
  [{ destructiveHint: 'true' }, 'unknown'],
  [null, 'unknown'],
] as const)('reads the effect of a tool from its annotations %j: %s', (annotations, effect) => {
  expect(effectOf(annotations)).toBe(effect);
});
