import { sentToolsDocument } from '../../../services/reports/documents/sentToolsDocument.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { executedText, programsText } from '../../../../src-shared/display/executionTexts.ts';
import {
  counted,
  formatAbout,
  formatCount,
  formatUsd,
} from '../../../../src-shared/display/numbers.ts';
import { leftOutText } from '../../../../src-shared/display/suiteTexts.ts';
import { aboutCost, programText } from '../../../../src-shared/display/planTexts.ts';
import type { EvaluationPlan, PlannedModel } from '../../../../src-shared/domain/evaluationPlan.ts';
import type { TaskPlan } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { ExpectedAgain } from '../askAgain.ts';
import { table } from './output.ts';
import { sentToolsLines } from './sentTools.ts';
import { firstLines } from './planProblems.ts';

const modelShape = (model: PlannedModel) => ({
  label: model.label,
  tools: model.tools,
  sent_tools: model.sent && publish(sentToolsDocument, model.sent),
  input_tokens: model.inputTokens,
  output_tokens: model.outputTokens,
  token_source: model.tokenSource,
  ...(model.countNote !== null && { count_note: model.countNote }),
  ...(model.program && { program: model.program }),
  price: model.price,
  cost_usd: model.costUsd,
});

/** The document of `eval --estimate`: what a plan would send and cost. */
export const estimateShape = (plan: EvaluationPlan) => ({
  cases: plan.cases,
  runs: plan.runs,
  models: plan.models.map(modelShape),
  cost_usd: plan.costUsd,
  ...(plan.leftOut !== undefined && { left_out: { tasks: plan.leftOut } }),
  problems: plan.problems,
});

/** The same of tasks, and what they would execute. */
export const taskEstimateShape = (plan: TaskPlan) => ({
  tasks: plan.tasks,
  runs: plan.runs,
  mode: plan.mode,
  servers: plan.servers,
  executes: plan.executes.map(({ server, tool, readOnly, destructive }) => ({
    server,
    tool,
    read_only: readOnly,
    destructive,
  })),
  unlisted: plan.unlisted,
  isolated: plan.isolated,
  ...(plan.faults && { faults: plan.faults }),
  programs: plan.programs,
  models: plan.models.map(modelShape),
  cost_usd: plan.costUsd,
  ...(plan.leftOut !== undefined && { left_out: { cases: plan.leftOut } }),
  problems: plan.problems.map(({ severity, taskKey, message }) => ({
    severity,
    task_id: taskKey,
    message,
  })),
});

/** A cost, or `price unknown`: what has no price doesn't cost 0. */
export const dollars = (value: number | null): string =>
  value === null ? 'price unknown' : formatUsd(value);

function modelsText(models: readonly PlannedModel[]): string {
  const rows = models.map((model) => [
    model.label,
    // A judge and a simulated user are offered none.
    model.tools === null || model.tools === 0 ? '–' : String(model.tools),
    model.inputTokens === null
      ? '–'
      : `about ${formatAbout(model.inputTokens)} ${model.tokenSource ?? ''}`.trim(),
    model.outputTokens === null ? '–' : `about ${formatAbout(model.outputTokens)}`,
    model.inputTokens === null ? '–' : dollars(model.costUsd),
  ]);
  const sent = models.flatMap(({ label, sent: account }) =>
    account === null ? [] : sentToolsLines(account, label),
  );
  const notes = models.flatMap(({ label, countNote }) =>
    countNote === null ? [] : [`${label} is estimated, not counted: ${countNote}`],
  );
  const programs = models.flatMap(({ label, program }) =>
    program === undefined ? [] : [programText(label, program)],
  );
  return [
    table([['model', 'tools', 'tokens in', 'tokens out (assumed)', 'cost'], ...rows]),
    ...notes,
    ...programs,
    ...sent,
  ].join('\n');
}

const problemLines = (problems: readonly { severity: string; message: string }[]): string[] =>
  problems.map(({ severity, message }) => `${severity}: ${message}`);

/** What a plan leaves out of its suite, and the command that runs it. */
const leftOutLine = (unit: EvaluationUnit, leftOut: number | undefined): string[] =>
  leftOut === undefined
    ? []
    : [
        `${leftOutText(unit, { leftOut })} --only ${unit === 'case' ? 'tasks' : 'cases'} runs those.`,
      ];

export const estimateText = (
  { cases, runs, models, problems, leftOut }: EvaluationPlan,
  verbose: boolean,
): string =>
  [
    ...leftOutLine('case', leftOut),
    `${counted(cases, 'case')}, ${counted(runs, 'run')}. Before the start:\n${modelsText(models)}`,
    ...firstLines(problemLines(problems), verbose),
  ].join('\n');

export const taskEstimateText = (plan: TaskPlan): string =>
  [
    ...leftOutLine('task', plan.leftOut),
    `${counted(plan.tasks, 'task')}, ${counted(plan.runs, 'run')}, execution mode ${plan.mode}. ${executedText(plan)}`,
    ...(plan.programs.length === 0 ? [] : [programsText(plan.programs)]),
    'Before the start, if each task takes one call per turn or those that its checks require:',
    modelsText(plan.models),
    ...problemLines(plan.problems),
  ].join('\n');

/** What asking again would add, for programs. */
export const againShape = (again: ExpectedAgain | null) =>
  again === null
    ? {}
    : {
        asked_again: {
          up_to: again.upTo,
          cases: again.cases,
          runs: again.runs,
          cost_usd: again.costUsd,
        },
      };

export function againLines(again: ExpectedAgain | null, unit: EvaluationUnit): string[] {
  if (again === null || again.upTo < 2) return [];
  const { cases, runs, costUsd } = again;
  return [
    `If nothing changed, about ${counted(Math.round(cases), unit)} would disagree with the baseline ` +
      `and be asked again: ${formatCount(Math.round(runs))} more runs, ` +
      `${aboutCost(costUsd)}.`,
  ];
}
