import type { Command } from 'commander';
import type { GlobalOptions } from '../output.ts';
import { createOutput } from '../output.ts';
import { openSession } from '../session.ts';
import { evaluationShape, evaluationText } from '../shapes.ts';

export function addRescore(program: Command): void {
  program
    .command('rescore <evaluation>')
    .description('scores stored answers once more and calls no model; the old scores are kept')
    .addHelpText('after', '\nExample:\n  touchstone rescore 14')
    .action(async (id: string, _options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const session = await openSession(globals, 'write');
      try {
        const { id: evaluationId } = await session.client.evaluations.get({ id });
        const summary = await session.client.evaluations.rescore({ id: evaluationId });
        const evaluation = await session.client.evaluations.get({ id: evaluationId });
        createOutput(globals).answer(evaluationShape(evaluation, summary), () => evaluationText(evaluation, summary));
      } finally {
        await session.close();
      }
    });
}
