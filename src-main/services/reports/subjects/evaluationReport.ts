import { counted, formatCount, formatDuration } from '../../../../src-shared/display/numbers.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import { neutralTime } from '../../../../src-shared/display/dates.ts';
import { toolSourceTexts } from '../../../../src-shared/display/evaluationTexts.ts';
import {
  headlineOf,
  vsBestText,
  causeTitle,
  plainText,
  scoredOf,
} from '../../../../src-shared/display/verdictTexts.ts';
import type { Cover, CoverNumber, Report, ReportTable, NotScoredReason, Alert } from '../report.ts';
import { publishEvaluation } from '../documents/evaluationDocument.ts';
import { casesTable, runReportTable, whatDiffers } from './evaluationRuns.ts';
import { evaluationTests } from './evaluationTests.ts';
import { caseFacts, intervalNote, reportedMetrics } from './evaluationFacts.ts';
import { involvedMatrix, appendixMatrix } from './evaluationMatrix.ts';
import { judgementParts } from './judgementTables.ts';
import type { ReportSource } from './reportSource.ts';
import { sentToolsFacts, sentToolsParts } from './sentToolsParts.ts';
import { factsFrom, field, tableOf, tables } from './tableOf.ts';
import { causeTexts, unscoredText } from '../../../../src-shared/display/judgementTexts.ts';
import { outcomeTexts } from '../../../../src-shared/display/outcomeTexts.ts';
import { failureOutcomes } from '../../../../src-shared/domain/outcome.ts';
import { blockingRuns, decisionAlerts, runAlert } from './blockingRuns.ts';

const maxRequests = 3;

/** The failures by cause, the most frequent first, each with its first requests. */
function causesTable({ verdict, failures }: ReportSource): ReportTable {
  const { severalServers, unit } = verdict;
  async function* groups() {
    yield* (await failures()).groups;
  }
  const first = (texts: readonly string[]) => [...new Set(texts)].slice(0, maxRequests);
  return tableOf(
    'Failures by cause',
    groups,
    [
      field('mark', 'Outcome', 'outcome', ({ outcome }) => {
        const { glyph, label } = outcomeTexts[outcome];
        return { sign: glyph, word: label, name: outcome, tone: outcome };
      }),
      field('text', 'Expected → called', 'cause', (group) =>
        plainText(causeTitle(group, severalServers)),
      ),
      field('number', unit === 'cases' ? 'Cases' : 'Runs', 'runs', ({ runs }) => runs),
      field('text', 'Requests', 'requests', ({ rows }) => first(rows.map(({ query }) => query))),
      // Where the cause says all, it is not repeated.
      field('text', 'What differs', 'differences', ({ outcome, rows }) =>
        outcome === 'wrong_arguments'
          ? first(rows.map(({ differences: [differs] }) => differs?.text ?? ''))
          : null,
      ),
    ],
    {
      emptyText: scoredOf(verdict.counts) === 0 ? `${headlineOf(verdict)}.` : 'Nothing failed.',
      row: () => ({ important: true }),
      ...(verdict.causes.length > 40
        ? { note: `The first 40 of ${counted(verdict.causes.length, 'cause')}.` }
        : {}),
    },
  );
}

const maxReasons = 20;

/** Why runs have no score, the most frequent reason first. Runs that were not run need none. */
function notScoredReasons({ unscored }: ReportSource): NotScoredReason[] {
  return unscored
    .flatMap(({ failure, message, runs }) =>
      failure === null || failure === 'cancelled' || failure === 'interrupted'
        ? []
        : [{ reason: causeTexts[failure], message, runs }],
    )
    .slice(0, maxReasons);
}

/** The reasons as a table; only for evaluations with runs that are not scored. */
const notScoredTable = (source: ReportSource): ReportTable =>
  tableOf(
    'Not scored',
    notScoredReasons(source),
    [
      field('word', 'Reason', 'reason', ({ reason }) => reason),
      field('text', 'Message', 'message', ({ message }) => message),
      field('number', 'Runs', 'runs', ({ runs }) => runs),
    ],
    { row: () => ({ important: true }) },
  );

/** More models are only counted in the line below the heading: the verdict names them. */
const maxNamedModels = 2;

