import { executedText } from '../../../src-shared/display/executionTexts.ts';
import { evaluationSettings, type InlineSources } from '../../../src-shared/domain/evaluation.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { OptimizationSettings } from '../../../src-shared/domain/optimization.ts';
import { executionModes } from '../../../src-shared/domain/task.ts';
import { taskEvaluationSettings } from '../../../src-shared/domain/taskEvaluation.ts';
import type { CommandContext } from './commandContext.ts';
import { UsageError } from './exitCodes.ts';
import { agreedTo, allowPrograms } from './input/allowedPrograms.ts';
import {
  entriesToRun,
  folderOf,
  listNewServers,
  type EvaluationSource,
} from './input/evaluationSource.ts';
import { oneOf } from './input/optionValues.ts';
import { firstLines, rejectPlanErrors } from './output/planProblems.ts';
import type { Client } from './session.ts';
import { watchUntilEnded } from './watch.ts';

interface OptimizedOptions extends EvaluationSource {
  only?: string;
  execute?: string;
  yes?: boolean;
  allowPrograms?: boolean;
}

interface Base {
  client: Client;
  options: OptimizedOptions;
  suiteId: string | null;
  inline: InlineSources;
  model: ModelConfiguration;
  repetitions: number | undefined;
}

export interface OptimizedEvaluation extends Pick<OptimizationSettings, 'tasks'> {
  evaluationId: string;
  wasCancelled: boolean;
}

/**
 * Runs the suite with its tools as they are: its test cases, or its tasks if they are chosen or the
 * suite has nothing else.
 */
export async function runOptimized(
  base: Base,
  context: CommandContext,
): Promise<OptimizedEvaluation> {
  const { client, options, suiteId, inline } = base;
  const { cases } = await entriesToRun(client, options, suiteId, inline);
  if (!cases) return runTasksOf(base, context);
  if (options.execute !== undefined || options.yes === true)
    throw new UsageError(
      '--execute and --yes apply to tasks. Test cases execute nothing; --only tasks chooses the tasks of the suite.',
    );
  return runCasesOf(base, context);
}

async function runCasesOf(base: Base, context: CommandContext): Promise<OptimizedEvaluation> {
  const { client, options } = base;
  const request = { ...evaluationSettings.parse(sharedBy(base)), ...sourcesOf(base) };
  const plan = await client.evaluations.plan(request);
  rejectPlanErrors('case', plan, options, false);
  const warnings = plan.problems.map(({ message }) => `warning: ${message}`);
  for (const line of firstLines(warnings, false)) context.output.note(line);
  context.output.note('Running all cases with the tools as they are.');
  const { id } = await client.evaluations.start(request);
  await watchUntilEnded(client, { id, runs: plan.runs }, context.output);
  const { state } = await client.evaluations.get({ id });
  return { evaluationId: id, wasCancelled: state === 'cancelled', tasks: null };
}

async function runTasksOf(base: Base, context: CommandContext): Promise<OptimizedEvaluation> {
  const { client, options } = base;
  const { output } = context;
  const request = {
    ...taskEvaluationSettings.parse(sharedBy(base)),
    ...sourcesOf(base),
    folder: folderOf(options.suite, base.inline),
    mode: oneOf(options.execute ?? 'stub', '--execute', executionModes),
  };
  const findPlan = () => client.evaluations.plan({ unit: 'task', ...request });
  if (request.mode === 'full') await listNewServers(client, (await findPlan()).unlisted);
  const plan = await findPlan();
  rejectPlanErrors('task', plan, options, false);
  for (const { message } of plan.problems) output.note(`warning: ${message}`);
  if (plan.mode === 'full' && options.yes !== true)
    throw new UsageError(
      `--execute full: ${executedText(plan)} Every candidate repeats that. Give --yes to agree, or another execution mode.`,
    );
  allowPrograms(plan, options.allowPrograms, output);
  output.note('Running all tasks with the tools as they are.');
  if (plan.mode !== 'stub') output.note(`${executedText(plan)} Every candidate repeats that.`);
  const agreed = agreedTo(plan);
  const { id } = await client.evaluations.start({ unit: 'task', ...request, ...agreed });
  await watchUntilEnded(client, { unit: 'task', id, runs: plan.runs }, output);
  const { state } = await client.evaluations.get({ unit: 'task', id });
  return { evaluationId: id, wasCancelled: state === 'cancelled', tasks: agreed };
}

const sharedBy = ({ suiteId, model, repetitions, options }: Base) => ({
  suiteId,
  models: [model],
  repetitions,
  servers: options.server ?? null,
});

const sourcesOf = ({ inline }: Base) => (inline.suite || inline.tools ? { inline } : {});
