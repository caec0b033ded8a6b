import type { AnySchema } from '@orpc/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '../../src-shared/contract/index.ts';
import { largeInputCalls, maxCallLength } from './frames.ts';

/** The longest text that a schema promises to take. */
function longestText(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  const own = 'maxLength' in schema ? Number(schema.maxLength) : 0;
  return Math.max(own, ...Object.values(schema).map(longestText));
}

const calls = Object.entries(contract).flatMap(([topic, procedures]) =>
  Object.entries<{ '~orpc': { inputSchema?: AnySchema | undefined } }>(procedures).map(
    ([name, procedure]) => ({ call: `${topic}.${name}`, input: procedure['~orpc'].inputSchema }),
  ),
);

it('takes the whole text of each call that promises more than an ordinary one', () => {
  const large = calls.filter(
    ({ input }) =>
      input instanceof z.ZodType &&
      longestText(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })) > maxCallLength,
  );
  expect(large.length).toBeGreaterThan(5);
  expect(large.map(({ call }) => call).filter((call) => !largeInputCalls.includes(call))).toEqual(
    [],
  );
});

it('names only calls that exist', () => {
  const known = new Set(calls.map(({ call }) => call));
  expect(largeInputCalls.filter((call) => !known.has(call))).toEqual([]);
});
