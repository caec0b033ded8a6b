import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { isJsonObject } from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../../services/files/sourceText.ts';
import { listAt } from '../../../services/suites/listAt.ts';
import { UsageError } from '../exitCodes.ts';
import type { EvaluationSource } from '../input/evaluationSource.ts';

const maxShownLines = 3;

/** A problem of a plan; of a task in a suite file, its place is known. */
interface PlanProblem {
  severity: string;
  message: string;
  caseKey?: string | null;
  taskKey?: string | null;
  path?: (string | number)[] | undefined;
}

type PlaceOf = (problem: PlanProblem) => string | null;

/**
 * Finds the places of tasks in the text of a suite file, as `suite.yaml:12:5`; null where there is
 * none. The text is parsed for the first problem that has one.
 */
export function placesIn(file: string, text: string | null): PlaceOf {
  let source: ReturnType<typeof readSourceText> | null = null;
  return ({ taskKey = null, path = [] }) => {
    if (text === null || taskKey === null) return null;
    source ??= readSourceText(text);
    if (!source.readable) return null;
    const at = listAt(source.value, 'cases').findIndex(
      (entry) => isJsonObject(entry) && entry['id'] === taskKey,
    );
    if (at < 0) return null;
    const { line, column } = source.problemAt(['cases', at, ...path], '');
    return line === null ? null : `${file}:${line}:${column ?? 1}`;
  };
}

/** The warnings of a plan, each with its place where a suite file has it. */
export const warningsOf = (
  { problems }: { problems: readonly PlanProblem[] },
  placeOf: PlaceOf,
): string[] =>
  problems.map((problem) => {
    const place = placeOf(problem);
    return `${place === null ? '' : `${place}: `}warning: ${problem.message}`;
  });

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
 * follow from them. Registering a server helps only cases that lack one, and not where a tools file
 * replaces servers.
 */
export function rejectPlanErrors(
  unit: EvaluationUnit,
  plan: { problems: readonly PlanProblem[] },
  { suite, tools }: Pick<EvaluationSource, 'suite' | 'tools'>,
  verbose: boolean,
  placeOf: PlaceOf = () => null,
): void {
  const problems = plan.problems.filter(({ severity }) => severity === 'error');
  if (problems.length === 0) return;
  const errors = problems.map((problem) => `${placeOf(problem) ?? suite}: ${problem.message}`);
  const lacksServer = problems.some(({ caseKey = null }) => caseKey !== null);
  throw new UsageError(
    [
      ...firstLines(errors, verbose),
      ...(unit === 'case' && tools === undefined && lacksServer
        ? ['`touchstone servers add` registers a server, --server chooses which are offered.']
        : []),
    ].join('\n'),
  );
}
