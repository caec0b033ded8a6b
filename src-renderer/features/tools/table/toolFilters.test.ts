import { describe, expect, it } from 'vitest';
import type { ToolList, ToolOfModel, ToolRow } from '../../../../src-shared/domain/toolRow.ts';
import {
  type Chip,
  chips,
  chipOf,
  chooseRows,
  modelsOf,
  nameBeside,
  verdictOf,
} from './toolFilters.ts';

const row = (name: string, change: Partial<ToolRow> = {}): ToolRow => ({
  ...{
    toolId: `s:${name}`,
    serverId: '1',
    server: 's',
    name,
    hash: name,
    summary: `Does ${name}.`,
  },
  ...{ tokens: 100, cases: 1, result: null, quality: 10, mostSimilar: null, changed: null },
  ...{ signals: { open: 0, worst: null }, candidate: null, needsWork: null },
  ...change,
});
const model = (
  label: string,
  passed: number,
  scored: number,
  instead: ToolOfModel['instead'] = [],
) => ({
  ...{ modelSettingsId: label, model: label, passed, scored, instead },
});
const result = (...models: ToolOfModel[]): ToolRow['result'] => ({
  ...{ id: 'r', number: 6, createdAt: '2026-01-01T00:00:00.000Z', models },
});
const candidate = { id: 'c', won: 8, lost: 0 };
const changed = { at: '2026-01-02T00:00:00.000Z', unseen: false, sinceResult: false };

const list: Pick<ToolList, 'rows' | 'similarFrom'> = {
  similarFrom: 0.85,
  rows: [
    row('fails', {
      needsWork: 'fails',
      tokens: 742,
      result: result(model('small', 6, 22, [{ toolId: 's:twin', times: 9, similarity: 0.7 }])),
      candidate: { ...candidate, state: 'accepted' },
    }),
    row('twin', { needsWork: 'similar', mostSimilar: { toolId: 's:near', similarity: 0.85 } }),
    row('near', { mostSimilar: { toolId: 's:twin', similarity: 0.849 }, cases: 0 }),
    row('flagged', { signals: { open: 1, worst: 'low' }, cases: 0 }),
    row('other', { server: 'mail', changed: { ...changed, unseen: true } }),
    row('seen', { changed, candidate: { ...candidate, state: 'applied' } }),
    row('old', { changed: { ...changed, sinceResult: true } }),
  ],
};
const names = (choice: Partial<Parameters<typeof chooseRows>[1]>): string[] =>
  chooseRows(list, { servers: [], only: null, search: '', ...choice }).map(({ name }) => name);

describe('chooseRows', () => {
  it.each<[Chip, string[]]>([
    ['needs-work', ['fails', 'twin']],
    ['similar', ['twin']],
    ['confused', ['fails']],
    ['expensive', ['fails']],
    ['signals', ['flagged']],
    ['untested', ['near', 'flagged']],
    ['changed', ['other', 'old']],
    ['candidates', ['fails']],
  ])('leaves with %s', (only, expected) => {
    expect(names({ only })).toEqual(expected);
  });

  it('leaves the tools of chosen servers and those that a search finds', () => {
    expect(names({ servers: ['mail'] })).toEqual(['other']);
    expect(names({ search: ' DOES near ' })).toEqual(['near']);
    expect(names({ search: 'mail' })).toEqual(['other']);
  });

  it('has a word for each chip in the address, and ignores others', () => {
    for (const { value } of chips) expect(chipOf(value)).toBe(value);
    expect(chipOf('nothing')).toBeNull();
  });
});

describe('verdictOf', () => {
  const text = (rows: readonly ToolRow[], complete = true): string => {
    const { before, tool, after, details } = verdictOf(rows, complete);
    return [before, tool, after, details].filter(Boolean).join(' ');
  };
  it.each<[string, readonly ToolRow[], string]>([
    [
      'what fails most',
      list.rows,
      '2 of 7 tools need work. fails fails most. small passed 6 of its 22 runs. 2 have no cases. 1 has a proven fix.',
    ],
    ['no failure', [row('a', { needsWork: 'quality' })], '1 of 1 tool needs work.'],
    ['nothing to do', [row('a'), row('b')], 'None of 2 tools needs work.'],
    ['no cases at all', [row('a', { cases: 0 })], 'None of 1 tool needs work. None has cases yet.'],
  ])('says %s', (_what, rows, expected) => {
    expect(text(rows)).toBe(expected);
  });

  it('judges nothing where no server has listed tools', () => {
    expect(text([])).toBe('No tools yet. Tools are known once a server has listed them.');
  });

  it('claims nothing before the tools are compared', () => {
    expect(text(list.rows, false)).toBe('7 tools Comparing and checking them …');
  });
});

it('lists each model once, the one that failed most first', () => {
  const rows = [
    row('a', { result: result(model('good', 3, 3), model('bad', 0, 3)) }),
    row('b', { result: result(model('good', 2, 3)) }),
  ];
  expect(modelsOf(rows)).toEqual([
    { id: 'bad', label: 'bad', failed: 3 },
    { id: 'good', label: 'good', failed: 1 },
  ]);
});

it('names a tool of another server with its server', () => {
  expect(nameBeside('s:add', 's')).toBe('add');
  expect(nameBeside('other:add', 's')).toBe('other:add');
});
