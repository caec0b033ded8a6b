import {
  formatDecimal,
  formatPercent,
  formatSigned,
} from '../../../../src-shared/display/numbers.ts';
import {
  difficultyTexts,
  recallMeaning,
  retrievalMetricTexts,
} from '../../../../src-shared/display/retrievalMetricTexts.ts';
import type { RichText } from '../../../../src-shared/display/verdictTexts.ts';
import {
  retrievalMetrics,
  type GateVerdict,
  type RetrievalMetric,
} from '../../../../src-shared/domain/retrieval.ts';
import type {
  RetrievalComparison,
  RetrieverResult,
} from '../../../../src-shared/domain/retrievalRun.ts';
import { scoresByDifficulty } from '../../../../src-shared/metrics/retrievalScore.ts';
import { publish } from '../documents/published.ts';
import { retrievalDocument } from '../documents/retrievalDocument.ts';
import { countedSuite } from '../formats/writeJunit.ts';
import type { Opening, Report, ReportPart, ReportTable, TestCase } from '../report.ts';
import { noGateError } from './noGateError.ts';

/**
 * The report of a retrieval comparison: metrics, gates and every query; the others are compared
 * with the first.
 */
export function retrievalReport(comparison: RetrievalComparison, generated: string): Report {
  const { corpusVersion, goldenVersion, leftOut, results } = comparison;
  const scored = results[0]?.perQuery.length ?? 0;
  return {
    subject: 'retrieval',
    title: `Retrieval on ${goldenVersion}`,
    generated,
    opening: openingOf(results),
    facts: [
      { name: 'Corpus', value: corpusVersion, untrusted: true },
      { name: 'Golden set', value: goldenVersion, untrusted: true },
      {
        name: 'Queries',
        value: `${scored}${leftOut.length > 0 ? `, ${leftOut.length} left out because nothing is labeled relevant` : ''}`,
      },
      {
        name: 'Retrievers',
        value: results.map(({ retriever }) => retriever).join(', '),
        untrusted: true,
      },
    ],
    parts: [
      { part: 'table', ...metricsTable(results) },
      {
        part: 'note',
        text:
          'Means over the queries, each from 0 to 1, with 95% intervals of a bootstrap over ' +
          'queries; n is the number of queries.',
      },
      ...difficultyParts(comparison),
      { part: 'table', ...meaningsTable },
      { part: 'table', ...queriesTable(comparison) },
    ],
    csv: queriesTable(comparison),
    document: () => {
      const [first] = results;
      if (first === undefined) throw new Error('A comparison has a retriever.');
      return publish(retrievalDocument, { ...first, ...comparison });
    },
    tests: () => {
      const gated = results.filter(({ gate }) => gate !== null);
      if (gated.length === 0) throw noGateError('retrieval', 'Compare it with a baseline.');
      return gated.map((result) =>
        countedSuite(`${goldenVersion} · ${result.retriever}`, gateTests(result), [
          ['corpus', corpusVersion],
          ['golden_set', goldenVersion],
        ]),
      );
    },
    alerts: () =>
      results.flatMap((result) =>
        (result.gate?.failed ?? []).map((metric) => ({
          level: 'error' as const,
          title: `${result.retriever}: ${retrievalMetricTexts[metric].label} fell short`,
          message: shortfall(result, metric),
        })),
      ),
  };
}

/** What the best retriever finds, and whether its gate is kept. */
function openingOf(results: readonly RetrieverResult[]): Opening {
  const metric = 'recall_at_5';
  const value = ({ metrics }: RetrieverResult) => metrics[metric].value ?? -1;
  const [best] = [...results].sort((a, b) => value(b) - value(a));
  const failed = results.filter(({ gate }) => gate?.passed === false);
  const gated = results.some(({ gate }) => gate !== null);
  const meaning =
    best && recallMeaning(best.retriever, (k) => best.metrics[`recall_at_${k}`].value);
  return {
    headline: best
      ? [
          { code: best.retriever },
          ` ranks ${formatPercent(best.metrics[metric].value)} of the relevant tools among its first 5`,
        ]
      : ['No retriever was scored'],
    lines: [
      ...(meaning ? [[meaning]] : []),
      ...results
        .filter((result) => result !== best)
        .map((result): RichText => [
          { code: result.retriever },
          `: ${formatPercent(result.metrics[metric].value)}.`,
        ]),
      ...(gated && failed.length === 0 ? [['Every gate passed.']] : []),
      ...failed.map(({ retriever, gate }): RichText => [
        'Gate of ',
        { code: retriever },
        ` failed: ${(gate?.failed ?? []).map((each) => retrievalMetricTexts[each].label).join(', ')}.`,
      ]),
    ],
  };
}

/** The verdict on one metric; null when the gate does not include it. */
const gateText = (gate: GateVerdict | null, metric: RetrievalMetric): string | null => {
  if (gate === null || gate.tolerance[metric] === undefined) return null;
  return gate.failed.includes(metric) ? 'falls short' : 'kept';
};

