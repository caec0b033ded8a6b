import type { Command } from 'commander';
import { formatPercent } from '../../../../src-shared/display/numbers.ts';
import { failedOf, scoredOf } from '../../../../src-shared/display/verdictTexts.ts';
import { taskRateText, taskResultText } from '../../../../src-shared/display/taskTexts.ts';
import { compareText } from '../../../../src-shared/domain/compareText.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { tasksDocument } from '../../../services/reports/documents/tasksDocument.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { findEvaluation } from '../input/findEvaluation.ts';
import { wholeNumber } from '../input/optionValues.ts';
import { table } from '../output/output.ts';
import { readWhole } from '../output/modelShapes.ts';
import { tasksText } from '../output/tasksText.ts';
import { openSession } from '../session.ts';

const limitRange = { minValue: 1, maxValue: 500 };

export function addEvaluations(evaluations: Command, io: CommandIo): void {
  evaluations.addHelpText('after', '\nExample:\n  touchstone evaluations list --limit 5');
  addShow(evaluations, io);
  addRemove(evaluations, io);
  evaluations
    .command('list')
    .description(
      'evaluations of cases and tasks, the latest first: number, suite, models, state and result',
    )
    .option('--suite <name>', 'only those of this suite')
    .option('--limit <n>', 'how many at most (default: 20)')
    .option('--derived', 'also what-if runs, reruns and steps of searches')
    .addHelpText('after', '\nExample:\n  touchstone evaluations list --suite todo-sample --json')
    .action(
      async (options: { suite?: string; limit?: string; derived?: boolean }, command: Command) => {
        const context = contextOf(command, io);
        const limit = wholeNumber(options.limit, '--limit', limitRange) ?? 20;
        const session = await openSession(context, 'read');
        try {
          const [cases, tasks] = await Promise.all([
            session.client.evaluations.list({
              limit: limitRange.maxValue,
              limitOf: options.derived === true ? 'all' : 'originals',
            }),
            session.client.evaluations.list({ unit: 'task', limit: limitRange.maxValue }),
          ]);
          const all = [
            ...cases
              .filter(({ origin }) => options.derived === true || origin === null)
              .map(ofCases),
            ...tasks.map(ofTasks),
          ]
            .filter(({ shape }) => options.suite === undefined || shape.suite === options.suite)
            .sort((a, b) => compareText(b.shape.created_at, a.shape.created_at));
          if (options.suite !== undefined && all.length === 0)
            throw new UsageError(`--suite ${options.suite}: It has no evaluation.`);
          const shown = all.slice(0, limit);
          context.output.answer({ evaluations: shown.map(({ shape }) => shape) }, () =>
            shown.length === 0
              ? 'There are no evaluations. `touchstone eval` runs one.'
              : table(shown.map(({ row }) => row)),
          );
        } finally {
          await session.close();
        }
      },
    );
}

const naming =
  '\nName an evaluation by its number or ID. tasks:3 is the one of tasks that had this number while tasks were ' +
  'numbered apart.\n\nExample:\n  ';

function addShow(evaluations: Command, io: CommandIo): void {
  evaluations
    .command('show <evaluation>')
    .description('the result of an evaluation, as `eval` printed it')
    .addHelpText('after', `${naming}touchstone evaluations show 14 --json`)
    .action(async (name: string, _options: object, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'read');
      try {
        const { client } = session;
        const { unit, id } = await findEvaluation(client, name, context);
        if (unit === 'task') {
          const report = await client.evaluations.report({ id });
          context.output.answer(publish(tasksDocument, report), () => tasksText(report));
          return;
        }
        const { document, text } = await readWhole(client, id);
        context.output.answer(document, text);
      } finally {
        await session.close();
      }
    });
}

function addRemove(evaluations: Command, io: CommandIo): void {
  evaluations
    .command('remove <evaluation>')
    .description('removes an evaluation with its runs; one that still runs is canceled first')
    .addHelpText('after', `${naming}touchstone evaluations remove 14`)
    .action(async (name: string, _options: object, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'write');
      try {
        const { client } = session;
        const { unit, id } = await findEvaluation(client, name, context);
        const { what } = await client.evaluations.remove({ unit, id });
        context.output.answer({ removed: id, kind: `${unit}s` }, () => `Removed ${what}.`);
      } finally {
        await session.close();
      }
    });
}

/** An evaluation of either kind: for programs, and as a row of the table. */
interface Listed {
  shape: Record<string, unknown> & { suite: string; created_at: string };
  row: string[];
}

function ofCases(one: Evaluation): Listed {
  const { counts, outcomes } = one;
  const unscored = outcomes.not_scored + outcomes.not_run;
  const scored = scoredOf(outcomes);
  return listed(one, {
    kind: 'cases',
    numbers: { outcomes, unscored, total: counts.total },
    name: `#${one.number}`,
    result: `${scored - failedOf(outcomes)} of ${scored} passed`,
    rate: formatPercent(scored === 0 ? null : outcomes.passed / scored),
    unscored,
  });
}

function ofTasks(one: TaskEvaluation): Listed {
  const { outcomes, settings } = one;
  const unscored = outcomes.not_scored + outcomes.not_run;
  const total = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return listed(one, {
    kind: 'tasks',
    numbers: { mode: settings.mode, outcomes, unscored, total },
    name: `#${one.number} (tasks)`,
    result: taskResultText(one),
    rate: taskRateText(one),
    unscored,
  });
}

const listed = (
  one: Evaluation | TaskEvaluation,
  {
    kind,
    numbers,
    name,
    result,
    rate,
    unscored,
  }: {
    kind: 'cases' | 'tasks';
    numbers: Record<string, unknown>;
    name: string;
    result: string;
    rate: string;
    unscored: number;
  },
): Listed => ({
  shape: {
    id: one.id,
    number: one.number,
    kind,
    suite: one.suiteName,
    models: one.models.map(modelLabel),
    status: one.state,
    reason: one.reason,
    ...numbers,
    created_at: one.createdAt,
  },
  row: [
    name,
    one.suiteName,
    one.models.map(modelLabel).join(', '),
    one.state,
    result,
    rate,
    unscored > 0 ? `${unscored} without a score` : '',
    one.createdAt.slice(0, 16).replace('T', ' '),
  ],
});
