import { faultTexts } from '../../../../src-shared/display/faultTexts.ts';
import { judgementDocument, unscoredDocument } from '../documents/judgementDocument.ts';
import { publish } from '../documents/published.ts';
import { refusedLines } from '../../../../src-shared/domain/refusedSetting.ts';
import { neutralTime } from '../../../../src-shared/display/dates.ts';
import {
  counted,
  formatCount,
  formatDecimal,
  formatDuration,
  formatUsd,
  NOT_DEFINED,
} from '../../../../src-shared/display/numbers.ts';
import {
  agreementText,
  judgeCostText,
  judgeStandingText,
  unusableText,
} from '../../../../src-shared/display/judgeTexts.ts';
import { failuresByModel, failuresByTool } from '../../../../src-shared/display/runCauseTexts.ts';
import { spendText } from '../../../../src-shared/display/spendTexts.ts';
import {
  executionText,
  exposureText,
  failureLine,
  simulatedUserText,
  taskHeadlines,
  taskOutcomeTexts,
} from '../../../../src-shared/display/taskTexts.ts';
import { voteText } from '../../../../src-shared/display/judgeTexts.ts';
import { toolSourceTexts } from '../../../../src-shared/display/evaluationTexts.ts';
import type { Judgement } from '../../../../src-shared/domain/judgement.ts';
import type { JudgeVote } from '../../../../src-shared/domain/judgeVote.ts';
import { taskToolColumns, taskToolsNote } from '../../../../src-shared/display/taskToolTexts.ts';
import type { TaskOutcome } from '../../../../src-shared/domain/task.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { taskRunColumns } from '../../../../src-shared/domain/taskRunColumns.ts';
import type { TaskShardContent } from '../../../../src-shared/domain/taskShardContent.ts';
import { unscoredTasks } from '../../tasks/unscoredTasks.ts';
import { countedSuite } from '../formats/writeJunit.ts';
import type { Column, Mark, Report, ReportTable } from '../report.ts';
import { againColumns } from './againColumns.ts';
import { blockingRuns } from './blockingRuns.ts';
import { stateText } from './evaluationFacts.ts';
import { judgementParts } from './judgementTables.ts';
import { checksSuite } from './judgementTests.ts';
import { sentToolsFacts, sentToolsParts } from './sentToolsParts.ts';
import { tasksDocument } from '../documents/tasksDocument.ts';
import { alertsOf, testsOf } from './tasksTests.ts';
import { groupTables, repeatedRates } from './taskGroupTables.ts';
import { whatFailed } from '../../../../src-shared/display/taskTexts.ts';
import { actualText, expectedText } from '../../../../src-shared/display/differenceTexts.ts';
import type { TaskRunRow } from '../../../../src-shared/domain/taskEvaluation.ts';
import { presentedAsText } from '../../clients/clientViews.ts';

