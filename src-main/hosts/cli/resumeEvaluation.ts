import { counted } from '../../../src-shared/display/numbers.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { unscoredTasks } from '../../services/tasks/unscoredTasks.ts';
import { answerEvaluation } from './answerEvaluation.ts';
import type { CommandContext } from './commandContext.ts';
import { UsageError } from './exitCodes.ts';
import type { EvalOptions } from './input/evalOptions.ts';
import { findEvaluation } from './input/findEvaluation.ts';
import { gatesOf, readJudgedBy } from './input/gateOptions.ts';
import { heldAgainstNothing } from './input/reportInput.ts';
import { plannedReports } from './output/reportFiles.ts';
import { noteToolChanges } from './output/toolChanges.ts';
import { openSession, type Client } from './session.ts';
import { watchUntilEnded } from './watch.ts';

/** What a resume can be given: all other options are settings of the evaluation. */
const ownOptions = [
  'only',
  'verbose',
  'report',
  'short',
  'stamp',
  'min',
  'max',
  'allowFailed',
  'pooled',
] as const satisfies readonly (keyof EvalOptions)[];

/**
 * Runs what has no score in an earlier evaluation, with the settings and the mode that it was started
 * with, and answers as `eval` does. Its own gates are judged unless others are given.
 */
export async function resumeEvaluation(
  named: string,
  options: Partial<EvalOptions>,
  context: CommandContext,
): Promise<void> {
  const [changed] = Object.entries<unknown>(options).flatMap(([name, value]) =>
    value === undefined || ownOptions.some((own) => own === name) ? [] : name,
  );
  if (changed !== undefined) {
    const flag = changed.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(
      `--resume: An evaluation continues with its own settings. Leave out --${flag}.`,
    );
  }
  const judgedBy = readJudgedBy(options);
  const reports = await plannedReports(options, context.io);
  const { output } = context;
  const session = await openSession(context, 'write');
  try {
    const { client } = session;
    const { unit, id } =
      named === 'latest'
        ? await findLatest(client, options.only)
        : await findEvaluation(
            client,
            // A number of before, when tasks were numbered apart and `--only tasks` said of which.
            options.only === 'tasks' && /^#?\d+$/.test(named) ? `tasks:${named}` : named,
            context,
          );
    const { settings } = await client.evaluations.get({ unit, id });
    if (settings.repetitionsUpTo !== undefined)
      output.note(
        'A resume asks nothing again and compares with no baseline. Run the check again for that.',
      );
    const { runs, left } = await countRuns(client, unit, id);
    if (left === 0) output.note('Nothing is left to run: every run has a score.');
    else {
      output.note(`Running ${counted(left, 'run')} without a score.`);
      await client.evaluations.resume({ unit, id });
      await watchUntilEnded(client, { unit, id, runs }, output, options.verbose);
      await noteToolChanges(client, { unit, id }, output);
    }
    await answerEvaluation(
      client,
      {
        ...{ unit, id, reports, stamp: options.stamp, isKept: true },
        ...heldAgainstNothing,
        judgedBy: gatesOf(judgedBy, settings),
      },
      context,
    );
  } finally {
    await session.close();
  }
}

/** The last evaluation that a person started for its own sake, of cases or tasks if one is named. */
async function findLatest(
  client: Client,
  only: string | undefined,
): Promise<{ unit: EvaluationUnit; id: string }> {
  const unit = only === undefined ? null : only === 'tasks' ? 'task' : 'case';
  const { groups } = await client.results.list({ unit, limit: 20 });
  const latest = groups.find(({ lead }) => lead.evaluation.origin === null)?.lead;
  if (latest === undefined)
    throw new UsageError(
      `--resume latest: There is no evaluation${only === undefined ? '' : ` of ${only}`} in this workspace.`,
    );
  return { unit: latest.unit, id: latest.evaluation.id };
}

/** All runs, and how many of this part have no score. */
async function countRuns(
  client: Client,
  unit: EvaluationUnit,
  id: string,
): Promise<{ runs: number; left: number }> {
  if (unit === 'case') {
    const { counts } = await client.evaluations.get({ id });
    return { runs: counts.total, left: counts.failed + counts.open };
  }
  const report = await client.evaluations.report({ id });
  const left = unscoredTasks(report).reduce((sum, { runs }) => sum + runs, 0);
  return { runs: report.runs.length, left };
}
