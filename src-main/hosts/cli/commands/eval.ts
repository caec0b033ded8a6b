import type { Command } from 'commander';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { addEvalOptions, type EvalOptions } from '../input/evalOptions.ts';
import { readJudgedBy } from '../input/gateOptions.ts';
import { resumeEvaluation } from '../resumeEvaluation.ts';
import { runEvaluation } from '../runEvaluation.ts';

/** `--resume` names what the other options would. */
interface Options extends Partial<EvalOptions> {
  resume?: string;
}

export function addEval(evaluate: Command, io: CommandIo): void {
  addEvalOptions(evaluate)
    .option(
      '--resume <evaluation>',
      'continue this evaluation (a number, an ID, or latest) with its own settings; with --only tasks, a task evaluation',
    )
    .addHelpText(
      'after',
      '\nExample:\n  touchstone eval --suite todo-sample --provider builtin --min ' +
        'pass_rate.low=0.5 --json\n  touchstone eval --resume latest',
    )
    .action(async ({ resume, ...options }: Options, command: Command) => {
      const context = contextOf(command, io);
      if (resume !== undefined) {
        await resumeEvaluation(resume, options, context);
        return;
      }
      const { suite, provider } = options;
      if (suite === undefined || provider === undefined)
        throw new UsageError(
          `eval: Give ${suite === undefined ? '--suite' : '--provider'}, or --resume EVALUATION.`,
        );
      const given: EvalOptions = { ...options, suite };
      await runEvaluation(
        { options: given, judgedBy: readJudgedBy(given), baseline: null },
        context,
      );
    });
}
