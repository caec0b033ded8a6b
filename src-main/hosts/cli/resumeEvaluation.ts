import { counted } from '../../../src-shared/display/numbers.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { CommandContext } from './commandContext.ts';
import { UsageError } from './exitCodes.ts';
import type { EvalOptions } from './input/evalOptions.ts';
import { findEvaluation } from './input/findEvaluation.ts';
import { gatesOf, readJudgedBy } from './input/gateOptions.ts';
import { plannedReports } from './output/reportFiles.ts';
import { answerResult } from './runEvaluation.ts';
import { resumeTasks } from './runTasks.ts';
import { openSession, type Client } from './session.ts';
import { watchUntilEnded } from './watch.ts';

/** Options that an evaluation was started with, and that a resume can't change. */
const startOptions = [
  'suite',
  'tools',
  'server',
  'provider',
  'model',
  'repetitions',
  'replay',
  'record',
  'cache',
  'shard',
  'estimate',
  'execute',
  'yes',
] as const satisfies readonly (keyof EvalOptions)[];

/**
 * Runs what has no score in an earlier evaluation, with the settings that it was started with, and
 * answers as `eval` does. Its own gates are judged unless others are given.
 */
export async function resumeEvaluation(
  named: string,
  options: Partial<EvalOptions>,
  context: CommandContext,
): Promise<void> {
  const changed = startOptions.find((option) => options[option] !== undefined);
  if (changed !== undefined)
    throw new UsageError(
      `--resume: An evaluation continues with its own settings. Leave out --${changed}.`,
    );
  const judgedBy = readJudgedBy(options);
  const reports = await plannedReports(options, context.io);
  const { output } = context;
  const session = await openSession(context, 'write');
  try {
    const { client } = session;
    const { unit, id } =
      named === 'latest'
        ? await latest(client, options.only === 'tasks' ? 'task' : 'case')
        : await findEvaluation(
            client,
            // A number of before, when tasks were numbered apart and `--only tasks` said of which.
            options.only === 'tasks' && /^#?\d+$/.test(named) ? `tasks:${named}` : named,
            context,
          );
    if (unit === 'task') {
      await resumeTasks(client, id, { reports, stamp: options.stamp, judgedBy }, context);
      return;
    }
    const { counts, settings } = await client.evaluations.get({ id });
    const left = counts.failed + counts.open;
    if (left === 0) output.note('Nothing is left to run: every run has a score.');
    else {
      output.note(`Running ${counted(left, 'run')} without a score.`);
      await client.evaluations.resume({ id });
      await watchUntilEnded(client, id, counts.total, output, options.verbose ?? false);
    }
    await answerResult(
      client,
      {
        stamp: options.stamp,
        judgedBy: gatesOf(judgedBy, settings),
        baseline: null,
        id,
        isKept: true,
        reports,
      },
      context,
    );
  } finally {
    await session.close();
  }
}

/** The last evaluation of a unit that a person started for its own sake. */
async function latest(
  client: Client,
  unit: EvaluationUnit,
): Promise<{ unit: EvaluationUnit; id: string }> {
  const found =
    unit === 'task'
      ? (await client.evaluations.list({ unit, limit: 1 }))[0]
      : (await client.evaluations.list({ limitOf: 'originals', limit: 1 })).find(
          ({ origin }) => origin === null,
        );
  if (found === undefined)
    throw new UsageError(`--resume latest: There is no evaluation of ${unit}s in this workspace.`);
  return { unit, id: found.id };
}
