import { define } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { evalFlags, type EvalOptions } from '../input/evalOptions.ts';
import { readJudgedBy } from '../input/gateOptions.ts';
import { resumeEvaluation } from '../resumeEvaluation.ts';
import { runEvaluation } from '../runEvaluation.ts';

export const evaluate = define({
  flags: [
    {
      '--resume <evaluation>':
        'continue this evaluation (a number, an ID, or latest) with its own settings; with --only cases or tasks, the latest of those',
    },
    ...evalFlags,
  ],
  example:
    'eval --suite todo-sample --provider builtin --min ' +
    'pass_rate.low=0.5 --json\n  touchstone eval --resume latest',
  async run({ options: { resume, ...options }, ...context }) {
    if (resume !== undefined) {
      await resumeEvaluation(resume, options, context);
      return;
    }
    const { suite, provider, replay } = options;
    if (suite === undefined || (provider ?? replay ?? options.agent) === undefined)
      throw new UsageError(
        `eval: Give ${suite === undefined ? '--suite' : '--provider'}, or --resume EVALUATION.`,
      );
    const given: EvalOptions = { ...options, suite };
    await runEvaluation({ options: given, judgedBy: readJudgedBy(given) }, context);
  },
});
