import { describe, expect, it } from 'vitest';
import {
  findingTexts,
  pairScoreText,
  flaggedTools,
  similarityAdvice,
  similarityHeadline,
} from './similarityTexts.ts';

describe('pairScoreText', () => {
  it('rounds down, so that 1.00 means identical and a flagged number reads as flagged', () => {
    expect([1, 0.9999, 0.85, 0.8499, 0.29, 0].map(pairScoreText)).toEqual([
      '1.00',
      '0.99',
      '0.85',
      '0.84',
      '0.29',
      '0.00',
    ]);
  });
});

describe('similarityHeadline', () => {
  it.each([
    [{ flagged: 0, tools: 0, findings: 0 }, 'No tools are too similar'],
    [{ flagged: 0, tools: 0, confused: 7, findings: 0 }, 'No tools are too similar'],
    [{ flagged: 0, tools: 0, findings: 1 }, 'No tools are too similar, but 1 finding needs a fix'],
    [{ flagged: 1, tools: 2, confused: 1, findings: 0 }, '2 tools are too similar'],
    [{ flagged: 4, tools: 6, findings: 2 }, '6 tools are too similar, in 4 pairs'],
    [{ flagged: 1200, tools: null, findings: 0 }, '1,200 pairs of tools are too similar'],
  ])('says %j', (counts, headline) => {
    expect(similarityHeadline(counts)).toBe(headline);
  });
});

it('counts each tool of flagged pairs once', () => {
  const pairs = [
    { a: 0, b: 1, score: 0.9 },
    { a: 1, b: 2, score: 0.85 },
    { a: 3, b: 4, score: 0.84 },
  ];
  expect(flaggedTools(pairs, 0.85)).toBe(3);
});

describe('similarityAdvice', () => {
  it('puts findings first and adds how many pairs were confused in results', () => {
    expect(similarityAdvice({ flagged: 1, tools: 2, findings: 2 }, 0.85, 'overlap')).toMatch(
      /^Fix the 2 findings first/,
    );
    expect(similarityAdvice({ flagged: 0, tools: 0, findings: 0 }, 0.85, 'overlap')).toBe(
      'Pairs are flagged from an overlap of 0.85.',
    );
    expect(
      similarityAdvice({ flagged: 2, tools: 3, confused: 3, findings: 0 }, 0.85, 'similarity'),
    ).toMatch(/ 3 pairs were confused in results\.$/);
  });
});

describe('findingTexts', () => {
  const tools = [
    { server: 'todo', name: 'list_tasks' },
    { server: 'notion', name: 'list-tasks' },
    { server: 'jira', name: 'list_tasks' },
  ];

  it('names the servers of a shared name', () => {
    expect(findingTexts({ kind: 'same_name', tools: [0, 1, 2] }, tools)).toEqual({
      name: 'list_tasks',
      title: 'exists on 3 servers',
      detail:
        'On todo, notion as list-tasks, and jira. A model can’t tell which one a request means: add the server to the name.',
    });
  });

  it('counts the servers beyond the first three of many', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((server) => ({ server, name: 'read' }));
    const detail = (count: number): string =>
      findingTexts({ kind: 'same_name', tools: [...many.keys()].slice(0, count) }, many).detail;
    expect(detail(4)).toMatch(/^On a, b, c, and d\. /);
    expect(detail(5)).toMatch(/^On a, b, c, and 2 others\. /);
    expect(detail(6)).toMatch(/^On a, b, c, and 3 others\. /);
  });

  it('names the replacement of a deprecated tool', () => {
    expect(findingTexts({ kind: 'deprecated_twin', tools: [2, 0] }, tools).detail).toContain(
      'Replaced by list_tasks.',
    );
  });
});
