import type { Command } from 'commander';
import { formatPercent } from '../../../../src-shared/display/numbers.ts';
import { failedOf, scoredOf } from '../../../../src-shared/display/verdictTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { wholeNumber } from '../input/optionValues.ts';
import { table } from '../output/output.ts';
import { openSession } from '../session.ts';

const limitRange = { minValue: 1, maxValue: 500 };

export function addEvaluations(evaluations: Command, io: CommandIo): void {
  evaluations.addHelpText('after', '\nExample:\n  touchstone evaluations list --limit 5');
  evaluations
    .command('list')
    .description('evaluations, the latest first: number, suite, models, state and pass rate')
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
          const all = await session.client.evaluations.list({
            limit: limitRange.maxValue,
            limitOf: options.derived === true ? 'all' : 'originals',
          });
          if (
            options.suite !== undefined &&
            !all.some(({ suiteName }) => suiteName === options.suite)
          )
            throw new UsageError(`--suite ${options.suite}: It has no evaluation.`);
          const shown = all
            .filter(({ origin }) => options.derived === true || origin === null)
            .filter(({ suiteName }) => options.suite === undefined || suiteName === options.suite)
            .slice(0, limit);
          context.output.answer({ evaluations: shown.map(shapeOf) }, () => textOf(shown));
        } finally {
          await session.close();
        }
      },
    );
}

const shapeOf = (one: Evaluation) => ({
  id: one.id,
  number: one.number,
  suite: one.suiteName,
  models: one.models.map(modelLabel),
  status: one.state,
  reason: one.reason,
  outcomes: one.outcomes,
  unscored: one.counts.failed + one.counts.open,
  total: one.counts.total,
  created_at: one.createdAt,
});

function textOf(evaluations: readonly Evaluation[]): string {
  if (evaluations.length === 0) return 'There are no evaluations. `touchstone eval` runs one.';
  return table(
    evaluations.map((one) => {
      const { counts, outcomes } = one;
      const scored = scoredOf(outcomes);
      const left = counts.failed + counts.open;
      return [
        `#${one.number}`,
        one.suiteName,
        one.models.map(modelLabel).join(', '),
        one.state,
        `${scored - failedOf(outcomes)} of ${scored} passed`,
        formatPercent(scored === 0 ? null : outcomes.passed / scored),
        left > 0 ? `${left} without a score` : '',
        one.createdAt.slice(0, 16).replace('T', ' '),
      ];
    }),
  );
}
