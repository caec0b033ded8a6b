import { describe, expect, it } from 'vitest';
import { costPerThousand, tokenCuts } from './tokenCuts.ts';

const tool = (
  toolId: string,
  description: number,
  inputSchema: number,
  outputSchema: number,
): Parameters<typeof tokenCuts>[0][number] => ({
  toolId,
  tokenCount: 10 + description + inputSchema + outputSchema,
  parts: { name: 4, description, inputSchema, outputSchema, structure: 6 },
});

describe('tokenCuts', () => {
  it('counts no token twice: parts of hidden tools are saved by hiding them', () => {
    const cuts = tokenCuts(
      [
        tool('a:unused', 500, 900, 50),
        tool('a:long', 130, 40, 0),
        tool('a:big', 100, 420, 25),
        tool('a:small', 20, 30, 0),
      ],
      new Set(['a:unused', 'b:elsewhere']),
    );
    expect(cuts).toEqual([
      { kind: 'hide', tools: [{ toolId: 'a:unused', saved: 1460 }], saved: 1460 },
      { kind: 'schemas', tools: [{ toolId: 'a:big', saved: 120 }], saved: 120 },
      { kind: 'descriptions', tools: [{ toolId: 'a:long', saved: 30 }], saved: 30 },
      { kind: 'outputSchemas', tools: [{ toolId: 'a:big', saved: 25 }], saved: 25 },
    ]);
  });

  it('orders the tools of a cut by what they save', () => {
    const [cut] = tokenCuts([tool('a:x', 101, 0, 0), tool('a:y', 300, 0, 0)], new Set());
    expect(cut).toEqual({
      kind: 'descriptions',
      tools: [
        { toolId: 'a:y', saved: 200 },
        { toolId: 'a:x', saved: 1 },
      ],
      saved: 201,
    });
  });

  it('leaves out cuts that save nothing', () => {
    expect(tokenCuts([tool('a:x', 100, 300, 0)], new Set())).toEqual([]);
    expect(tokenCuts([], new Set(['a:x']))).toEqual([]);
  });
});

describe('costPerThousand', () => {
  it('multiplies tokens by the price of input for 1,000 requests', () => {
    const price = { inputUsd: 1.25, outputUsd: 10, source: 'list', date: '2026-01-01' } as const;
    // 13,908 tokens × 1,000 = 13.908 million tokens; × $1.25 = $17.385.
    expect(costPerThousand(13_908, price)).toBeCloseTo(17.385, 10);
    expect(costPerThousand(0, price)).toBe(0);
  });

  it('is unknown without a price, never free', () => {
    expect(costPerThousand(13_908, null)).toBeNull();
  });
});
