import type { EvaluationPlan } from '../../../../src-shared/domain/evaluationPlan.ts';
import type { TaskPlan } from '../../../../src-shared/domain/taskEvaluation.ts';
import { UsageError } from '../exitCodes.ts';
import type { EvaluationSource } from '../input/evaluationSource.ts';

const maxShownLines = 3;

/** Keeps the first few of many similar lines, unless all are asked for. */
export function firstLines(lines: readonly string[], verbose: boolean): string[] {
  if (verbose || lines.length <= maxShownLines + 1) return [...lines];
  return [
    ...lines.slice(0, maxShownLines),
    `… and ${lines.length - maxShownLines} more like these; --verbose shows them.`,
  ];
}

/**
 * Throws the problems that keep an evaluation from starting, without the warnings, most of which
 * follow from them. Registering a server doesn't help where a tools file replaces them.
 */
export function rejectPlanErrors(
  plan: EvaluationPlan,
  { suite, tools }: Pick<EvaluationSource, 'suite' | 'tools'>,
  verbose: boolean,
): void {
  const errors = plan.problems
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => `${suite}: ${message}`);
  if (errors.length === 0) return;
  throw new UsageError(
    [
      ...firstLines(errors, verbose),
      ...(tools === undefined
        ? ['`touchstone servers add` registers a server, --server chooses which are offered.']
        : []),
    ].join('\n'),
  );
}

/** A plan that also has the warnings of its command, which concern all cases, first. */
export const withWarnings = (
  plan: EvaluationPlan,
  messages: readonly string[],
): EvaluationPlan => ({
  ...plan,
  problems: [
    ...messages.map((message) => ({ severity: 'warning' as const, caseKey: null, message })),
    ...plan.problems,
  ],
});

/** The same of a plan of tasks. */
export const withTaskWarnings = (plan: TaskPlan, messages: readonly string[]): TaskPlan => ({
  ...plan,
  problems: [
    ...messages.map((message) => ({ severity: 'warning' as const, taskKey: null, message })),
    ...plan.problems,
  ],
});
