import { describeAnswer } from '../../../src-shared/display/comparisonAnswer.ts';
import { executedText } from '../../../src-shared/display/executionTexts.ts';
import { describeChange } from '../../../src-shared/display/whatIfTexts.ts';
import { executionModes } from '../../../src-shared/domain/task.ts';
import {
  taskWhatIfChange,
  type TaskWhatIfRequest,
} from '../../../src-shared/domain/taskEvaluation.ts';
import type { WhatIfChange } from '../../../src-shared/domain/whatIf.ts';
import { reportSide } from '../../services/checks/reportSides.ts';
import { comparePairs } from '../../services/results/compare.ts';
import type { CommandContext } from './commandContext.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import { oneOf } from './input/optionValues.ts';
import { chooseModel, readStoredReport, splitPlace } from './input/reportInput.ts';
import { table } from './output/output.ts';
import { flipsOf } from './output/resultShapes.ts';
import { watchTasks } from './runTasks.ts';
import type { Client } from './session.ts';

export interface WhatIfTasksOptions {
  execute?: string;
  yes?: boolean;
}

/** Repeats the tasks of an evaluation with changed tools, and compares success task by task. */
export async function whatIfTasks(
  client: Client,
  text: string,
  changes: readonly WhatIfChange[],
  { execute = 'stub', yes = false }: WhatIfTasksOptions,
  context: CommandContext,
): Promise<void> {
  const { io, output } = context;
  const { name, place } = splitPlace(text);
  const { id } = await client.evaluations.unitOf({ id: name });
  const base = await readStoredReport(client, id, context);
  const model = chooseModel(base, place);
  const { models } = await client.evaluations.get({ unit: 'task', id });
  const asked: TaskWhatIfRequest = {
    id,
    changes: taskChanges(changes),
    modelSettingsId: models[(place ?? 1) - 1]?.id ?? null,
    mode: oneOf(execute, '--execute', executionModes),
    agreedServers: [],
  };
  const plan = await client.evaluations.planWhatIf(asked);
  for (const { severity, message } of plan.problems)
    if (severity === 'error') throw new UsageError(`what-if: ${message}`);
    else output.note(`warning: ${message}`);
  if (plan.mode === 'full' && !yes)
    throw new UsageError(
      `--execute full: ${executedText(plan)} Give --yes to agree, or another execution mode.`,
    );
  if (plan.mode !== 'stub') output.note(executedText(plan));
  const started = await client.evaluations.whatIf({
    unit: 'task',
    ...asked,
    agreedServers: plan.mode === 'full' ? plan.servers : [],
  });
  await watchTasks(client, started.id, plan.runs, context);
  const ended = await client.evaluations.get({ unit: 'task', id: started.id });
  const after = await readStoredReport(client, started.id, context);
  const [compared] = comparePairs(
    [{ before: reportSide(base, model), after: reportSide(after, chooseModel(after, null)) }],
    'selection_and_parameters',
  );
  if (!compared) throw new Error('A comparison without a candidate.');
  const { candidate: found } = compared;
  const flipped = flipsOf(found);
  const applied = (ended.settings.whatIf?.changes ?? []).map(describeChange);
  output.answer(
    {
      evaluation_id: ended.id,
      number: ended.number,
      base_id: id,
      status: ended.state,
      mode: ended.settings.mode,
      changes: ended.settings.whatIf?.changes ?? [],
      flipped,
      shared_tasks: found.sharedCases,
      difference: found.difference,
      p_value: found.pValue,
      answer: found.answer,
    },
    () =>
      [
        `#${ended.number}: ${base.name} ${applied.join(', ')}`,
        describeAnswer(found),
        flipped.length === 0
          ? 'No task flips.'
          : `\n${table([['task', 'before', 'after'], ...flipped.map((one) => [one.case_id, one.before, one.after])])}`,
      ].join('\n'),
  );
  const { not_scored: unscored, not_run: open } = ended.outcomes;
  if (unscored + open > 0) io.setExitCode(exitCodes.incomplete);
}

/** Servers execute a tool by its name, so that tasks keep their tools and names. */
function taskChanges(changes: readonly WhatIfChange[]): TaskWhatIfRequest['changes'] {
  return changes.map((change) => {
    const known = taskWhatIfChange.safeParse(change);
    if (known.success) return known.data;
    throw new UsageError(
      'what-if: Tasks can run with other descriptions and schemas, and without tools. Their ' +
        'tools can’t be renamed or added: servers execute them by name.',
    );
  });
}
