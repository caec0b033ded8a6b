import { expect, it } from 'vitest';
import type { ToolList, ToolRow } from '../../../../src-shared/domain/toolRow.ts';
import { knownLines, type OpenSignal } from './knownLines.ts';

const row = (name: string, change: Partial<ToolRow> = {}): ToolRow => ({
  ...{ toolId: `shop:${name}`, serverId: 's', server: 'shop', name, hash: name, summary: '' },
  ...{ tokens: 100, cases: 0, result: null, quality: 10, mostSimilar: null },
  ...{ signals: { open: 0, worst: null }, changed: null, candidate: null, needsWork: null },
  ...change,
});
const list = (rows: ToolRow[]): ToolList => ({
  ...{ servers: [], rows, complete: true, similarFrom: 0.8 },
});
const texts = (rows: ToolRow[], signals: OpenSignal[] | null = []) =>
  knownLines(list(rows), signals).map(({ tone, lead, rest }) =>
    `${tone}: ${lead} ${rest.map((part) => (typeof part === 'string' ? part : part.code)).join('')}`.trim(),
  );

it('names what is weak, alike, suspicious and expensive, with the worst of each', () => {
  const near = (toolId: string, similarity: number) => ({ mostSimilar: { toolId, similarity } });
  expect(
    texts(
      [
        row('read_file', { quality: 3, ...near('shop:read_text', 0.93), tokens: 700 }),
        row('read_text', { quality: 6, ...near('shop:read_file', 0.93), tokens: 300 }),
        row('pay', { quality: 7, ...near('shop:read_file', 0.79) }),
        row('find'),
        row('list'),
        row('drop', { tokens: 200 }),
      ],
      [
        { severity: 'medium', server: 'shop', tool: 'pay' },
        { severity: 'low', server: 'shop', tool: 'find' },
        { severity: 'low', server: 'shop', tool: 'list' },
      ],
    ),
  ).toEqual([
    'warning: 3 open signals, 1 of them medium. In shop:pay.',
    'warning: 2 descriptions are weak. read_file has 3 of 10 points, read_text 6.',
    'warning: 2 tools are too similar. Most of all shop:read_file and shop:read_text (0.93).',
    'idle: 1,500 tokens in every request that offers all. Three tools cost 80% of them.',
  ]);
});

it('marks high and critical signals as danger, also in the instructions of a server', () => {
  const signals: OpenSignal[] = [
    { severity: 'high', server: 'shop', tool: 'pay' },
    { severity: 'critical', server: 'shop', tool: '' },
  ];
  expect(texts([row('pay')], signals)[0]).toBe(
    'danger: 2 open signals, 1 of them critical. In the instructions of shop.',
  );
  expect(knownLines(list([row('pay')]), signals)[0]?.to).toBe(
    '/tools/signals?severity=critical,high',
  );
});

it('says nothing of what is not computed yet, and no share where there are few tools', () => {
  expect(
    texts([row('pay', { quality: null, signals: null }), row('find', { tokens: null })], null),
  ).toEqual([]);
  expect(texts([row('pay')])).toEqual(['idle: 100 tokens in every request that offers all.']);
});
