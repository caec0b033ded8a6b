import { faultTexts } from '../../../../src-shared/display/faultTexts.ts';
import { judgementDocument, unscoredDocument } from '../documents/judgementDocument.ts';
import { publish } from '../documents/published.ts';
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
import { taskToolColumns, taskToolsNote } from '../../../../src-shared/display/taskToolTexts.ts';
import type { CheckResult, TaskOutcome } from '../../../../src-shared/domain/task.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { taskRunColumns } from '../../../../src-shared/domain/taskRunColumns.ts';
import type { TaskShardContent } from '../../../../src-shared/domain/taskShardContent.ts';
import { unscoredTasks } from '../../tasks/unscoredTasks.ts';
import { countedSuite } from '../formats/writeJunit.ts';
import type { Mark, Report, ReportTable } from '../report.ts';
import { againColumns } from './againColumns.ts';
import { blockingRuns } from './blockingRuns.ts';
import { refusedFacts, stateText } from './evaluationFacts.ts';
import { judgementParts } from './judgementTables.ts';
import { checksSuite } from './judgementTests.ts';
import { sentToolsFacts, sentToolsParts } from './sentToolsParts.ts';
import { factsFrom, field, tableOf, tables, type Field } from './tableOf.ts';
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
  const { evaluation, summary, models, executed, judge } = report;
  const { repetitions, client } = evaluation.settings;
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
      ...factsFrom(
        ['Suite', evaluation.suiteName, 'untrusted'],
        ['State', stateText(evaluation), 'untrusted'],
        ['Models', models.map(({ label }) => label).join(', '), 'untrusted'],
        ['Tools tested', toolSourceTexts[evaluation.toolsFrom]],
        ['Tools presented as', client && presentedAsText(client)],
      ),
      ...sentToolsFacts(report.sentTools),
      ...factsFrom(
        ...refusedFacts(
          models.map(({ id, label }) => ({
            label,
            refused: evaluation.models.find((model) => model.id === id)?.refused,
          })),
        ),
        ['Judge', judge?.judge, 'untrusted'],
        [
          'Agreement with people',
          judge &&
            agreementText(judge) +
              ` ${judgeStandingText(judge)}` +
              unusableText(judge) +
              judgeCostText(judge),
        ],
        ['Simulated user', simulatedUserText(report), 'untrusted'],
        ['Cost of all requests', spendText(report.spend)],
        ['Execution mode', evaluation.settings.mode],
        ['Runs per task', formatCount(repetitions)],
        ['Started', neutralTime(evaluation.startedAt)],
        ['Ended', neutralTime(evaluation.completedAt)],
      ),
    ],
    parts: [
      ...(judgement ? judgementParts(judgement) : []),
      ...tables(causesTable(report)),
      ...toolParts(report),
      ...tables(ratesTable(report)),
      {
        part: 'note',
        text:
          'Intervals are 95%, with tasks as clusters. n is the number a rate is counted over; – ' +
          'means undefined.',
      },
      ...groupTables(report),
      ...tables(effortTable(report), executed.length > 0 && executedTable(report)),
      ...sentToolsParts(report.sentTools),
      ...tables(runsTable(report)),
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

const causesTable = ({ causes, runs, models }: TaskReport): ReportTable =>
  tableOf(
    'Failures by tool',
    () => [
      ...failuresByTool(causes).flatMap((group) => group.causes),
      ...causes.filter(({ did }) => did === null),
    ],
    [
      field('code', 'Tool', 'tool', ({ did }) => did?.tool ?? ''),
      field('text', 'What the model did', 'cause', ({ did, cause }) =>
        did === null ? `Not scored: ${cause}` : cause,
      ),
      field('number', 'Runs', 'runs', (cause) => cause.runs),
      models.length > 1 &&
        field('text', 'Runs of each model', 'models', ({ runIds }) => {
          const ids = new Set(runIds);
          return failuresByModel(
            runs.filter(({ runId }) => ids.has(runId)),
            models,
          );
        }),
    ],
    { emptyText: 'Nothing failed.', row: () => ({ important: true }) },
  );

/** Which tools fail: the pairs of first wrong steps and the numbers of each tool. */
function toolParts({ summary: { confusions, tools } }: TaskReport): Report['parts'] {
  const { time, success, ...counts } = taskToolColumns;
  const count = (key: keyof typeof counts, name: string = key): Field<(typeof tools)[number]> =>
    field('number', counts[key].title, name, (row) => row[key], counts[key]);
  if (tools.length === 0) return [];
  return tables(
    confusions.length > 0 &&
      tableOf(
        'First wrong steps',
        confusions,
        [
          field('code', 'Expected tool', 'expected', ({ expected }) => expected ?? '(no tool)'),
          field('code', 'Called tool', 'called', (pair) => pair.called ?? '(no tool)'),
          field('number', 'Runs', 'runs', ({ runs }) => runs),
        ],
        { row: () => ({ important: true }), note: taskToolsNote },
      ),
    tableOf(
      'Tools',
      tools,
      [
        field('code', 'Tool', 'tool', ({ tool }) => tool),
        count('needed'),
        count('called'),
        count('missed'),
        count('wrong'),
        field('number', 'Calls', 'calls', ({ calls }) => calls),
        count('errors'),
        count('unanswered', 'no_answer'),
        count('crashes'),
        field(
          'word',
          time.title,
          'time_per_call',
          ({ timePerCallMs }) => formatDuration(timePerCallMs),
          time,
        ),
        field('rate', success.title, 'success', (row) => row.success, success),
      ],
      { row: (row) => ({ important: row.missed + row.wrong + row.unanswered > 0 }) },
    ),
  );
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
  return tableOf('Rates', rows, [
    field('word', 'Rate', 'rate', ({ name }) => name),
    field('text', 'Of', 'of', ({ of }) => of),
    field('rate', 'Value, 95% CI, n', 'value', ({ estimate }) => estimate),
  ]);
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
  return tableOf(
    'Effort',
    rows,
    [
      field('word', 'What', 'what', ([name]) => name),
      field('word', 'Total', 'total', ([, { total }, text]) => text(total)),
      field('word', 'Per run', 'per_run', ([, { perTask }, text]) => text(perTask)),
      field('word', 'Per success', 'per_success', ([, { perSuccess }, text]) => text(perSuccess)),
    ],
    {
      note:
        `${counted(summary.repeatedCalls, 'repeated call')}, ` +
        counted(summary.unusedCalls, 'unused call') +
        (tasks.some(({ expectsCalls }) => expectsCalls)
          ? `, ${counted(summary.unwantedEffects, 'destructive call')} that no check expects.`
          : '.'),
    },
  );
};

const executedTable = ({ executed }: TaskReport): ReportTable =>
  tableOf(
    'Executed tools',
    executed,
    [
      field('code', 'Tool', 'tool', ({ tool }) => tool),
      field('number', 'Calls', 'calls', ({ calls }) => calls),
      field('number', 'Without an answer', 'no_answer', ({ unanswered }) => unanswered),
      field('word', 'According to the server', 'effect', ({ destructive }) =>
        destructive ? 'destructive' : 'not destructive',
      ),
    ],
    { row: ({ destructive, unanswered }) => ({ important: destructive || unanswered > 0 }) },
  );

const measured = taskRunColumns.flatMap(({ name, value, report }): Field<TaskRunRow>[] =>
  report === undefined
    ? []
    : [field('number', report.title, name, ({ facts }) => facts && value(facts), report)],
);

const runsTable = ({ runs, models }: TaskReport): ReportTable => {
  const labels = new Map(models.map(({ id, label }) => [id, label]));
  return tableOf(
    'Runs',
    runs,
    [
      field('mark', 'Outcome', 'outcome', ({ outcome }) => markOf(outcome)),
      field('named', 'Task', 'task', ({ taskKey, taskName }) => ({ id: taskKey, name: taskName })),
      field('text', 'Model', 'model', ({ modelSettingsId }) => labels.get(modelSettingsId) ?? ''),
      field('number', 'Repetition', 'repetition', ({ repetition }) => repetition),
      ...measured,
      field('text', 'What differs', 'differences', whatFailed),
      field('text', 'Expected', 'expected', ({ differences }) => differences.map(expectedText)),
      field('text', 'Actual', 'actual', ({ differences }) => differences.map(actualText)),
    ],
    { main: true, row: ({ outcome }) => ({ important: outcome !== 'succeeded' }) },
  );
};

/** One row per check of each run, for spreadsheets. */
const checksTable = ({ runs, models, askedAgain }: TaskReport): ReportTable => {
  const labels = new Map(models.map(({ id, label }) => [id, label]));
  const rows = runs.flatMap((run) => {
    const checks: readonly (CheckResult | null)[] = run.checks.length === 0 ? [null] : run.checks;
    return checks.map((check) => ({
      run,
      check,
      // What differs in a failed check, what it expected and what it found.
      differs: run.differences.find((each) => each.check === check?.id),
    }));
  });
  return tableOf('Checks', rows, [
    field('code', 'Task', 'task', ({ run }) => run.taskKey),
    field('text', 'Model', 'model', ({ run }) => labels.get(run.modelSettingsId) ?? ''),
    field('number', 'Repetition', 'repetition', ({ run }) => run.repetition),
    field('mark', 'Outcome', 'outcome', ({ run }) => markOf(run.outcome)),
    field('code', 'Check', 'check', ({ check }) => check?.id ?? ''),
    field('word', 'Kind', 'kind', ({ check }) => check?.kind ?? ''),
    field('word', 'Passed', 'passed', ({ check }) =>
      check === null || check.passed === null ? '' : check.passed ? 'yes' : 'no',
    ),
    field('text', 'Reason', 'reason', ({ run, check }) => (check ?? run).reason ?? ''),
    rows.some(({ check }) => check?.votes !== undefined) &&
      field('text', 'Votes', 'votes', ({ check }) => (check?.votes ?? []).map(voteText)),
    field('text', 'What differs', 'differences', ({ differs }) => differs?.text ?? ''),
    field('text', 'Expected', 'expected', ({ differs }) => (differs ? expectedText(differs) : '')),
    field('text', 'Actual', 'actual', ({ differs }) => (differs ? actualText(differs) : '')),
    field('code', 'Call notes', 'call_notes', ({ run }) => run.facts?.callNotes ?? []),
    ...againColumns(askedAgain).map(({ name, title, value }): Field<(typeof rows)[number]> =>
      field('word', title, name, ({ run }) => value({ ...run, caseKey: run.taskKey })),
    ),
  ]);
};
