import { formatShare } from './numbers.ts';
import { describe, expect, it } from 'vitest';
import { budgetSentence, costSentence, countedAs, tokenHeadline } from './tokenTexts.ts';

const tools = (n: number) =>
  Array.from({ length: n }, (_, at) => ({
    toolId: `a:t${at}`,
    server: 'a',
    name: `t${at}`,
    tokenCount: 1,
    parts: { name: 1, description: 0, inputSchema: 0, outputSchema: 0, structure: 0 },
  }));
const model = {
  provider: 'openai',
  model: 'gpt-5',
  format: 'OpenAI Responses',
  price: { inputUsd: 1.25, outputUsd: 10, source: 'list', date: '2026-01-01' },
} as const;

describe('tokenHeadline', () => {
  it('gives tools, tokens and the share of a 128k window', () => {
    // 9,214 ÷ 128,000 = 7.198 %
    expect(tokenHeadline({ tools: tools(47), total: 9214 })).toBe(
      '47 tools cost 9,214 tokens, 7.2% of a 128k window, before the first message.',
    );
    expect(tokenHeadline({ tools: tools(1), total: 1 })).toBe(
      '1 tool costs 1 token, <0.01% of a 128k window, before the first message.',
    );
  });
});

describe('formatShare', () => {
  it.each([
    [0, '0%'],
    [0.00005, '<0.01%'],
    [0.0036, '0.36%'],
    [0.000875, '0.088%'],
    [0.00996, '1.0%'],
    [0.0996, '10%'],
    [1.7, '170%'],
  ])('writes %d as %s', (share, text) => {
    expect(formatShare(share)).toBe(text);
  });
});

describe('costSentence', () => {
  it('gives the cost of 1,000 requests, and says when no price is known', () => {
    expect(costSentence({ model, total: 13_908 })).toBe(
      '$17.39 per 1,000 requests with gpt-5, at the full input price.',
    );
    expect(costSentence({ model: { ...model, price: null }, total: 13_908 })).toBe(
      'No price known for gpt-5. Set it to see the cost.',
    );
    expect(costSentence({ model: null, total: 13_908 })).toBeNull();
  });
});

describe('countedAs', () => {
  it('names the encoding, or the format of the model', () => {
    expect(countedAs({ encoding: 'cl100k_base', model: null })).toBe(
      'as listed by the servers, in cl100k_base',
    );
    expect(countedAs({ encoding: 'o200k_base', model })).toBe(
      'in the OpenAI Responses format of gpt-5, estimated with o200k_base',
    );
  });
});

describe('budgetSentence', () => {
  it('says what is left, or by how much the budget is exceeded', () => {
    expect(budgetSentence(9_000, 10_000)).toBe('1,000 tokens left of a budget of 10,000.');
    expect(budgetSentence(10_000, 10_000)).toBe('0 tokens left of a budget of 10,000.');
    expect(budgetSentence(10_001, 10_000)).toBe(
      'The tools have 10,001 tokens, 1 more than the budget of 10,000.',
    );
  });
});
