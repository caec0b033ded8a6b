import { isJsonObject, type JsonValue } from '../../../../../src-shared/domain/json.ts';
import type { ParameterVerdict } from '../../../../../src-shared/domain/score.ts';
import { type AlignedLine, alignTrees } from '../../../../ui/trees/alignTrees.ts';
import { differenceKind } from '../../../../../src-shared/display/callDifferences.ts';
import { isMatcher } from '../../../../../src-shared/display/matcherWords.ts';
import { expectedArguments, type CallPair } from '../../../../../src-shared/display/callPairs.ts';

/**
 * How the two sides of a row compare. `invented`: the schema has no such argument. `not_scored`:
 * the scorer leaves it out, or nothing decides whether a value meets its matcher.
 */
export type RowKind = 'same' | 'value' | 'missing' | 'added' | 'invented' | 'not_scored';

/** One row of the table: an argument, or a value inside of it. */
export interface ArgumentRow {
  key: string;
  name: string;
  /** 0 for an argument; its nested values follow it with their depth. */
  depth: number;
  kind: RowKind;
  /** Values as JSON. Null for a side without a value, and for a value whose parts follow. */
  expected: string | null;
  actual: string | null;
  /** True if the parts of the value follow. */
  nested: boolean;
  /** Why the scorer decided so; empty for nested values. */
  reason: string;
  /** True if only the first parts follow because there are too many. */
  cut: boolean;
}

const kinds: Record<ParameterVerdict['verdict'], RowKind> = {
  matched: 'same',
  wrong_value: 'value',
  missing: 'missing',
  unexpected: 'added',
  hallucinated: 'invented',
  ignored: 'not_scored',
  not_scored: 'not_scored',
  unreadable: 'not_scored',
};

export function isDifference(kind: RowKind): boolean {
  return kind !== 'same' && kind !== 'not_scored';
}

/** The names of arguments that the scorer found different, each once. */
export function differentArguments(verdicts: readonly ParameterVerdict[]): string[] {
  const different = verdicts.filter((row) => differenceKind(row) !== null);
  return [...new Set(different.map(({ name }) => name))];
}

interface Sides {
  name: string;
  kind: RowKind;
  expected: JsonValue | undefined;
  actual: JsonValue | undefined;
  reason: string;
}

type Pair = Pick<CallPair, 'kind' | 'expected' | 'actual' | 'verdicts'>;

/**
 * The arguments of both calls: those that differ first, each part in the order of the scorer and
 * then of the calls. If the tools differ, there are no verdicts and values are compared as they
 * are.
 */
export function argumentRows(pair: Pair): ArgumentRow[] {
  const scored = pair.verdicts.map(({ name, expected, actual, verdict, reason }): Sides => ({
    name,
    kind: kinds[verdict],
    expected,
    actual,
    reason,
  }));
  const expected = expectedArguments(pair) ?? {};
  const actual = pair.actual?.arguments ?? {};
  const known = new Set(scored.map(({ name }) => name));
  const others = [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    .filter((name) => !known.has(name))
    .map((name): Sides => {
      const kind = kindWithoutVerdict(pair, expected[name], actual[name]);
      return { name, kind, expected: expected[name], actual: actual[name], reason: '' };
    });
  const all = [...scored, ...others];
  return [
    ...all.filter(({ kind }) => isDifference(kind)),
    ...all.filter(({ kind }) => !isDifference(kind)),
  ].flatMap(rowsOf);
}

function kindWithoutVerdict(
  { kind }: Pair,
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
): RowKind {
  // What another tool was given besides is neither right nor wrong.
  if (kind !== 'confused' || expected === undefined) return 'not_scored';
  if (isMatcher(expected))
    return actual === undefined && !meetsAbsence(expected) ? 'missing' : 'not_scored';
  if (actual === undefined) return 'missing';
  return JSON.stringify(expected) === JSON.stringify(actual) ? 'same' : 'value';
}

/** True for matchers that an absent argument can meet. */
function meetsAbsence(matcher: JsonValue): boolean {
  const keys = isJsonObject(matcher) ? Object.keys(matcher) : [];
  return ['$absent', '$optional', '$ignore', '$any'].some((key) => keys.includes(key));
}

/** An argument, and the values inside of it if it is an object or a list. */
function rowsOf({ name, kind, expected, actual, reason }: Sides, at: number): ArgumentRow[] {
  const { lines, cut } = alignTrees(expected, actual, { isLeaf: isMatcher });
  return lines.map((line, index) => {
    const first = index === 0;
    return {
      key: `${at} ${name} ${line.path}`,
      name: first ? name : line.name,
      depth: line.depth,
      kind: first ? kind : nestedKind(line, kind),
      expected: line.expected,
      actual: line.actual,
      nested: line.side !== 'neither' && line.expected === null && line.actual === null,
      reason: first ? reason : '',
      cut: first && cut,
    };
  });
}

/** Inside an argument with another value, the parts that differ; elsewhere, nothing is marked. */
function nestedKind({ side, differs, expected }: AlignedLine, around: RowKind): RowKind {
  if (around !== 'value') return 'not_scored';
  if (side === 'expected') return 'missing';
  if (side === 'actual') return 'added';
  if (!differs) return 'same';
  return expected?.startsWith('{"$') === true ? 'not_scored' : 'value';
}
