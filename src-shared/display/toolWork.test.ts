import { describe, expect, it } from 'vitest';
import type { ToolOfModel, ToolRow } from '../domain/toolRow.ts';
import { byWork, isConfused, isTooSimilar, workReason, worstModel } from './toolWork.ts';

const model = (modelSettingsId: string, passed: number, scored: number): ToolOfModel => ({
  ...{ modelSettingsId, model: modelSettingsId, passed, scored, instead: [] },
});
const row = (change: Partial<ToolRow> = {}): ToolRow => ({
  ...{ toolId: 's:a', serverId: '1', server: 's', name: 'a', hash: 'h', summary: '', tokens: 10 },
  ...{ cases: 0, result: null, quality: 10, mostSimilar: null, signals: null, changed: null },
  ...{ candidate: null, needsWork: null },
  ...change,
});
const result = (...models: ToolOfModel[]): ToolRow['result'] => ({
  ...{ id: 'r', number: 1, createdAt: '2026-01-01T00:00:00.000Z', models },
});

describe('workReason', () => {
  it.each<[string, Partial<ToolRow>, ReturnType<typeof workReason>]>([
    ['nothing', {}, null],
    [
      'half of the runs of one of two models',
      { result: result(model('a', 4, 4), model('b', 2, 4)) },
      'fails',
    ],
    ['more than half of the runs', { result: result(model('a', 3, 5)) }, null],
    ['a high signal', { signals: { open: 1, worst: 'high' } }, 'signal'],
    ['a medium signal', { signals: { open: 3, worst: 'medium' } }, null],
    [
      'a tool as similar as the setting',
      { mostSimilar: { toolId: 's:b', similarity: 0.85 } },
      'similar',
    ],
    ['a less similar tool', { mostSimilar: { toolId: 's:b', similarity: 0.84 } }, null],
    ['a score of 6', { quality: 6 }, 'quality'],
    ['a score of 7', { quality: 7 }, null],
    ['what is not known yet', { quality: null, signals: null }, null],
    [
      'the first reason of several',
      { quality: 1, signals: { open: 1, worst: 'critical' }, result: result(model('a', 0, 1)) },
      'fails',
    ],
  ])('reads %s', (_what, change, reason) => {
    expect(workReason(row(change), 0.85)).toBe(reason);
  });
});

describe('byWork', () => {
  it('orders by reason, then by failed runs, pass rate, and what the reason is about', () => {
    const rows = [
      row({ name: 'fine' }),
      row({ name: 'poor', quality: 5, needsWork: 'quality' }),
      row({
        ...{ name: 'unlike', quality: 5, needsWork: 'quality' },
        mostSimilar: { toolId: 's:b', similarity: 0.5 },
      }),
      row({ name: 'poorer', quality: 3, needsWork: 'quality' }),
      row({
        name: 'similar',
        needsWork: 'similar',
        mostSimilar: { toolId: 's:b', similarity: 0.9 },
      }),
      row({ name: 'twin', needsWork: 'similar', mostSimilar: { toolId: 's:b', similarity: 1 } }),
      row({ name: 'signal', needsWork: 'signal', signals: { open: 1, worst: 'high' } }),
      row({ name: 'half', needsWork: 'fails', result: result(model('a', 2, 4)) }),
      row({ name: 'third', needsWork: 'fails', result: result(model('a', 1, 3)) }),
      row({
        name: 'most',
        needsWork: 'fails',
        result: result(model('b', 9, 9), model('a', 6, 22)),
      }),
    ];
    expect(rows.sort(byWork).map(({ name }) => name)).toEqual([
      ...['most', 'third', 'half', 'signal', 'twin', 'similar', 'poorer', 'unlike', 'poor', 'fine'],
    ]);
  });
});

it('takes the model with the most failed runs, of equal ones the first', () => {
  const worst = (...models: ToolOfModel[]) => worstModel({ result: result(...models) });
  expect(worst(model('a', 1, 2), model('b', 5, 9))?.model).toBe('b');
  expect(worst(model('a', 1, 2), model('b', 2, 3))?.model).toBe('a');
  expect(worstModel({ result: null })).toBeNull();
});

it('calls a tool too similar by its texts, and confused by the calls of any model', () => {
  const near = row({ mostSimilar: { toolId: 's:b', similarity: 0.85 } });
  expect([isTooSimilar(near, 0.85), isTooSimilar(near, 0.86), isTooSimilar(row(), 0)]).toEqual([
    true,
    false,
    false,
  ]);
  const missed = { ...model('b', 1, 4), instead: [{ toolId: 's:b', times: 3, similarity: null }] };
  expect(isConfused(row({ result: result(model('a', 4, 4), missed) }))).toBe(true);
  expect(isConfused(row({ result: result(model('a', 0, 4)) }))).toBe(false);
  expect(isConfused(near)).toBe(false);
});
