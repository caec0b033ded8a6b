import { define } from '../declare.ts';
import { metricsShape } from '../output/resultShapes.ts';
import { metricsText } from '../output/shapes.ts';

export const metrics = define({
  flags: {
    '--evaluation <evaluation>': 'of one evaluation, by number or id',
    '--suite <name>': 'of one suite',
    '--tag <tag>': 'of cases with this tag',
    '--server <name>': 'that expect or call a tool of this server',
    '--tool <server:tool>': 'that expect or call this tool',
    '--model <model>': 'of one model, as MODEL or PROVIDER/MODEL',
    '--from <date>': 'of evaluations started at or after this date',
    '--to <date>': 'of evaluations started before this date',
    '--derived': 'also what-if runs, reruns of cases, proofs and accuracy steps',
  },
  example: 'metrics --suite todo-sample --tag confusable --json',
  opens: 'read',
  async run({ client, output, options: { evaluation, ...filter } }) {
    const evaluationId = evaluation === undefined ? {} : { evaluationId: evaluation };
    const summary = await client.results.metrics({ ...filter, ...evaluationId });
    output.answer(metricsShape(summary), () => metricsText(summary));
  },
});
