import { compareText } from '../../src-shared/domain/compareText.ts';
import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import type { ActualCall } from '../../src-shared/domain/observation.ts';
import {
  compareArguments,
  compareUnreadable,
  type Comparison,
  type Row,
  type Wanted,
} from './compareArguments.ts';
import { exceedsDepth, MAX_DEPTH } from './depth.ts';
import type { Conformance, Judge } from './judge.ts';
import { schemaProperties, type SchemaNames } from './schemaProperties.ts';

/** The parameter scores of one matched call, as counts that add up over several calls. */
export interface CallScore {
  /** |present ∩ R| and |R|. */
  present: number;
  required: number;
  /** How many of E match, and |E|. */
  matched: number;
  expected: number;
  /** Null if the schema can't decide. */
  conforms: boolean | null;
  /** Why they don't conform, or why the schema can't decide. */
  conformanceReason: string | null;
  hallucinated: string[];
  missing: string[];
  /** False where the arguments could not be read: all three scores are 0. */
  readable: boolean;
  rows: Row[];
}

function isAllowedName(name: string, names: SchemaNames, judge: Judge): boolean {
  if (names.open || names.properties.has(name)) return true;
  // Only a clear "no" makes a name hallucinated: an undecided pattern accuses nobody.
  return names.patterns.some((pattern) => judge.matchesRegex(pattern, name) !== false);
}

/**
 * Rows for what the expectation doesn't mention: names that the schema lacks, names that it
 * requires, and the rest.
 */
function otherRows(
  args: JsonObject,
  rows: readonly Row[],
  names: SchemaNames,
  hallucinated: ReadonlySet<string>,
  demanded: readonly string[],
): Row[] {
  const done = new Set(rows.map((row) => row.name));
  const others: Row[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (done.has(name)) continue;
    const actual: JsonValue = exceedsDepth(value)
      ? `(nested deeper than ${MAX_DEPTH} levels)`
      : value;
    others.push(
      hallucinated.has(name)
        ? {
            name,
            actual,
            verdict: 'hallucinated',
            reason: "The tool's schema has no such parameter.",
          }
        : {
            name,
            actual,
            verdict: 'not_scored',
            reason: "The case doesn't mention this argument; only the schema is checked.",
          },
    );
  }
  for (const name of names.required) {
    if (!done.has(name) && !Object.hasOwn(args, name))
      others.push({ name, verdict: 'missing', reason: 'Left out; the schema requires it.' });
  }
  for (const name of demanded) {
    if (!done.has(name) && !names.required.has(name))
      others.push({
        name,
        verdict: 'missing',
        reason: 'Left out; the schema requires it with these arguments.',
      });
  }
  return others;
}

/**
 * Ordered by the position of the name in the schema, then by name, so that the order in which
 * arguments were sent never matters.
 */
function inSchemaOrder<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  names: SchemaNames,
): T[] {
  const places = new Map([...names.properties.keys()].map((name, place) => [name, place]));
  const place = (item: T): number => places.get(nameOf(item)) ?? Infinity;
  return [...items].sort((a, b) => {
    const [x, y] = [place(a), place(b)];
    if (x !== y) return x < y ? -1 : 1;
    return compareText(nameOf(a), nameOf(b));
  });
}

function withSchemaRemark(
  row: Row,
  hallucinated: ReadonlySet<string>,
  conformance: Conformance,
): Row {
  let reason = row.reason;
  if (hallucinated.has(row.name) && row.verdict !== 'hallucinated')
    reason += " The tool's schema has no such parameter.";
  if (conformance.outcome === 'violates' && conformance.name === row.name)
    reason += ` Against the schema: ${conformance.reason}.`;
  return { ...row, reason };
}

/** Compares without validating, which is all that choosing between several pairings needs. */
export function compareCall(
  wanted: Wanted,
  call: ActualCall,
  schema: JsonObject,
  judge: Judge,
): Comparison {
  if (call.arguments === null) return compareUnreadable(wanted, call.argumentsText);
  return compareArguments(wanted, call.arguments, schema, judge);
}

/**
 * Scores the arguments of one matched call (docs/rules.md §3, Parameter scores). With E = expected
 * parameters without `$ignore`, A = arguments sent, S = published input schema, R = names expected
 * to be present ∪ names that S requires: completeness = |present ∩ R| / |R| and correctness =
 * matched / |E| are returned as their parts. Conformance is A against S, without names that S
 * doesn't know, because they have their own score. Names that S requires of these arguments only
 * (`then`, `dependentRequired`, a branch) are listed as missing and are not in R. Present means own key, including null.
 */
export function matchParameters(
  wanted: Wanted,
  call: ActualCall,
  schema: JsonObject,
  judge: Judge,
  comparison: Comparison,
): CallScore {
  const names = schemaProperties(schema);
  const required = new Set([...comparison.wantedNames, ...names.required]);
  const args = call.arguments;
  if (args === null) {
    return {
      present: 0,
      required: required.size,
      matched: 0,
      expected: comparison.expected,
      conforms: false,
      conformanceReason: 'The arguments could not be read',
      hallucinated: [],
      missing: inSchemaOrder([...required], (name) => name, names),
      readable: false,
      rows: inSchemaOrder(comparison.rows, (row) => row.name, names),
    };
  }
  const hallucinated = new Set(
    Object.keys(args).filter((name) => !isAllowedName(name, names, judge)),
  );
  const known =
    hallucinated.size === 0
      ? args
      : Object.fromEntries(Object.entries(args).filter(([name]) => !hallucinated.has(name)));
  const conformance = judge.validate(schema, known);
  const absent = [...required].filter((name) => !Object.hasOwn(args, name));
  const demanded = conformance.outcome === 'violates' ? (conformance.demanded ?? []) : [];
  const others = otherRows(args, comparison.rows, names, hallucinated, demanded);
  const rows = [...comparison.rows, ...others].map((row) =>
    withSchemaRemark(row, hallucinated, conformance),
  );
  return {
    present: required.size - absent.length,
    required: required.size,
    matched: comparison.matched,
    expected: comparison.expected,
    conforms: conformance.outcome === 'undecided' ? null : conformance.outcome === 'conforms',
    conformanceReason: conformance.outcome === 'conforms' ? null : conformance.reason,
    hallucinated: [...hallucinated].sort(),
    missing: inSchemaOrder([...new Set([...absent, ...demanded])], (name) => name, names),
    readable: true,
    rows: inSchemaOrder(rows, (row) => row.name, names),
  };
}
