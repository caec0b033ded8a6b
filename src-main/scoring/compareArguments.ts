import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import type { ParameterVerdict } from '../../src-shared/domain/score.ts';
import { isAcceptable, mayBeLeftOut } from './bfcl.ts';
import { exceedsDepth, MAX_DEPTH } from './depth.ts';
import { describe } from './describe.ts';
import type { Judge } from './judge.ts';
import { acceptsAbsence, findDifference, isIgnored, isMatcher } from './matchers.ts';
import type { SchemaNames } from './schemaProperties.ts';

/**
 * What is expected of the arguments of one call: parameters with matchers, accepted values, or
 * nothing (the schema alone decides).
 */
export type Wanted =
  | { by: 'parameters'; parameters: JsonObject }
  | { by: 'acceptable'; acceptable: Record<string, JsonValue[]> }
  | { by: 'schema' };

export type Row = Pick<ParameterVerdict, 'name' | 'expected' | 'actual' | 'verdict' | 'reason'>;

export interface Comparison {
  rows: Row[];
  /** |E| and how many of E match. */
  expected: number;
  matched: number;
  /** Names that must be present because they are expected. */
  wantedNames: string[];
}

/**
 * A value for a row. One that is nested too deep to be displayed and transferred is replaced by a
 * note.
 */
function shown(value: JsonValue): JsonValue {
  return exceedsDepth(value) ? `(nested deeper than ${MAX_DEPTH} levels)` : value;
}

function valueOf(args: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

function defaultOf(names: SchemaNames, name: string): JsonValue | undefined {
  const schema = names.properties.get(name);
  return isJsonObject(schema) && Object.hasOwn(schema, 'default') ? schema['default'] : undefined;
}

/**
 * An omitted argument is wrong unless absence is accepted. If the tool's default equals the
 * expected value, the row says so.
 */
function reasonForMissing(
  missing: string,
  name: string,
  names: SchemaNames,
  equalsDefault: (value: JsonValue) => boolean,
): string {
  const byDefault = defaultOf(names, name);
  if (byDefault === undefined || !equalsDefault(byDefault)) return `Left out; ${missing}.`;
  return `Left out; ${missing}. Its default ${describe(byDefault)} equals the expected value.`;
}

function compareParameter(
  name: string,
  expected: JsonValue,
  args: JsonObject,
  names: SchemaNames,
  judge: Judge,
): Row {
  const actual = valueOf(args, name);
  const row = {
    name,
    expected: shown(expected),
    ...(actual === undefined ? {} : { actual: shown(actual) }),
  };
  if (isIgnored(expected))
    return { ...row, verdict: 'ignored', reason: 'Any value, or none, is correct.' };
  const found = findDifference(expected, actual, judge);
  if (found === null) {
    return {
      ...row,
      verdict: 'matched',
      reason: actual === undefined ? 'Left out, as allowed.' : 'Matches the expected value.',
    };
  }
  if (actual === undefined) {
    const reason = reasonForMissing(
      `expected ${describe(expected)}`,
      name,
      names,
      (v) => findDifference(expected, v, judge) === null,
    );
    return { ...row, verdict: 'missing', reason };
  }
  const wantsNone = isMatcher(expected) && Object.hasOwn(expected, '$absent');
  return { ...row, verdict: wantsNone ? 'unexpected' : 'wrong_value', reason: `Wrong: ${found}.` };
}

function compareAcceptable(
  name: string,
  accepted: JsonValue[],
  args: JsonObject,
  names: SchemaNames,
): Row {
  const actual = valueOf(args, name);
  const row = {
    name,
    expected: shown(accepted),
    ...(actual === undefined ? {} : { actual: shown(actual) }),
  };
  if (actual === undefined) {
    if (mayBeLeftOut(accepted))
      return { ...row, verdict: 'matched', reason: 'Left out, as allowed.' };
    const reason = reasonForMissing(`expected one of ${describe(accepted)}`, name, names, (value) =>
      isAcceptable(accepted, value),
    );
    return { ...row, verdict: 'missing', reason };
  }
  return isAcceptable(accepted, actual)
    ? { ...row, verdict: 'matched', reason: 'Equals one of the accepted values.' }
    : {
        ...row,
        verdict: 'wrong_value',
        reason: `Wrong: expected one of ${describe(accepted)}, got ${describe(actual)}.`,
      };
}

/**
 * Compares the arguments of a call with the expectation (docs/rules.md §3, Parameter scores). E
 * holds the expected names without `$ignore`; with accepted values, an argument that isn't listed
 * joins E and is wrong. Rows hold E and the ignored names only.
 */
export function compareArguments(
  wanted: Wanted,
  args: JsonObject,
  names: SchemaNames,
  judge: Judge,
): Comparison {
  const rows: Row[] = [];
  let wantedNames: string[] = [];
  if (wanted.by === 'parameters') {
    for (const [name, expected] of Object.entries(wanted.parameters))
      rows.push(compareParameter(name, expected, args, names, judge));
    wantedNames = Object.keys(wanted.parameters).filter(
      (name) => !acceptsAbsence(wanted.parameters[name] ?? null),
    );
  } else if (wanted.by === 'acceptable') {
    for (const [name, accepted] of Object.entries(wanted.acceptable))
      rows.push(compareAcceptable(name, accepted, args, names));
    wantedNames = Object.keys(wanted.acceptable).filter(
      (name) => !mayBeLeftOut(wanted.acceptable[name]),
    );
    for (const [name, actual] of Object.entries(args)) {
      if (Object.hasOwn(wanted.acceptable, name)) continue;
      rows.push({
        name,
        actual: shown(actual),
        verdict: 'unexpected',
        reason: 'Wrong: no value of this argument is accepted.',
      });
    }
  }
  const counted = rows.filter((row) => row.verdict !== 'ignored');
  return {
    rows,
    expected: counted.length,
    matched: counted.filter((row) => row.verdict === 'matched').length,
    wantedNames,
  };
}

/**
 * The same for arguments that could not be read: nothing matches, and every row says why. They are at
 * least one expected value, so that every number that counts arguments counts them as wrong.
 */
export function compareUnreadable(wanted: Wanted, text: string | null): Comparison {
  const reason =
    text === null || text === ''
      ? 'Arguments unreadable: not an object.'
      : `Arguments unreadable: ${describe(text)}.`;
  const entries =
    wanted.by === 'parameters'
      ? wanted.parameters
      : wanted.by === 'acceptable'
        ? wanted.acceptable
        : {};
  const names = Object.keys(entries).filter(
    (name) => wanted.by !== 'parameters' || !isIgnored(wanted.parameters[name] ?? null),
  );
  const rows: Row[] = names.map((name) => ({
    name,
    expected: shown(entries[name] ?? null),
    verdict: 'unreadable',
    reason,
  }));
  if (rows.length === 0)
    rows.push({
      name: '(arguments)',
      ...(text === null ? {} : { actual: text }),
      verdict: 'unreadable',
      reason,
    });
  const absent = (name: string): boolean =>
    wanted.by === 'parameters'
      ? acceptsAbsence(wanted.parameters[name] ?? null)
      : mayBeLeftOut(entries[name]);
  return {
    rows,
    expected: rows.length,
    matched: 0,
    wantedNames: names.filter((name) => !absent(name)),
  };
}