/** Columns for differences and gates only appear when there are any. */
function metricsTable(results: readonly RetrieverResult[]): ReportTable {
  const compared = results.length > 1;
  const gated = results.some(({ baselineDelta }) => baselineDelta !== null);
  return {
    title: 'Metrics',
    columns: [
      { title: 'Retriever', name: 'retriever', kind: 'text' },
      { title: 'Metric', name: 'metric', kind: 'word' },
      { title: 'Value, 95% CI, n', name: 'value', kind: 'rate' },
      ...(compared
        ? [{ title: 'Difference to the first', name: 'difference', kind: 'difference' as const }]
        : []),
      ...(gated
        ? [
            { title: 'To the baseline', name: 'baseline_delta', kind: 'word' as const },
            { title: 'May fall by', name: 'tolerance', kind: 'number' as const },
            { title: 'Gate', name: 'gate', kind: 'word' as const },
          ]
        : []),
    ],
    rows: () =>
      results.flatMap(({ retriever, metrics, differences, baselineDelta, gate }) =>
        retrievalMetrics.map((metric) => {
          const delta = baselineDelta?.[metric];
          const baselineCells = gated
            ? [
                delta === undefined ? null : formatSigned(delta),
                gate?.tolerance[metric] ?? null,
                gateText(gate, metric),
              ]
            : [];
          return {
            cells: [
              retriever,
              retrievalMetricTexts[metric].label,
              metrics[metric],
              ...(compared ? [differences?.[metric] ?? null] : []),
              ...baselineCells,
            ],
          };
        }),
      ),
  };
}

/** Nothing for golden sets whose queries don't say how difficult they are. */
function difficultyParts({ queries, results }: RetrievalComparison): ReportPart[] {
  const rows = results.flatMap(({ retriever, perQuery }) =>
    scoresByDifficulty(queries, perQuery).map((score) => ({
      cells: [
        retriever,
        difficultyTexts[score.difficulty].label,
        score.queries,
        score.recallAt5,
        score.mrr,
      ],
    })),
  );
  if (rows.length === 0) return [];
  return [
    {
      part: 'table',
      title: 'By difficulty',
      columns: [
        { title: 'Retriever', name: 'retriever', kind: 'text' },
        { title: 'Difficulty', name: 'difficulty', kind: 'word' },
        { title: 'Queries', name: 'queries', kind: 'number' },
        { title: 'Recall@5', name: 'recall_at_5', kind: 'number', digits: 2 },
        { title: 'MRR', name: 'mrr', kind: 'number', digits: 2 },
      ],
      rows: () => rows,
    },
  ];
}

/** Definitions of the metrics, so that the report can be read on its own. */
const meaningsTable: ReportTable = {
  title: 'What the metrics are',
  columns: [
    { title: 'Metric', name: 'metric', kind: 'word' },
    { title: 'What it is', name: 'meaning', kind: 'word' },
  ],
  rows: () =>
    retrievalMetrics.map((metric) => ({
      cells: [retrievalMetricTexts[metric].label, retrievalMetricTexts[metric].meaning],
    })),
};

/** Enough to see why a query failed; JSON holds the whole ranking. */
const maxShownRanks = 5;

/** One row per query and retriever; also the content of CSV. */
function queriesTable({ queries, results }: RetrievalComparison): ReportTable {
  const texts = new Map(queries.map(({ id, query }) => [id, query]));
  return {
    title: 'Queries',
    main: true,
    columns: [
      { title: 'Retriever', name: 'retriever', kind: 'text' },
      { title: 'Query', name: 'id', kind: 'code' },
      { title: 'Text', name: 'query', kind: 'text' },
      { title: 'First relevant at', name: 'first_relevant', kind: 'number' },
      { title: 'Recall@5', name: 'recall_at_5', kind: 'number', digits: 2 },
      { title: 'RR', name: 'rr', kind: 'number', digits: 2 },
      { title: 'nDCG@10', name: 'ndcg_at_10', kind: 'number', digits: 2 },
      { title: 'AP', name: 'ap', kind: 'number', digits: 2 },
      { title: `First ${maxShownRanks}`, name: 'top', kind: 'code' },
    ],
    *rows() {
      for (const { retriever, perQuery } of results) {
        for (const { id, values, firstRelevant, top } of perQuery) {
          yield {
            cells: [
              retriever,
              id,
              texts.get(id) ?? '',
              firstRelevant,
              values.recall_at_5,
              values.mrr,
              values.ndcg_at_10,
              values.map,
              top.slice(0, maxShownRanks),
            ],
            important: values.recall_at_5 < 1,
          };
        }
      }
    },
  };
}

/** One JUnit test per gated metric. */
function gateTests(result: RetrieverResult): TestCase[] {
  const { retriever, gate, baselineDelta } = result;
  return retrievalMetrics
    .filter(
      (metric) => gate?.tolerance[metric] !== undefined && baselineDelta?.[metric] !== undefined,
    )
    .map((metric) => ({
      name: metric,
      classname: retriever,
      outcome: gate?.failed.includes(metric)
        ? { kind: 'failure', type: 'gate', message: shortfall(result, metric) }
        : null,
    }));
}

/** How far a gated metric fell below its baseline. */
const shortfall = (
  { metrics, baselineDelta, gate }: RetrieverResult,
  metric: RetrievalMetric,
): string =>
  `${retrievalMetricTexts[metric].label} is ${formatDecimal(metrics[metric].value, 4)}, ` +
  `${formatSigned(baselineDelta?.[metric] ?? 0, 4)} to the baseline; it may fall by ` +
  `${gate?.tolerance[metric] ?? 0}.`;
