import { describe, expect, it } from 'vitest';
import type { FrontierPoint, TokenReport } from '../../../../src-shared/domain/tokenReport.ts';
import {
  byServer,
  costFinding,
  frontierFinding,
  mapFinding,
  modelCosts,
  windowFinding,
} from './tokenFindings.ts';

function report(...counts: [server: string, name: string, tokens: number][]): TokenReport {
  return {
    encoding: 'cl100k_base',
    model: null,
    tools: counts.map(([server, name, tokenCount]) => ({
      toolId: `${server}:${name}`,
      server,
      name,
      tokenCount,
      parts: { name: 1, description: 0, inputSchema: 0, outputSchema: 0, structure: 0 },
    })),
    servers: [],
    total: counts.reduce((sum, [, , tokens]) => sum + tokens, 0),
    formats: [],
    unavailable: [],
  };
}

describe('byServer', () => {
  it('puts the most expensive server and tool first', () => {
    const groups = byServer(report(['a', 'x', 10], ['b', 'y', 20], ['a', 'z', 15]));
    expect(groups.map(({ server, tokens }) => [server, tokens])).toEqual([
      ['a', 25],
      ['b', 20],
    ]);
    expect(groups[0]?.tools.map(({ name }) => name)).toEqual(['z', 'x']);
  });
});

describe('mapFinding', () => {
  it('says which three tools use most, and of which server if it is one of several', () => {
    const rest: [string, string, number][] = [['b', 'w', 10]];
    expect(mapFinding(report(['a', 'x', 40], ['a', 'y', 30], ['a', 'z', 20], ...rest))).toBe(
      'Three tools of a use 90% of all tokens, x the most',
    );
    expect(mapFinding(report(['a', 'x', 40], ['c', 'y', 30], ['a', 'z', 20], ...rest))).toBe(
      'Three tools use 90% of all tokens, x the most',
    );
    expect(mapFinding(report(['a', 'x', 4], ['a', 'y', 5]))).toBe('y is the most expensive tool');
  });
});

describe('windowFinding', () => {
  it('names the largest window that is too small and the share of the next one', () => {
    expect(windowFinding(2048)).toBe('Fits every common context window; 25% of 8k');
    // 16,384 ÷ 32,768 = 50 %
    expect(windowFinding(16_384)).toBe('Too large for 8k; 50% of a 32k window');
    expect(windowFinding(1_000_001)).toBe('Too large for every common context window');
  });
});

describe('modelCosts', () => {
  it('prices the tokens of each model’s own format, the dearest first', () => {
    const format = { format: '', basis: 'estimated', requests: null, note: '' } as const;
    const dated = { outputUsd: 0, source: 'list', date: '2026-01-01' } as const;
    const costs = modelCosts(
      {
        formats: [
          { ...format, wireApi: 'openai-responses', tokenCount: 1000 },
          { ...format, wireApi: 'anthropic-messages', tokenCount: 2000 },
        ],
      },
      [
        { provider: 'openai', model: 'gpt-5', inputUsd: 1.25, ...dated },
        { provider: 'anthropic', model: 'claude', inputUsd: 3, ...dated },
        { provider: 'openai-compatible', model: 'unformatted', inputUsd: 1, ...dated },
      ],
    );
    // 1,000 × 1,000 × $1.25 ÷ 10⁶ = $1.25; 1,000 × 2,000 × $3 ÷ 10⁶ = $6.
    expect(costs.map(({ model, usd }) => [model, usd])).toEqual([
      ['claude', 6],
      ['gpt-5', 1.25],
    ]);
    expect(costFinding(costs)).toBe('1,000 requests cost $1.25 to $6.00 in tool definitions');
    expect(costFinding([])).toBe('No price known');
  });
});

describe('frontierFinding', () => {
  const point = (k: number | null, tokens: number, high: number | null): FrontierPoint => ({
    retriever: 'default',
    k,
    evaluationId: `e${k ?? 0}`,
    evaluationNumber: 1,
    state: 'completed',
    done: 1,
    runs: 1,
    failed: 0,
    tokens,
    accuracy: { value: 1, low: 0, high: 1, n: 1, method: 'clustered' } as never,
    selectionF1: { value: 1, low: 0, high: 1, n: 1, method: 'clustered' } as never,
    difference:
      high === null
        ? null
        : {
            value: 0,
            low: -1,
            high,
            n: 1,
            pValue: 0.01,
            adjustedP: 0.03,
            answer: high < 0 ? 'worse' : 'cannot tell',
          },
  });
  const frontier = (...points: FrontierPoint[]) => ({
    id: 'f',
    suiteName: 's',
    encoding: 'cl100k_base' as const,
    createdAt: '',
    client: null,
    points,
    answers: [],
  });

  it('gives the saving of the fewest tools without a provable loss', () => {
    expect(
      frontierFinding(
        frontier(
          point(1, 100, -0.1),
          point(2, 250, 0),
          point(4, 500, 0.1),
          point(null, 1000, null),
        ),
      ),
    ).toBe('2 tools per request save 75% of tokens with no provable loss of accuracy');
    expect(frontierFinding(frontier(point(1, 250, 0), point(null, 1000, null)))).toBe(
      '1 tool per request saves 75% of tokens with no provable loss of accuracy',
    );
  });

  it('claims nothing before every point is known', () => {
    expect(frontierFinding(frontier(point(1, 100, null)))).toBe('Accuracy vs. tokens of s');
  });
});
