import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { publish, published, readersIn } from './published.ts';

interface Call {
  toolId: string;
  costUsd: number | null;
  note?: string;
}

const call = published<Call>()(
  {
    tool_id: z.string(),
    note: z.string().optional(),
    cost_usd: z.number().nullable(),
    is_free: [z.boolean(), ({ costUsd }) => costUsd === null],
    price: [z.number().nullable(), 'costUsd'],
    head: [z.string(), null],
  },
  ['is_free', 'tool_id'],
);

describe('a published object', () => {
  it('is written from names in camel case, in its order, without what is undefined', () => {
    const written = publish(call, { toolId: 's:a', costUsd: null });
    expect(JSON.stringify(written)).toBe(
      '{"is_free":true,"cost_usd":null,"tool_id":"s:a","price":null}',
    );
    expect(publish(call, { toolId: 's:a', costUsd: 2, note: 'n' })).toEqual({
      ...{ tool_id: 's:a', note: 'n', cost_usd: 2, is_free: false, price: 2 },
    });
  });

  it('is written inside of lists, wrappers and descriptions', async () => {
    const list = published<{ calls: readonly Call[]; last: Call | null; lines: object }>()({
      calls: z.array(call.describe('Made.')).describe('In order.'),
      last: call.nullable().optional(),
      lines: z.array(call),
    });
    async function* lines() {
      yield { toolId: 's:b', costUsd: 1 };
    }
    const source = { calls: [{ toolId: 's:a', costUsd: 0 }], last: null, lines: lines() };
    const written = publish(list, source);
    expect(written).toMatchObject({ calls: [{ tool_id: 's:a' }], last: null });
    const read: unknown[] = [];
    for await (const line of written.lines as unknown as AsyncIterable<unknown>) read.push(line);
    expect(read).toMatchObject([{ tool_id: 's:b', price: 1 }]);
  });

  it('reads single fields from the source as it writes them', () => {
    const source = { toolId: 's:a', costUsd: 2 };
    const fields = readersIn(call, ['price', 'tool_id', 'note']);
    expect(fields.map(({ name, read }) => [name, read(source)])).toEqual([
      ['price', 2],
      ['tool_id', 's:a'],
      ['note', undefined],
    ]);
    expect(() => readersIn(call, ['head'])).toThrow('head: It is written elsewhere.');
  });

  it('has the schema of its fields, without any other', () => {
    const read = { tool_id: 'a', cost_usd: null, is_free: true, price: 1, head: 'h' };
    expect(call.parse(read)).toEqual(read);
    expect(call.safeParse({ ...read, more: 1 }).success).toBe(false);
  });

  it('refuses a field without a value, when it is compiled and when it is written', () => {
    // @ts-expect-error A call has no time.
    const wrong = published<Call>()({ tool_id: z.string(), time_ms: z.number() });
    expect(() => publish(wrong as never, { toolId: 's:a', costUsd: null } as never)).toThrow(
      'time_ms: It has no value.',
    );
  });
});
