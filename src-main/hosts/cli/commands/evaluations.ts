import { z } from 'zod';
import { formatPercent } from '../../../../src-shared/display/numbers.ts';
import { failedOf, scoredOf } from '../../../../src-shared/display/verdictTexts.ts';
import { taskRateText, taskResultText } from '../../../../src-shared/display/taskTexts.ts';
import { compareText } from '../../../../src-shared/domain/compareText.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { tasksDocument } from '../../../services/reports/documents/tasksDocument.ts';
import { group, member } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { findEvaluation } from '../input/findEvaluation.ts';
import { table } from '../output/output.ts';
import { readWhole } from '../output/modelShapes.ts';
import { tasksText } from '../output/tasksText.ts';
import { noteToolChanges } from '../output/toolChanges.ts';

const maxLimit = 500;
const naming = 'Name an evaluation by its number or ID, one of tasks as tasks:3.';

export const evaluations = group({ example: 'evaluations list --limit 5' }, [
  member('show <evaluation>', 'the result of an evaluation, as `eval` printed it', {
    notes: naming,
    example: 'evaluations show 14 --json',
    opens: 'read',
    async run({ client, output }, name: string) {
      const { unit, id } = await findEvaluation(client, name);
      await noteToolChanges(client, { unit, id }, output);
      if (unit === 'task') {
        const report = await client.evaluations.report({ id });
        output.answer(publish(tasksDocument, report), () => tasksText(report));
        return;
      }
      const { document, text } = await readWhole(client, id);
      output.answer(document, text);
    },
  }),
  member(
    'remove <evaluation>',
    'removes an evaluation with its runs; one that still runs is canceled first',
    {
      notes: naming,
      example: 'evaluations remove tasks:3',
      opens: 'write',
      async run({ client, output }, name: string) {
        const { unit, id } = await findEvaluation(client, name);
        const { what } = await client.evaluations.remove({ unit, id });
        output.answer({ removed: id, kind: `${unit}s` }, () => `Removed ${what}.`);
      },
    },
  ),
  member(
    'list',
    'evaluations of cases and tasks, the latest first: number, suite, models, state and result',
    {
      flags: {
        '--suite <name>': 'only those of this suite',
        '--limit <n>': {
          about: 'how many at most (default: 20)',
          of: z.int().min(1).max(maxLimit),
        },
        '--derived': 'also what-if runs, reruns and steps of searches',
      },
      example: 'evaluations list --suite todo-sample --json',
      opens: 'read',
      async run({ client, output, options: { suite, limit = 20, derived = false } }) {
        const [cases, tasks] = await Promise.all([
          client.evaluations.list({ limit: maxLimit, limitOf: derived ? 'all' : 'originals' }),
          client.evaluations.list({ unit: 'task', limit: maxLimit }),
        ]);
        const all = [
          ...cases.filter(({ origin }) => derived || origin === null).map(ofCases),
          ...tasks.map(ofTasks),
        ]
          .filter(({ shape }) => suite === undefined || shape.suite === suite)
          .sort((a, b) => compareText(b.shape.created_at, a.shape.created_at));
        if (suite !== undefined && all.length === 0)
          throw new UsageError(`--suite ${suite}: It has no evaluation.`);
        const shown = all.slice(0, limit);
        output.answer({ evaluations: shown.map(({ shape }) => shape) }, () =>
          shown.length === 0
            ? 'There are no evaluations. `touchstone eval` runs one.'
            : table(shown.map(({ row }) => row)),
        );
      },
    },
  ),
]);

/** An evaluation of either kind: for programs, and as a row of the table. */
interface Listed {
  shape: Record<string, unknown> & { suite: string; created_at: string };
  row: string[];
}

function ofCases(one: Evaluation): Listed {
  const { counts, outcomes } = one;
  const scored = scoredOf(outcomes);
  return listed(one, 'cases', { total: counts.total }, [
    `#${one.number}`,
    `${scored - failedOf(outcomes)} of ${scored} passed`,
    formatPercent(scored === 0 ? null : outcomes.passed / scored),
  ]);
}

function ofTasks(one: TaskEvaluation): Listed {
  const total = Object.values(one.outcomes).reduce((sum, count) => sum + count, 0);
  return listed(one, 'tasks', { mode: one.settings.mode, total }, [
    `#${one.number} (tasks)`,
    taskResultText(one),
    taskRateText(one),
  ]);
}

function listed(
  one: Evaluation | TaskEvaluation,
  kind: 'cases' | 'tasks',
  { total, ...own }: { total: number; mode?: string },
  [name, result, rate]: [name: string, result: string, rate: string],
): Listed {
  const { outcomes, createdAt } = one;
  const unscored = outcomes.not_scored + outcomes.not_run;
  const models = one.models.map(modelLabel);
  return {
    shape: {
      id: one.id,
      number: one.number,
      kind,
      suite: one.suiteName,
      models,
      status: one.state,
      reason: one.reason,
      ...own,
      outcomes,
      unscored,
      total,
      created_at: createdAt,
    },
    row: [
      name,
      one.suiteName,
      models.join(', '),
      one.state,
      result,
      rate,
      unscored > 0 ? `${unscored} without a score` : '',
      createdAt.slice(0, 16).replace('T', ' '),
    ],
  };
}
