import { z } from 'zod';
import type { ListedResult } from '../../../../src-shared/contract/results.ts';
import { passedByModel } from '../../../../src-shared/display/evaluationTexts.ts';
import { passedText, rateOfModels } from '../../../../src-shared/display/modelRateTexts.ts';
import { NOT_DEFINED } from '../../../../src-shared/display/numbers.ts';
import {
  succeededByModel,
  taskRateText,
  taskResultText,
} from '../../../../src-shared/display/taskTexts.ts';
import { compareText } from '../../../../src-shared/domain/compareText.ts';
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
const naming =
  'Name an evaluation by its number or ID. tasks:3 is the one of tasks that had this number\nwhile tasks ' +
  'were numbered apart.';

export const evaluations = group({ example: 'evaluations list --limit 5' }, [
  member('show <evaluation>', 'the result of an evaluation, as `eval` printed it', {
    notes: naming,
    example: 'evaluations show 14 --json',
    opens: 'read',
    async run({ client, output }, name: string) {
      const { unit, id } = await findEvaluation(client, name, { output });
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
      example: 'evaluations remove 14',
      opens: 'write',
      async run({ client, output }, name: string) {
        const { unit, id } = await findEvaluation(client, name, { output });
        const { what } = await client.evaluations.remove({ unit, id });
        output.answer({ removed: id, kind: `${unit}s` }, () => `Removed ${what}.`);
      },
    },
  ),
  member(
    'list',
    'evaluations of cases and tasks, the latest first: number, kind, suite, models, state, result',
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
        const { groups } = await client.results.list({ suite: suite ?? null, limit: maxLimit });
        const all = groups
          .flatMap((one) => (derived ? [one.lead, ...one.derived] : [one.lead]))
          .filter(({ evaluation: { origin } }) => derived || origin === null)
          .map(listed)
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
function listed({ unit, evaluation }: ListedResult): {
  shape: Record<string, unknown> & { created_at: string };
  row: string[];
} {
  const { id, number, suiteName, state, reason, outcomes, createdAt } = evaluation;
  const kind = `${unit}s`;
  const unscored = outcomes.not_scored + outcomes.not_run;
  const total = Object.values<number>(outcomes).reduce((sum, count) => sum + count, 0);
  const models = evaluation.models.map(modelLabel);
  const scored = unit === 'task' ? succeededByModel(evaluation) : passedByModel(evaluation);
  const [result, rate] =
    unit === 'task'
      ? [taskResultText(evaluation), taskRateText(evaluation)]
      : [`${passedText(scored)} passed`, rateOfModels(scored) || NOT_DEFINED];
  return {
    shape: {
      ...{ id, number, kind, suite: suiteName, models, status: state, reason },
      ...(unit === 'task' && { mode: evaluation.settings.mode }),
      ...{ outcomes, unscored, total },
      ...(evaluation.byModel && {
        by_model: evaluation.byModel.map((counts, at) => ({ model: models[at], outcomes: counts })),
      }),
      created_at: createdAt,
    },
    row: [
      `#${number}`,
      kind,
      suiteName,
      models.join(', '),
      state,
      result,
      rate,
      unscored > 0 ? `${unscored} without a score` : '',
      createdAt.slice(0, 16).replace('T', ' '),
    ],
  };
}
