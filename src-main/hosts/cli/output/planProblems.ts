import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
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
 * follow from them. Registering a server helps only cases, and not where a tools file replaces servers.
 */
export function rejectPlanErrors(
  unit: EvaluationUnit,
  plan: { problems: readonly { severity: string; message: string }[] },
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
      ...(unit === 'case' && tools === undefined
        ? ['`touchstone servers add` registers a server, --server chooses which are offered.']
        : []),
    ].join('\n'),
  );
}