/** The report of an evaluation; its runs are read page by page. */
export function evaluationReport(source: ReportSource): Report {
  const { evaluation, summary, models, generated, verdict } = source;
  return {
    subject: 'evaluation',
    title: `Evaluation #${evaluation.number} · ${evaluation.suiteName}`,
    generated,
    opening: { headline: [headlineOf(verdict)], lines: [] },
    ...(source.judgement && { judgement: source.judgement }),
    cover: coverOf(source),
    facts: [
      ...caseFacts(source),
      ...factsFrom(
        ['Models', models.map(({ label }) => label).join(', '), 'untrusted'],
        ['Tools tested', toolSourceTexts[evaluation.toolsFrom]],
      ),
      ...sentToolsFacts(source.sentTools),
    ],
    parts: [
      ...(source.judgement ? judgementParts(source.judgement) : []),
      ...tables(
        causesTable(source),
        verdict.counts.not_scored > 0 && notScoredTable(source),
        metricsTable(source),
      ),
      { part: 'note', text: intervalNote },
      ...tables(models.length > 1 && modelsTable(source)),
      { part: 'matrix', ...appendixMatrix(summary.confusion) },
      ...tables(toolsTable(source), summary.anyOf.length > 0 && anyOfTable(source)),
      ...sentToolsParts(source.sentTools),
      ...tables(casesTable(source)),
    ],
    csv: runReportTable(source),
    document: () => publishEvaluation(source),
    tests: () => evaluationTests(source),
    alerts: () => alertsOf(source),
  };
}

function coverOf(source: ReportSource): Cover {
  const { evaluation, summary, verdict, models, failures } = source;
  const modelNames = shortNames(models);
  return {
    verdict,
    modelNames,
    heading: evaluation.suiteName,
    subtitle: [
      `Evaluation #${evaluation.number}`,
      models.length > maxNamedModels
        ? counted(models.length, 'model')
        : [...modelNames.values()].join(', '),
      counted(summary.cases, 'case'),
      toolsText(summary.perTool.map(({ toolId }) => toolId)) +
        (evaluation.toolsFrom === 'snapshot' ? ' (snapshot)' : ''),
      ...(summary.durationMs === null ? [] : [formatDuration(summary.durationMs)]),
      ...(evaluation.startedAt === null ? [] : [neutralTime(evaluation.startedAt)]),
    ].join(' · '),
    matrix: involvedMatrix(summary.confusion, models.length),
    failures,
    notScored: notScoredReasons(source),
    numbers: coverNumbers(summary.metrics),
  };
}

/** The names of models by the id of their settings, without addresses if they are distinct. */
function shortNames(models: ReportSource['models']): Map<string, string> {
  const short = models.map(({ settings, label }) =>
    settings.baseUrl === null ? label : settings.model,
  );
  const areDistinct = new Set(short).size === models.length;
  return new Map(
    models.map(({ settings, label }, at) => [
      settings.id,
      areDistinct ? (short[at] ?? label) : label,
    ]),
  );
}

/** "5 tools from todo", or "33 tools from 4 servers". */
function toolsText(ids: readonly string[]): string {
  const servers = new Set(ids.map((id) => splitToolId(id).server));
  const [server = ''] = servers;
  return `${counted(ids.length, 'tool')}${ids.length === 0 ? '' : ` from ${servers.size === 1 ? server : counted(servers.size, 'server')}`}`;
}

/** "33 correct of 43 calls made": the sums behind a rate. */
function sumsText({ value, n }: Estimate, what: string, of: string): string {
  return n === 0
    ? `there are no ${of}`
    : `${formatCount(Math.round((value ?? 0) * n))} ${what} of ${formatCount(n)} ${of}`;
}

function coverNumbers(metrics: ReportSource['summary']['metrics']): CoverNumber[] {
  const { selectionPrecision, selectionRecall, selectionF1, parameterAccuracy } = metrics;
  return [
    {
      name: 'Precision',
      estimate: selectionPrecision,
      note: sumsText(selectionPrecision, 'correct', 'calls made'),
    },
    {
      name: 'Recall',
      estimate: selectionRecall,
      note: sumsText(selectionRecall, 'correct', 'expected calls'),
    },
    { name: 'F1', estimate: selectionF1, note: 'harmonic mean of precision and recall' },
    {
      name: 'Arguments',
      estimate: parameterAccuracy,
      note: sumsText(parameterAccuracy, 'matching', 'arguments in correct calls'),
    },
  ];
}

