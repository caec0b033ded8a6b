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
import type { Opening, Report, ReportTable, TestCase } from '../report.ts';
import { noGateError } from './noGateError.ts';
import { factsFrom, field, tableOf, tables } from './tableOf.ts';

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
    facts: factsFrom(
      ['Corpus', corpusVersion, 'untrusted'],
      ['Golden set', goldenVersion, 'untrusted'],
      [
        'Queries',
        `${scored}${leftOut.length > 0 ? `, ${leftOut.length} left out because nothing is labeled relevant` : ''}`,
      ],
      ['Retrievers', results.map(({ retriever }) => retriever).join(', '), 'untrusted'],
    ),
    parts: [
      ...tables(metricsTable(results)),
      {
        part: 'note',
        text:
          'Means over the queries, each from 0 to 1, with 95% intervals of a bootstrap over ' +
          'queries; n is the number of queries.',
      },
      ...tables(difficultyTable(comparison), meaningsTable, queriesTable(comparison)),
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
  const gated = results.some(({ baselineDelta }) => baselineDelta !== null);
  return tableOf(
    'Metrics',
    results.flatMap((result) => retrievalMetrics.map((metric) => ({ ...result, metric }))),
    [
      field('text', 'Retriever', 'retriever', ({ retriever }) => retriever),
      field('word', 'Metric', 'metric', ({ metric }) => retrievalMetricTexts[metric].label),
      field('rate', 'Value, 95% CI, n', 'value', ({ metric, metrics }) => metrics[metric]),
      results.length > 1 &&
        field(
          'difference',
          'Difference to the first',
          'difference',
          ({ metric, differences }) => differences?.[metric] ?? null,
        ),
      gated &&
        field('word', 'To the baseline', 'baseline_delta', ({ metric, baselineDelta }) => {
          const delta = baselineDelta?.[metric];
          return delta === undefined ? null : formatSigned(delta);
        }),
      gated &&
        field(
          'number',
          'May fall by',
          'tolerance',
          ({ metric, gate }) => gate?.tolerance[metric] ?? null,
        ),
      gated && field('word', 'Gate', 'gate', ({ metric, gate }) => gateText(gate, metric)),
    ],
  );
}

/** Null for golden sets whose queries don't say how difficult they are. */
function difficultyTable({ queries, results }: RetrievalComparison): ReportTable | null {
  const rows = results.flatMap(({ retriever, perQuery }) =>
    scoresByDifficulty(queries, perQuery).map((score) => ({ ...score, retriever })),
  );
  if (rows.length === 0) return null;
  return tableOf('By difficulty', rows, [
    field('text', 'Retriever', 'retriever', ({ retriever }) => retriever),
    field(
      'word',
      'Difficulty',
      'difficulty',
      ({ difficulty }) => difficultyTexts[difficulty].label,
    ),
    field('number', 'Queries', 'queries', (score) => score.queries),
    field('number', 'Recall@5', 'recall_at_5', ({ recallAt5 }) => recallAt5, { digits: 2 }),
    field('number', 'MRR', 'mrr', ({ mrr }) => mrr, { digits: 2 }),
  ]);
}

/** Definitions of the metrics, so that the report can be read on its own. */
const meaningsTable = tableOf('What the metrics are', retrievalMetrics, [
  field('word', 'Metric', 'metric', (metric) => retrievalMetricTexts[metric].label),
  field('word', 'What it is', 'meaning', (metric) => retrievalMetricTexts[metric].meaning),
]);

/** Enough to see why a query failed; JSON holds the whole ranking. */
const maxShownRanks = 5;

/** One row per query and retriever; also the content of CSV. */
function queriesTable({ queries, results }: RetrievalComparison): ReportTable {
  const texts = new Map(queries.map(({ id, query }) => [id, query]));
  function* rows() {
    for (const { retriever, perQuery } of results)
      for (const score of perQuery) yield { ...score, retriever };
  }
  return tableOf(
    'Queries',
    rows,
    [
      field('text', 'Retriever', 'retriever', ({ retriever }) => retriever),
      field('code', 'Query', 'id', ({ id }) => id),
      field('text', 'Text', 'query', ({ id }) => texts.get(id) ?? ''),
      field('number', 'First relevant at', 'first_relevant', ({ firstRelevant }) => firstRelevant),
      field('number', 'Recall@5', 'recall_at_5', ({ values }) => values.recall_at_5, { digits: 2 }),
      field('number', 'RR', 'rr', ({ values }) => values.mrr, { digits: 2 }),
      field('number', 'nDCG@10', 'ndcg_at_10', ({ values }) => values.ndcg_at_10, { digits: 2 }),
      field('number', 'AP', 'ap', ({ values }) => values.map, { digits: 2 }),
      field('code', `First ${maxShownRanks}`, 'top', ({ top }) => top.slice(0, maxShownRanks)),
    ],
    { main: true, row: ({ values }) => ({ important: values.recall_at_5 < 1 }) },
  );
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
