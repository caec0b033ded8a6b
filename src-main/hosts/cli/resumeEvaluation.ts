import { counted } from '../../../src-shared/display/numbers.ts';
import type { CommandContext } from './commandContext.ts';
import { UsageError } from './exitCodes.ts';
import type { EvalOptions } from './input/evalOptions.ts';
import { gatesOf, readJudgedBy } from './input/gateOptions.ts';
import { plannedReports } from './output/reportFiles.ts';
import { noteToolChanges } from './output/toolChanges.ts';
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
    if (options.only === 'tasks') {
      await resumeTasks(client, named, { reports, stamp: options.stamp, judgedBy }, context);
      return;
    }
    const { id, counts, settings } = await client.evaluations.get({
      id: named === 'latest' ? await latestId(client) : named,
    });
    const left = counts.failed + counts.open;
    if (left === 0) output.note('Nothing is left to run: every run has a score.');
    else {
      output.note(`Running ${counted(left, 'run')} without a score.`);
      await client.evaluations.resume({ id });
      await watchUntilEnded(client, { id, runs: counts.total }, output, options.verbose);
      await noteToolChanges(client, { unit: 'case', id }, output);
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

/** The last evaluation that a person started for its own sake. */
async function latestId(client: Client): Promise<string> {
  const latest = (await client.evaluations.list({ limitOf: 'originals', limit: 1 })).find(
    ({ origin }) => origin === null,
  );
  if (latest === undefined)
    throw new UsageError('--resume latest: There is no evaluation in this workspace.');
  return latest.id;
}