/** The report of an evaluation of tasks: what ran, how many succeeded, and why others did not. */
export function tasksReport(
  report: TaskReport,
  generated: string,
  judgement: Judgement | null = null,
  /** What `merge` needs of a part; null for a whole evaluation. */
  shard: TaskShardContent | null = null,
): Report {
  const { evaluation, summary, models, executed } = report;
  const { repetitions, client } = evaluation.settings;
  const user = simulatedUserText(report);
  const cost = spendText(report.spend);
  const failures = failureLine(report);
  const exposure = exposureText(summary);
  const blocking = blockingRuns(judgement);
  return {
    subject: 'tasks',
    title: `Task evaluation #${evaluation.number} · ${evaluation.suiteName}`,
    generated,
    opening: {
      // Models are never pooled in a headline.
      headline:
        models.length > 1
          ? [`${counted(report.tasks.length, 'task')} with ${counted(models.length, 'model')}`]
          : (taskHeadlines(report)[0] ?? []),
      lines: [
        ...taskHeadlines(report).slice(models.length > 1 ? 0 : 1),
        ...(failures === '' ? [] : [[`${failures}.`]]),
        [executionText(report)],
        ...(exposure === null ? [] : [[exposure]]),
      ],
    },
    ...(judgement && { judgement }),
    facts: [
      { name: 'Suite', value: evaluation.suiteName, untrusted: true },
      { name: 'State', value: stateText(evaluation), untrusted: true },
      { name: 'Models', value: models.map(({ label }) => label).join(', '), untrusted: true },
      { name: 'Tools tested', value: toolSourceTexts[evaluation.toolsFrom] },
      ...(client === undefined
        ? []
        : [{ name: 'Tools presented as', value: presentedAsText(client) }]),
      ...sentToolsFacts(report.sentTools),
      ...refusedLines(
        models.map(({ id, label }) => ({
          label,
          refused: evaluation.models.find((model) => model.id === id)?.refused,
        })),
      ).map((value) => ({ name: 'Refused settings', value, untrusted: true })),
      ...(report.judge === null
        ? []
        : [
            { name: 'Judge', value: report.judge.judge, untrusted: true },
            {
              name: 'Agreement with people',
              value:
                agreementText(report.judge) +
                ` ${judgeStandingText(report.judge)}` +
                unusableText(report.judge) +
                judgeCostText(report.judge),
            },
          ]),
      ...(user === null ? [] : [{ name: 'Simulated user', value: user, untrusted: true }]),
      ...(cost === null ? [] : [{ name: 'Cost of all requests', value: cost }]),
      { name: 'Execution mode', value: evaluation.settings.mode },
      { name: 'Runs per task', value: formatCount(repetitions) },
      { name: 'Started', value: neutralTime(evaluation.startedAt) },
      { name: 'Ended', value: neutralTime(evaluation.completedAt) },
    ],
    parts: [
      ...(judgement ? judgementParts(judgement) : []),
      { part: 'table', ...causesTable(report) },
      ...toolParts(report),
      { part: 'table', ...ratesTable(report) },
      {
        part: 'note',
        text:
          'Intervals are 95%, with tasks as clusters. n is the number a rate is counted over; – ' +
          'means undefined.',
      },
      ...groupTables(report),
      { part: 'table', ...effortTable(report) },
      ...(executed.length > 0 ? [{ part: 'table' as const, ...executedTable(report) }] : []),
      ...sentToolsParts(report.sentTools),
      { part: 'table', ...runsTable(report) },
    ],
    csv: checksTable(report),
    document: () => ({
      ...publish(tasksDocument, report),
      shard,
      check: judgement && publish(judgementDocument, judgement),
      unscored: unscoredTasks(report).map((group) => publish(unscoredDocument, group)),
    }),
    tests: () => [
      ...(judgement === null ? [] : [checksSuite(judgement)]),
      countedSuite(evaluation.suiteName, testsOf(report, blocking), [
        ['mode', evaluation.settings.mode],
        ['models', models.map(({ label }) => label).join(', ')],
      ]),
    ],
    alerts: () => alertsOf(report, judgement, blocking),
  };
}

const tones: Readonly<Record<TaskOutcome, Mark['tone']>> = {
  succeeded: 'good',
  check_failed: 'bad',
  limit: 'warning',
  loop: 'warning',
  refused: 'warning',
  no_answer: 'warning',
  not_scored: 'soft',
};

function markOf(outcome: TaskOutcome | null): Mark {
  const { glyph, label } = taskOutcomeTexts[outcome ?? 'not_run'];
  return {
    sign: glyph,
    word: label,
    name: outcome ?? 'not_run',
    tone: outcome === null ? 'soft' : tones[outcome],
  };
}

const causesTable = ({ causes, runs, models }: TaskReport): ReportTable => ({
  title: 'Failures by tool',
  emptyText: 'Nothing failed.',
  columns: [
    { title: 'Tool', name: 'tool', kind: 'code' },
    { title: 'What the model did', name: 'cause', kind: 'text' },
    { title: 'Runs', name: 'runs', kind: 'number' },
    ...(models.length > 1
      ? [{ title: 'Runs of each model', name: 'models', kind: 'text' as const }]
      : []),
  ],
  rows: () =>
    [
      ...failuresByTool(causes).flatMap((group) => group.causes),
      ...causes.filter(({ did }) => did === null),
    ].map(({ did, cause, runs: count, runIds }) => {
      const ids = new Set(runIds);
      const own = runs.filter(({ runId }) => ids.has(runId));
      return {
        cells: [
          did?.tool ?? '',
          did === null ? `Not scored: ${cause}` : cause,
          count,
          ...(models.length > 1 ? [failuresByModel(own, models)] : []),
        ],
        important: true,
      };
    }),
});

