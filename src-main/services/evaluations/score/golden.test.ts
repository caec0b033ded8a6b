import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../../../../src-shared/domain/labels.ts';
import { call, createEngine, type FakeCase, type Script } from '../../../testing/engine.ts';
const a = { server: 's', tool: 'a' };
const b = { server: 's', tool: 'b' };
const phantom = {
  id: 'p',
  server: null,
  tool: null,
  name: 'nowhere',
  arguments: {},
  argumentsText: null,
};

/**
 * One case for each row of the classification table, with the model's calls, the resulting class
 * and the units that it adds to the confusion matrix.
 */
const cells: {
  name: string;
  expected: FakeCase['expected'];
  orderDependent?: boolean;
  allowed?: FakeCase['allowedCalls'];
  calls: Awaited<ReturnType<Script>>['calls'] | 'cut off';
  is: string | null;
  units: [string, string][];
}[] = [
  { name: 'right call', expected: [a], calls: [call('s', 'a')], is: 'TP', units: [['s:a', 's:a']] },
  {
    name: 'both of two',
    expected: [a, b],
    calls: [call('s', 'b'), call('s', 'a')],
    is: 'TP',
    units: [
      ['s:a', 's:a'],
      ['s:b', 's:b'],
    ],
  },
  {
    name: 'either of two',
    expected: [{ anyOf: [a, b] }],
    calls: [call('s', 'b')],
    is: 'TP',
    units: [['s:a | s:b', 's:b']],
  },
  {
    name: 'a look-up that is allowed',
    expected: [a],
    allowed: [b],
    calls: [call('s', 'b'), call('s', 'a')],
    is: 'TP',
    units: [['s:a', 's:a']],
  },
  {
    name: 'another tool',
    expected: [a],
    calls: [call('s', 'b')],
    is: 'FN',
    units: [['s:a', 's:b']],
  },
  {
    name: 'no call where one is due',
    expected: [b],
    calls: [],
    is: 'FN',
    units: [['s:b', NO_TOOL]],
  },
  {
    name: 'one call too many',
    expected: [a],
    calls: [call('s', 'a'), call('s', 'b')],
    is: 'FN',
    units: [
      ['s:a', 's:a'],
      [NO_TOOL, 's:b'],
    ],
  },
  {
    name: 'one of two',
    expected: [a, b],
    calls: [call('s', 'a')],
    is: 'FN',
    units: [
      ['s:a', 's:a'],
      ['s:b', NO_TOOL],
    ],
  },
  {
    name: 'the wrong order',
    expected: [a, b],
    orderDependent: true,
    calls: [call('s', 'b'), call('s', 'a')],
    is: 'FN',
    units: [
      ['s:a', 's:b'],
      ['s:b', 's:a'],
    ],
  },
  {
    name: 'a phantom where a call is due',
    expected: [a],
    calls: [phantom],
    is: 'FN',
    units: [['s:a', PHANTOM]],
  },
  {
    name: 'a call where none is due',
    expected: [],
    calls: [call('s', 'a')],
    is: 'FP',
    units: [[NO_TOOL, 's:a']],
  },
  {
    name: 'a phantom where none is due',
    expected: [],
    calls: [phantom],
    is: 'FP',
    units: [[NO_TOOL, PHANTOM]],
  },
  { name: 'rightly nothing', expected: [], calls: [], is: 'TN', units: [[NO_TOOL, NO_TOOL]] },
  { name: 'trouble', expected: [a], calls: 'cut off', is: null, units: [] },
];

describe('an evaluation with one case for each way to pass or fail', () => {
  it('has the classifications, cells, rates and filters that the rules define', async () => {
    await using engine = await createEngine({
      servers: { s: [{ name: 'a' }, { name: 'b' }] },
      cases: cells.map(({ name, expected = [], orderDependent = false, allowed = [] }) => ({
        query: name,
        expected,
        orderDependent,
        allowedCalls: allowed,
      })),
      script: async ({ query }) => {
        const calls = cells.find(({ name }) => name === query)?.calls;
        return calls === 'cut off' || calls === undefined
          ? { calls: [], stopReason: 'cut_off' }
          : { calls };
      },
    });
    const id = await engine.start();
    await engine.drain(id);
    const page = {
      id,
      filter: {},
      sort: 'position',
      descending: false,
      offset: 0,
      limit: 100,
    } as const;
    const { rows } = await engine.service.runs(page);
    expect(rows.map(({ query, classification }) => [query, classification])).toEqual(
      cells.map(({ name, is }) => [name, is]),
    );

    const summary = await engine.service.summary({ id, modelSettingsId: null });
    expect(summary.counts).toEqual({ tp: 4, fp: 2, tn: 1, fn: 6, failed: 1, open: 0, total: 14 });
    // Rows: a, b, either of them, no tool, phantom; columns in the same order. Each number is
    // counted from the list above.
    expect(summary.confusion).toEqual({
      labels: ['s:a', 's:b', 's:a | s:b', NO_TOOL, PHANTOM],
      matrix: [
        [5, 2, 0, 0, 1],
        [1, 1, 0, 2, 0],
        [0, 1, 0, 0, 0],
        [1, 1, 0, 1, 1],
        [0, 0, 0, 0, 0],
      ],
    });
    const { metrics } = summary;
    const rates = [
      metrics.passRate,
      metrics.selectionPrecision,
      metrics.selectionRecall,
      metrics.selectionF1,
      metrics.precision,
      metrics.recall,
      metrics.accuracy,
    ];
    expect(rates.map(({ value, n }) => [value, n])).toEqual([
      [5 / 13, 13],
      [7 / 14, 14],
      [7 / 13, 13],
      [14 / 27, 20],
      [4 / 6, 6],
      [4 / 10, 10],
      [5 / 13, 13],
    ]);
    expect(metrics.parameterAccuracy).toEqual({ value: null, low: null, high: null, n: 0 });
    expect(
      summary.perTool.map(({ toolId, tp, anyOf, fp, fn }) => [toolId, tp, anyOf, fp, fn]),
    ).toEqual([
      ['s:a', 5, 0, 2, 3],
      ['s:b', 1, 1, 3, 3],
    ]);
    expect(summary.anyOf).toMatchObject([
      { label: 's:a | s:b', tools: ['s:a', 's:b'], tp: 1, fn: 0, recall: { value: 1, n: 1 } },
    ]);

    // A cell gives exactly its cases.
    for (const [expectedAt, row] of summary.confusion.matrix.entries()) {
      for (const [selectedAt, count] of row.entries()) {
        const cell = {
          expected: summary.confusion.labels[expectedAt] ?? '',
          selected: summary.confusion.labels[selectedAt] ?? '',
        };
        // The correct calls of a row with alternatives are those of any of its tools.
        const correct = summary.anyOf.find(
          ({ label }) => label === cell.expected && label === cell.selected,
        );
        const called = correct?.tools ?? [cell.selected];
        const found = await engine.service.runs({ ...page, filter: { cell } });
        const wanted = cells
          .filter(({ units }) =>
            units.some(
              ([expected, selected]) => expected === cell.expected && called.includes(selected),
            ),
          )
          .map(({ name }) => name);
        expect(found.rows.map(({ query }) => query)).toEqual(wanted);
        expect(found.total).toBe(wanted.length);
        expect(
          cells
            .flatMap(({ units }) => units)
            .filter(
              ([expected, selected]) => expected === cell.expected && selected === cell.selected,
            ),
        ).toHaveLength(count);
      }
    }
  });
});
