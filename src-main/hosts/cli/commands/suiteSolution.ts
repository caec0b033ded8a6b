import { stringify } from 'yaml';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { didYouMean } from '../../../../src-shared/display/nearest.ts';
import { member } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { findEvaluation } from '../input/findEvaluation.ts';

export const suiteSolution = member(
  'solution <evaluation> <task>',
  'keeps the calls of a run that succeeded as the solution of its task, after trying them without a model',
  {
    example: 'suite solution 14 buy-milk',
    opens: 'write',
    async run({ client, output }, name: string, task: string) {
      const { unit, id } = await findEvaluation(client, name, { output });
      if (unit === 'case')
        throw new UsageError(`${name}: It is of test cases. Name an evaluation of tasks.`);
      const { runs } = await client.evaluations.report({ id });
      const own = runs.filter(({ taskKey }) => taskKey === task);
      if (own.length === 0)
        throw new UsageError(
          `${task}: The evaluation has no such task.${didYouMean(
            task,
            runs.map(({ taskKey }) => taskKey),
          )}`,
        );
      // The run with the fewest calls says best what the task needs.
      const [best] = own
        .filter(({ outcome }) => outcome === 'succeeded')
        .toSorted((a, b) => (a.facts?.calls ?? 0) - (b.facts?.calls ?? 0));
      if (best === undefined)
        throw new UsageError(`${task}: None of its ${counted(own.length, 'run')} succeeded.`);
      const kept = await client.evaluations.keepSolution({ id, runId: best.runId });
      const calls = counted(kept.solution.length, 'call');
      output.answer({ task: kept.task, kept: kept.isKept, solution: kept.solution }, () =>
        kept.isKept
          ? `Kept ${calls} as the solution of ${task}.`
          : `The suite is a file. Add to ${task}:\n\n${stringify({ solution: kept.solution })}`,
      );
    },
  },
);
