import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvaluationEvent, RunOutcome } from '../../../../src-shared/domain/evaluation.ts';
import { evaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { isCorrectUnit, NO_TOOL, PHANTOM, toolId } from '../../../../src-shared/domain/labels.ts';
import type { ConfusionMatrix } from '../../../../src-shared/domain/metrics.ts';
import type { ExpectedCall } from '../../../../src-shared/domain/testCase.ts';
import { alternatives } from '../../../../src-shared/domain/testCase.ts';
import { addUnits, createConfusion, toMatrix } from '../../../../src-shared/metrics/confusion.ts';
import { ChatFailure } from '../../../adapters/llm/chatModel.ts';
import { call, createEngine, type FakeCase } from '../../../testing/engine.ts';
import { isNightly } from '../../../testing/nightly.ts';

/**
 * Tools by number: t0 and t1 of server "a", t0, t1 and t2 of server "b". `look` of "a" is expected
 * nowhere and may be allowed.
 */
const offered = [
  ['a', 't0'],
  ['a', 't1'],
  ['b', 't0'],
  ['b', 't1'],
  ['b', 't2'],
  ['a', 'look'],
] as const;
const look = 5;

interface Plan {
  /**
   * For each expected call, its correct tools by number, and whether it requires a parameter that
   * no answer has.
   */
  expected: { tools: number[]; strict: boolean }[];
  ordered: boolean;
  allowLook: boolean;
  /** What the model calls, by number; −1 is a name that was not offered. Null: the provider fails. */
  answers: (number[] | null)[];
}

const tool = fc.integer({ min: 0, max: look - 1 });
const plan: fc.Arbitrary<Plan> = fc.record({
  expected: fc.array(
    fc.record({
      tools: fc.uniqueArray(tool, { minLength: 1, maxLength: 2 }),
      strict: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  ordered: fc.boolean(),
  allowLook: fc.boolean(),
  // One per repetition.
  answers: fc.array(
    fc.option(fc.array(fc.integer({ min: -1, max: look }), { maxLength: 4 }), { freq: 8 }),
    { minLength: 2, maxLength: 2 },
  ),
});
const plans = fc.array(plan, { minLength: 4, maxLength: 12 });

type Names = Record<'a' | 'b', string>;

function toCase({ expected, ordered, allowLook }: Plan, index: number, names: Names): FakeCase {
  const reference = (number: number) => {
    const [server, name] = offered[number] ?? offered[0];
    return { server: names[server], tool: name };
  };
  return {
    query: String(index),
    expected: expected.map(({ tools: [first = 0, ...more], strict }): ExpectedCall => {
      const parameters = strict ? { parameters: { never: 'there' } } : {};
      return more.length === 0
        ? { ...reference(first), ...parameters }
        : { anyOf: [first, ...more].map(reference), ...parameters };
    }),
    orderDependent: ordered,
    allowedCalls: allowLook ? [reference(look)] : [],
  };
}

function openPlans(all: readonly Plan[], names: Names) {
  const tools = (letter: 'a' | 'b') =>
    offered.filter(([server]) => server === letter).map(([, name]) => ({ name }));
  return createEngine({
    servers: { [names.a]: tools('a'), [names.b]: tools('b') },
    cases: all.map((one, index) => toCase(one, index, names)),
    script: async ({ query, repetition }) => {
      const answer = all[Number(query)]?.answers[repetition - 1];
      if (!answer) throw new ChatFailure('provider', 'It is overloaded.');
      return {
        calls: answer.map((number) => {
          const known = offered[number];
          return known
            ? call(names[known[0]], known[1])
            : {
                id: 'call',
                server: null,
                tool: null,
                name: 'never_offered',
                arguments: {},
                argumentsText: null,
              };
        }),
      };
    },
  });
}

const outcomes = (events: readonly EvaluationEvent[]): RunOutcome[] =>
  events.flatMap((event) => (event.type === 'runs' ? event.outcomes : []));
const models = evaluationSettings.parse({
  suiteId: null,
  models: [
    { provider: 'builtin', model: 'one' },
    { provider: 'builtin', model: 'two' },
  ],
}).models;

/**
 * Two models, two repetitions: every plan is run four times, each answer by both models. The runs of
 * each cell are asked for `withCells` only: that takes longer than all else.
 */
async function evaluate(
  all: readonly Plan[],
  { names = { a: 'a', b: 'b' }, withCells = false } = {},
) {
  await using engine = await openPlans(all, names);
  const id = await engine.start({ models, repetitions: 2 });
  const runs = outcomes(await engine.drain(id));
  const summary = await engine.service.summary({ id, modelSettingsId: null });
  const { models: settings } = await engine.service.get({ id });
  const byModel = await Promise.all(
    settings.map((model) => engine.service.summary({ id, modelSettingsId: model.id })),
  );
  const rowsOf = async (filter: {
    cell?: { expected: string; selected: string };
    modelSettingsId?: string;
  }) => {
    const { rows, total } = await engine.service.runs({
      id,
      filter,
      sort: 'position',
      descending: false,
      offset: 0,
      limit: 500,
    });
    expect(total).toBe(rows.length);
    return rows.map(({ runId }) => runId).sort();
  };
  const cells = new Map<string, string[]>();
  const labels = withCells ? summary.confusion.labels : [];
  for (const expected of labels) {
    for (const selected of labels)
      cells.set(
        JSON.stringify([expected, selected]),
        await rowsOf({ cell: { expected, selected } }),
      );
  }
  return { runs, summary, byModel, cells };
}

const total = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0);
const rowSums = ({ labels, matrix }: ConfusionMatrix) =>
  new Map(labels.map((label, index) => [label, total(matrix[index] ?? [])]));
const columnSums = ({ labels, matrix }: ConfusionMatrix) =>
  new Map(labels.map((label, index) => [label, total(matrix.map((row) => row[index] ?? 0))]));

function count(labels: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

const label = (number: number): string => {
  const known = offered[number];
  return known ? toolId(known[0], known[1]) : PHANTOM;
};

/** The sums that the rules require, counted from the plans alone. */
function expectedSums(all: readonly Plan[]) {
  // Both models give every answer.
  const scored = all.flatMap((one) =>
    one.answers.flatMap((answer) =>
      answer
        ? [
            { ...one, answer },
            { ...one, answer },
          ]
        : [],
    ),
  );
  return {
    scored: scored.length,
    calls: total(scored.map(({ expected }) => expected.length)),
    rows: count(
      scored.flatMap(({ expected }) =>
        expected.map(({ tools }) => tools.map(label).sort().join(' | ')),
      ),
    ),
    columns: count(
      scored.flatMap(({ answer, allowLook }) =>
        answer.filter((number) => !(allowLook && number === look)).map(label),
      ),
    ),
  };
}

const rounds = { numRuns: isNightly ? 20 : 8 };

describe('the matrix of an evaluation', () => {
  it('has rows that sum to expected calls and columns that sum to calls made', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (all) => {
        const { summary } = await evaluate(all);
        const wanted = expectedSums(all);
        expect(summary.runs).toBe(wanted.scored);
        const rows = rowSums(summary.confusion);
        const toolRows = [...rows].filter(([name]) => name !== NO_TOOL && name !== PHANTOM);
        expect(rows.get(PHANTOM)).toBe(0);
        expect(total(toolRows.map(([, sum]) => sum))).toBe(wanted.calls);
        for (const [name, sum] of toolRows)
          expect([name, sum]).toEqual([name, wanted.rows.get(name) ?? 0]);
        const columns = columnSums(summary.confusion);
        for (const [name, sum] of columns)
          if (name !== NO_TOOL) expect([name, sum]).toEqual([name, wanted.columns.get(name) ?? 0]);
      }),
      rounds,
    );
  });

  it('is the same folded from events, from the database and model by model', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (all) => {
        const { runs, summary, byModel } = await evaluate(all);
        const folded = createConfusion();
        for (const { units } of runs) addUnits(folded, units);
        expect(
          toMatrix(
            folded,
            offered.map(([server, name]) => toolId(server, name)),
          ),
        ).toEqual(summary.confusion);
        expect(
          runs
            .filter(({ status }) => status === 'failed')
            .map(({ units, classification }) => [units, classification]),
        ).toEqual(Array.from({ length: summary.counts.failed }, () => [[], null]));
        const added = summary.confusion.matrix.map((row, at) =>
          row.map((_, column) =>
            total(byModel.map(({ confusion }) => confusion.matrix[at]?.[column] ?? 0)),
          ),
        );
        expect(added).toEqual(summary.confusion.matrix);
        for (const one of ['TP', 'FP', 'TN', 'FN'] as const) {
          expect(runs.filter(({ classification }) => classification === one)).toHaveLength(
            summary.counts[one.toLowerCase() as 'tp' | 'fp' | 'tn' | 'fn'],
          );
        }
      }),
      rounds,
    );
  });

  it('lists for each cell exactly the runs that contributed to it', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (all) => {
        const { runs, cells } = await evaluate(all, { withCells: true });
        for (const [cell, found] of cells) {
          const [expected, selected] = JSON.parse(cell) as [string, string];
          // A row of alternatives as its own column stands for all of its tools.
          const holding = runs.filter(({ units }) =>
            units.some(
              (unit) =>
                unit.expected === expected &&
                (unit.selected === selected || (expected === selected && isCorrectUnit(unit))),
            ),
          );
          expect([cell, found]).toEqual([cell, holding.map(({ runId }) => runId).sort()]);
        }
      }),
      rounds,
    );
  });

  it('does not depend on the names or order of servers', async () => {
    // Blanks, quotes, a name that begins with the other one, and "b" now before "a".
    const names = { a: 'zebra "x"', b: 'zebra' };
    const renamed = (label: string) =>
      label
        .split(' | ')
        .map((id) => id.replace(/^a:/, `${names.a}:`).replace(/^b:/, `${names.b}:`))
        .sort()
        .join(' | ');
    await fc.assert(
      fc.asyncProperty(plans, async (all) => {
        const [plain, other] = [await evaluate(all), await evaluate(all, { names })];
        expect(other.summary.counts).toEqual(plain.summary.counts);
        const { labels, matrix } = plain.summary.confusion;
        const cell = (expected: string, selected: string) => {
          const at = other.summary.confusion.labels;
          return other.summary.confusion.matrix[at.indexOf(renamed(expected))]?.[
            at.indexOf(renamed(selected))
          ];
        };
        expect(
          labels.map((expected) => labels.map((selected) => cell(expected, selected))),
        ).toEqual(matrix);
        expect(other.summary.metrics.selectionF1).toEqual(plain.summary.metrics.selectionF1);
      }),
      { numRuns: 10 },
    );
  });

  it('does not change when a registered server is renamed later', async () => {
    const all: Plan[] = [
      {
        expected: [{ tools: [0], strict: false }],
        ordered: false,
        allowLook: false,
        answers: [[0], [1]],
      },
      {
        expected: [{ tools: [2, 3], strict: false }],
        ordered: false,
        allowLook: true,
        answers: [[3, look], [-1]],
      },
    ];
    await using engine = await openPlans(all, { a: 'a', b: 'b' });
    const id = await engine.start({ repetitions: 2 });
    await engine.drain(id);
    const before = await engine.service.summary({ id, modelSettingsId: null });
    const { store } = engine.database;
    for (const server of store.servers.list())
      store.servers.update(server.id, { ...server, name: `${server.name} renamed` });
    expect(
      store.testCases
        .listBySuite(engine.suiteId)
        .flatMap(({ expectedCalls }) => expectedCalls.flatMap(alternatives))
        .every(({ server }) => server.endsWith('renamed')),
    ).toBe(true);
    expect(await engine.service.summary({ id, modelSettingsId: null })).toEqual(before);
    expect(before.confusion.labels).toContain('a:t0');
  });
});
