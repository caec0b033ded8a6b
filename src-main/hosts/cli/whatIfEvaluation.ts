import { describeAnswer, tooFewToCompare } from '../../../src-shared/display/comparisonAnswer.ts';
import { executedText } from '../../../src-shared/display/executionTexts.ts';
import { describeChange } from '../../../src-shared/display/whatIfTexts.ts';
import { executionModes } from '../../../src-shared/domain/task.ts';
import {
  taskWhatIfChange,
  type TaskWhatIfRequest,
} from '../../../src-shared/domain/taskEvaluation.ts';
import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { WhatIfChange } from '../../../src-shared/domain/whatIf.ts';
import type { CommandContext } from './commandContext.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import { agreedTo, allowPrograms } from './input/allowedPrograms.ts';
import { findEvaluation } from './input/findEvaluation.ts';
import { oneOf } from './input/optionValues.ts';
import { splitPlace } from './input/reportInput.ts';
import type { Output } from './output/output.ts';
import { table } from './output/output.ts';
import { rejectPlanErrors } from './output/planProblems.ts';
import { flipsOf } from './output/resultShapes.ts';
import type { Client } from './session.ts';
import { watchUntilEnded } from './watch.ts';

export interface WhatIfOptions {
  execute?: string;
  yes?: boolean;
  allowPrograms?: boolean;
}

interface Repeated {
  id: string;
  modelSettingsId: string;
  changes: WhatIfChange[];
}

/** Repeats the cases or tasks of an evaluation with changed tools, and compares them one by one. */
export async function whatIfEvaluation(
  client: Client,
  text: string,
  changesOf: (snapshot: ToolSnapshot | null) => WhatIfChange[],
  options: WhatIfOptions,
  { io, output }: CommandContext,
): Promise<void> {
  const { name, place } = splitPlace(text);
  const { unit, id } = await findEvaluation(client, name, { output });
  if (unit === 'case' && (options.execute !== undefined || options.yes === true))
    throw new UsageError(`--execute and --yes apply to tasks, and ${name} is of cases.`);
  const { models } = await client.evaluations.get({ unit, id });
  const model = place === null && models.length > 1 ? undefined : models[(place ?? 1) - 1];
  if (model === undefined)
    throw new UsageError(
      place === null
        ? `${name}: It has ${models.length} models, and their runs can't be mixed in a comparison. ` +
            `Choose one by ${name}/1 to ${name}/${models.length}.`
        : `${text}: It has ${models.length} models. Count from 1.`,
    );
  const changes = changesOf(await client.evaluations.snapshot({ unit, id }));
  const baseline = { id, modelSettingsId: model.id };
  const started = await (unit === 'task'
    ? repeatTasks(client, { ...baseline, changes }, options, output)
    : repeatCases(client, { ...baseline, changes }, output));
  await watchUntilEnded(client, { unit, ...started }, output);
  const ended = await client.evaluations.get({ unit, id: started.id });
  const comparison = await client.results.compare({
    baseline,
    candidates: [{ id: ended.id, modelSettingsId: null }],
  });
  const [found] = comparison.candidates;
  if (!found) throw new Error('A comparison without a candidate.');
  const flipped = flipsOf(found);
  const { settings, outcomes } = ended;
  const applied = settings.whatIf?.changes ?? [];
  const rows =
    unit === 'task'
      ? flipped.map((one) => [one.case_id, one.before, one.after])
      : flipped.map(({ selected_before: before, selected_after: after, ...one }) => [
          ...[one.case_id, one.before, one.after, before.join(', '), after.join(', ')],
        ]);
  const head = unit === 'task' ? [] : ['selected before', 'selected after'];
  output.answer(
    {
      evaluation_id: ended.id,
      number: ended.number,
      base_id: id,
      status: ended.state,
      ...('mode' in settings && { mode: settings.mode }),
      changes: applied,
      flipped,
      [`shared_${unit}s`]: found.sharedCases,
      difference: found.difference,
      p_value: found.pValue,
      answer: found.answer,
      ...(unit === 'case' && found.needed ? { needed_cases: found.needed.cases } : {}),
    },
    () =>
      [
        `#${ended.number}: #${comparison.baseline.number} ${applied.map(describeChange).join(', ')}`,
        describeAnswer(found),
        flipped.length === 0
          ? `No ${unit} flips.`
          : `\n${table([[unit, 'before', 'after', ...head], ...rows])}`,
      ].join('\n'),
  );
  if (outcomes.not_scored + outcomes.not_run > 0) io.setExitCode(exitCodes.incomplete);
}

async function repeatCases(client: Client, asked: Repeated, output: Output) {
  const { cases } = await client.evaluations.summary({ id: asked.id });
  const tooFew = tooFewToCompare('case', cases);
  if (tooFew !== null) output.note(`warning: ${tooFew}`);
  const { id, counts } = await client.evaluations.whatIf(asked);
  return { id, runs: counts.total };
}

async function repeatTasks(
  client: Client,
  { changes, ...asked }: Repeated,
  { execute = 'stub', yes = false, allowPrograms: isAllowed }: WhatIfOptions,
  output: Output,
) {
  const request: TaskWhatIfRequest = {
    ...asked,
    changes: taskChanges(changes),
    mode: oneOf(execute, '--execute', executionModes),
    agreedServers: [],
  };
  const plan = await client.evaluations.planWhatIf(request);
  rejectPlanErrors('task', plan, { suite: 'what-if' }, false);
  for (const { message } of plan.problems) output.note(`warning: ${message}`);
  if (plan.mode === 'full' && !yes)
    throw new UsageError(
      `--execute full: ${executedText(plan)} Give --yes to agree, or another execution mode.`,
    );
  allowPrograms(plan, isAllowed, output);
  if (plan.mode !== 'stub') output.note(executedText(plan));
  const { id } = await client.evaluations.whatIf({
    unit: 'task',
    ...request,
    ...agreedTo(plan),
  });
  return { id, runs: plan.runs };
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