/** The metrics with their definitions, so that a report can be read on its own. */
const metricsTable = ({ summary }: ReportSource): ReportTable =>
  tableOf('Metrics', reportedMetrics, [
    field('word', 'Metric', 'metric', ({ name }) => name),
    field('rate', 'Value, 95% CI, n', 'value', ({ key }) => summary.metrics[key]),
    field('word', 'What it is', 'meaning', ({ meaning }) => meaning),
  ]);

function modelsTable({ models, verdict }: ReportSource): ReportTable {
  const against = new Map(
    verdict.models.map(({ modelSettingsId, vsBest }) => [modelSettingsId, vsBest]),
  );
  return tableOf(
    'By model',
    models.map(({ summary, ...model }) => ({ ...model, ...summary })),
    [
      field('text', 'Model', 'model', ({ label }) => label),
      field('rate', 'Pass rate', 'pass_rate', ({ metrics }) => metrics.passRate),
      field('rate', 'Precision', 'precision', ({ metrics }) => metrics.selectionPrecision),
      field('rate', 'Recall', 'recall', ({ metrics }) => metrics.selectionRecall),
      field('rate', 'F1', 'f1', ({ metrics }) => metrics.selectionF1),
      field('rate', 'Arguments', 'arguments', ({ metrics }) => metrics.parameterAccuracy),
      field('word', 'vs. best', 'vs_best', ({ settings }) =>
        vsBestText(against.get(settings.id) ?? null),
      ),
      field('number', 'Not scored', 'failed', ({ counts }) => counts.failed),
    ],
    {
      note:
        'vs. best: pass rate against the best model by the paired test over the n cases that both ' +
        'scored, adjusted over all models.',
    },
  );
}

const toolsTable = ({ summary }: ReportSource): ReportTable =>
  tableOf('Per tool', summary.perTool, [
    field('code', 'Tool', 'tool_id', ({ toolId }) => toolId),
    field('number', 'TP', 'tp', ({ tp }) => tp),
    summary.anyOf.length > 0 && field('number', 'One of several', 'any_of', ({ anyOf }) => anyOf),
    field('number', 'FP', 'fp', ({ fp }) => fp),
    field('number', 'FN', 'fn', ({ fn }) => fn),
    field('rate', 'Precision', 'precision', ({ precision }) => precision),
    field('rate', 'Recall', 'recall', ({ recall }) => recall),
    field('rate', 'F1', 'f1_score', ({ f1Score }) => f1Score),
  ]);

/** Expected calls that several tools satisfy: no tool's recall counts them. */
const anyOfTable = ({ summary }: ReportSource): ReportTable =>
  tableOf(
    'Several tools allowed',
    summary.anyOf,
    [
      field('code', 'Tools', 'label', ({ label }) => label),
      field('number', 'Passed', 'tp', ({ tp }) => tp),
      field('number', 'Missed', 'fn', ({ fn }) => fn),
      field('rate', 'Recall', 'recall', ({ recall }) => recall),
    ],
    { note: 'Counted in no single tool’s recall.' },
  );

/**
 * What fails the build as errors, in the order of importance: the decision, why runs have no score,
 * the regressed cases. Every other failed case is a notice.
 */
async function* alertsOf(source: ReportSource): AsyncIterable<Alert> {
  const { judgement, unscored } = source;
  const { fails, unscoredBlocks, hasFailures } = blockingRuns(judgement);
  yield* decisionAlerts(judgement);
  for (const group of unscored)
    yield {
      level: judgement !== null && unscoredBlocks ? 'error' : 'notice',
      title: `Not scored: ${group.cases.slice(0, 5).join(', ')}`,
      message: unscoredText(group),
    };
  for (const isRed of hasFailures ? [true, false] : [false])
    for await (const run of source.runs({ outcome: [...failureOutcomes] }))
      if (fails(run) === isRed)
        yield runAlert(
          run.caseKey,
          outcomeTexts[run.outcome].label,
          `${whatDiffers(run)}\n${run.query}`,
          isRed,
        );
}