/** Which tools fail: the pairs of first wrong steps and the numbers of each tool. */
function toolParts({ summary }: TaskReport): Report['parts'] {
  const { confusions, tools } = summary;
  const { needed, called, missed, wrong, errors, unanswered, crashes, time, success } =
    taskToolColumns;
  if (tools.length === 0) return [];
  return [
    ...(confusions.length === 0
      ? []
      : [
          {
            part: 'table' as const,
            title: 'First wrong steps',
            columns: [
              { title: 'Expected tool', name: 'expected', kind: 'code' as const },
              { title: 'Called tool', name: 'called', kind: 'code' as const },
              { title: 'Runs', name: 'runs', kind: 'number' as const },
            ],
            rows: () =>
              confusions.map((pair) => ({
                cells: [pair.expected ?? '(no tool)', pair.called ?? '(no tool)', pair.runs],
                important: true,
              })),
            note: taskToolsNote,
          },
        ]),
    {
      part: 'table',
      title: 'Tools',
      columns: [
        { title: 'Tool', name: 'tool', kind: 'code' },
        ...[needed, called, missed, wrong].map(({ title, meaning }, at) => ({
          title,
          meaning,
          name: ['needed', 'called', 'missed', 'wrong'][at] ?? title,
          kind: 'number' as const,
        })),
        { title: 'Calls', name: 'calls', kind: 'number' },
        { ...errors, name: 'errors', kind: 'number' },
        { ...unanswered, name: 'no_answer', kind: 'number' },
        { ...crashes, name: 'crashes', kind: 'number' },
        { ...time, name: 'time_per_call', kind: 'word' },
        { ...success, name: 'success', kind: 'rate' },
      ],
      rows: () =>
        tools.map((row) => ({
          cells: [
            row.tool,
            row.needed,
            row.called,
            row.missed,
            row.wrong,
            row.calls,
            row.errors,
            row.unanswered,
            row.crashes,
            formatDuration(row.timePerCallMs),
            row.success,
          ],
          important: row.missed + row.wrong + row.unanswered > 0,
        })),
    },
  ];
}

/** All models together, each model by itself, and each injection technique. */
function ratesTable({ summary, models }: TaskReport): ReportTable {
  const rows = [
    { name: 'Success', of: 'all runs', estimate: summary.successRate },
    ...(models.length > 1
      ? models.map((model) => ({
          name: 'Success',
          of: model.label,
          estimate: model.summary.successRate,
        }))
      : []),
    { name: 'Partial credit', of: 'all runs', estimate: summary.partialCredit },
    ...(models.length > 1
      ? models.map((model) => ({
          name: 'Partial credit',
          of: model.label,
          estimate: model.summary.partialCredit,
        }))
      : []),
    ...repeatedRates(models),
    { name: 'Call efficiency', of: 'runs that succeeded', estimate: summary.callEfficiency },
    { name: 'Recovery', of: 'runs with a tool error', estimate: summary.recovery },
    ...summary.faults.map(({ fault, recovery }) => ({
      name: 'Recovery',
      of: `runs with the fault ${faultTexts[fault].label}`,
      estimate: recovery,
    })),
    ...summary.attacks.flatMap(({ technique, attackSuccess, taskSuccess }) => [
      { name: 'Attack success', of: technique, estimate: attackSuccess },
      { name: 'Success under attack', of: technique, estimate: taskSuccess },
    ]),
  ];
  return {
    title: 'Rates',
    columns: [
      { title: 'Rate', name: 'rate', kind: 'word' },
      { title: 'Of', name: 'of', kind: 'text' },
      { title: 'Value, 95% CI, n', name: 'value', kind: 'rate' },
    ],
    rows: () => rows.map(({ name, of, estimate }) => ({ cells: [name, of, estimate] })),
  };
}

const effortTable = ({ summary, tasks }: TaskReport): ReportTable => {
  const decimal = (value: number | null) => formatDecimal(value, 1);
  const rows = [
    ['Steps', summary.steps, decimal],
    ['Tool calls', summary.calls, decimal],
    ['Tokens', summary.tokens, (value: number | null) => formatCount(value && Math.round(value))],
    [
      'Cost',
      summary.cost,
      (value: number | null) => (value === null ? NOT_DEFINED : formatUsd(value)),
    ],
    ['Time', summary.timeMs, formatDuration],
  ] as const;
  return {
    title: 'Effort',
    columns: [
      { title: 'What', name: 'what', kind: 'word' },
      { title: 'Total', name: 'total', kind: 'word' },
      { title: 'Per run', name: 'per_run', kind: 'word' },
      { title: 'Per success', name: 'per_success', kind: 'word' },
    ],
    rows: () =>
      rows.map(([name, spent, text]) => ({
        cells: [name, text(spent.total), text(spent.perTask), text(spent.perSuccess)],
      })),
    note:
      `${counted(summary.repeatedCalls, 'repeated call')}, ` +
      counted(summary.unusedCalls, 'unused call') +
      (tasks.some(({ expectsCalls }) => expectsCalls)
        ? `, ${counted(summary.unwantedEffects, 'destructive call')} that no check expects.`
        : '.'),
  };
};

