import type { Command } from 'commander';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { addEvalOptions, type EvalOptions } from '../input/evalOptions.ts';
import { readJudgedBy } from '../input/gateOptions.ts';
import { runEvaluation } from '../runEvaluation.ts';

export function addEval(evaluate: Command, io: CommandIo): void {
  addEvalOptions(evaluate, { required: true })
    .addHelpText(
      'after',
      '\nExample:\n  touchstone eval --suite todo-sample --provider builtin --min ' +
        'pass_rate.low=0.5 --json',
    )
    .action(async (options: EvalOptions, command: Command) => {
      await runEvaluation(
        { options, judgedBy: readJudgedBy(options), baseline: null },
        contextOf(command, io),
      );
    });
}
