import type { Command } from 'commander';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { metricsShape } from '../output/resultShapes.ts';
import { openSession } from '../session.ts';
import { metricsText } from '../output/shapes.ts';

interface MetricsOptions {
  evaluation?: string;
  suite?: string;
  tag?: string;
  server?: string;
  tool?: string;
  model?: string;
  from?: string;
  to?: string;
  derived?: true;
}

export function addMetrics(declared: Command, io: CommandIo): void {
  declared
    .option('--evaluation <evaluation>', 'of one evaluation, by number or id')
    .option('--suite <name>', 'of one suite')
    .option('--tag <tag>', 'of cases with this tag')
    .option('--server <name>', 'that expect or call a tool of this server')
    .option('--tool <server:tool>', 'that expect or call this tool')
    .option('--model <model>', 'of one model, as MODEL or PROVIDER/MODEL')
    .option('--from <date>', 'of evaluations started at or after this date')
    .option('--to <date>', 'of evaluations started before this date')
    .option('--derived', 'also what-if runs, reruns of cases, proofs and accuracy steps')
    .addHelpText(
      'after',
      '\nExample:\n  touchstone metrics --suite todo-sample --tag confusable --json',
    )
    .action(async ({ evaluation, ...filter }: MetricsOptions, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'read');
      try {
        const summary = await session.client.results.metrics({
          ...filter,
          ...(evaluation === undefined ? {} : { evaluationId: evaluation }),
        });
        context.output.answer(metricsShape(summary), () => metricsText(summary));
      } finally {
        await session.close();
      }
    });
}