const executedTable = ({ executed }: TaskReport): ReportTable => ({
  title: 'Executed tools',
  columns: [
    { title: 'Tool', name: 'tool', kind: 'code' },
    { title: 'Calls', name: 'calls', kind: 'number' },
    { title: 'Without an answer', name: 'no_answer', kind: 'number' },
    { title: 'According to the server', name: 'effect', kind: 'word' },
  ],
  rows: () =>
    executed.map(({ tool, calls, unanswered, destructive }) => ({
      cells: [tool, calls, unanswered, destructive ? 'destructive' : 'not destructive'],
      important: destructive || unanswered > 0,
    })),
});

const measured = taskRunColumns.flatMap(({ name, value, report }) =>
  report === undefined ? [] : [{ column: { ...report, name, kind: 'number' as const }, value }],
);

const runsTable = ({ runs, models }: TaskReport): ReportTable => {
  const labels = new Map(models.map(({ id, label }) => [id, label]));
  return {
    title: 'Runs',
    main: true,
    columns: [
      { title: 'Outcome', name: 'outcome', kind: 'mark' },
      { title: 'Task', name: 'task', kind: 'named' },
      { title: 'Model', name: 'model', kind: 'text' },
      { title: 'Repetition', name: 'repetition', kind: 'number' },
      ...measured.map(({ column }) => column),
      { title: 'What differs', name: 'differences', kind: 'text' },
      { title: 'Expected', name: 'expected', kind: 'text' },
      { title: 'Actual', name: 'actual', kind: 'text' },
    ],
    rows: () =>
      runs.map((run) => ({
        cells: [
          markOf(run.outcome),
          { id: run.taskKey, name: run.taskName },
          labels.get(run.modelSettingsId) ?? '',
          run.repetition,
          ...measured.map(({ value }) => run.facts && value(run.facts)),
          whatFailed(run),
          run.differences.map(expectedText),
          run.differences.map(actualText),
        ],
        important: run.outcome !== 'succeeded',
      })),
  };
};

/** What differs in a failed check of a run, what it expected and what it found. */
function differenceCells({ differences }: TaskRunRow, id: string): string[] {
  const found = differences.find(({ check }) => check === id);
  return found === undefined ? ['', '', ''] : [found.text, expectedText(found), actualText(found)];
}

/** One row per check of each run, for spreadsheets. */
const checksTable = ({ runs, models, askedAgain }: TaskReport): ReportTable => {
  const labels = new Map(models.map(({ id, label }) => [id, label]));
  const again = againColumns(askedAgain);
  const hasVotes = runs.some(({ checks }) => checks.some(({ votes }) => votes !== undefined));
  const votesOf = (votes: readonly JudgeVote[] = []) => (hasVotes ? [votes.map(voteText)] : []);
  return {
    title: 'Checks',
    columns: [
      { title: 'Task', name: 'task', kind: 'code' },
      { title: 'Model', name: 'model', kind: 'text' },
      { title: 'Repetition', name: 'repetition', kind: 'number' },
      { title: 'Outcome', name: 'outcome', kind: 'mark' },
      { title: 'Check', name: 'check', kind: 'code' },
      { title: 'Kind', name: 'kind', kind: 'word' },
      { title: 'Passed', name: 'passed', kind: 'word' },
      { title: 'Reason', name: 'reason', kind: 'text' },
      ...(hasVotes ? [{ title: 'Votes', name: 'votes', kind: 'text' } as const] : []),
      { title: 'What differs', name: 'differences', kind: 'text' },
      { title: 'Expected', name: 'expected', kind: 'text' },
      { title: 'Actual', name: 'actual', kind: 'text' },
      { title: 'Call notes', name: 'call_notes', kind: 'code' },
      ...again.map(({ name, title }): Column => ({ name, title, kind: 'word' })),
    ],
    rows: () =>
      runs.flatMap((run) => {
        const tail = [
          run.facts?.callNotes ?? [],
          ...again.map(({ value }) => value({ ...run, caseKey: run.taskKey })),
        ];
        const head = [
          run.taskKey,
          labels.get(run.modelSettingsId) ?? '',
          run.repetition,
          markOf(run.outcome),
        ];
        return run.checks.length === 0
          ? [{ cells: [...head, '', '', '', run.reason ?? '', ...votesOf(), '', '', '', ...tail] }]
          : run.checks.map(({ id, kind, passed, reason, votes }) => ({
              cells: [
                ...head,
                id,
                kind,
                passed === null ? '' : passed ? 'yes' : 'no',
                reason,
                ...votesOf(votes),
                ...differenceCells(run, id),
                ...tail,
              ],
            }));
      }),
  };
};
