import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import type { ArgumentsMode } from '../../src-shared/domain/testCase.ts';
import type { ParameterVerdict } from '../../src-shared/domain/score.ts';
import { isAcceptable, mayBeLeftOut } from './bfcl.ts';
import { exceedsDepth, MAX_DEPTH } from './depth.ts';
import { describe } from './describe.ts';
import type { Judge } from './judge.ts';
import { acceptsAbsence, findDifference, isIgnored, isMatcher } from './matchers.ts';
import { defaultOf, memberSchema, type SchemaPlace } from './schemaPlace.ts';

/**
 * What is expected of the arguments of one call: parameters with matchers, accepted values, or
 * nothing (the schema alone decides).
 */
export type Wanted =
  | { by: 'parameters'; parameters: JsonObject; mode: ArgumentsMode }
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

/**
 * An omitted argument is wrong unless absence is accepted. If the tool's default equals the
 * expected value, the row says so.
 */
function reasonForMissing(
  missing: string,
  schema: SchemaPlace | null,
  equalsDefault: (value: JsonValue) => boolean,
): string {
  const byDefault = schema === null ? undefined : defaultOf(schema);
  if (byDefault === undefined || !equalsDefault(byDefault)) return `Left out; ${missing}.`;
  return `Left out; ${missing}. Its default ${describe(byDefault)} equals the expected value.`;
}

function compareParameter(
  name: string,
  expected: JsonValue,
  args: JsonObject,
  root: JsonObject,
  judge: Judge,
): Row {
  const actual = valueOf(args, name);
  const schema = memberSchema({ schema: root, root }, name);
  const row = {
    name,
    expected: shown(expected),
    ...(actual === undefined ? {} : { actual: shown(actual) }),
  };
  if (isIgnored(expected))
    return { ...row, verdict: 'ignored', reason: 'Any value, or none, is correct.' };
  const found = findDifference(expected, actual, judge, schema);
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
      schema,
      (value) => findDifference(expected, value, judge, schema) === null,
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
  root: JsonObject,
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
    const schema = memberSchema({ schema: root, root }, name);
    const reason = reasonForMissing(`expected one of ${describe(accepted)}`, schema, (value) =>
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

/** Arguments that nothing expects, where the expectation is complete. */
function extraRows(expected: object, args: JsonObject, reason: string): Row[] {
  return Object.entries(args)
    .filter(([name]) => !Object.hasOwn(expected, name))
    .map(([name, actual]) => ({ name, actual: shown(actual), verdict: 'unexpected', reason }));
}

/**
 * Compares the arguments of a call with the expectation (docs/rules.md §3, Parameter scores). E
 * holds the expected names without `$ignore`; with accepted values, and in the mode `exact`, an
 * argument that isn't listed joins E and is wrong. Rows hold E and the ignored names only. `schema`
 * is the tool's input schema.
 */
export function compareArguments(
  wanted: Wanted,
  args: JsonObject,
  schema: JsonObject,
  judge: Judge,
): Comparison {
  const rows: Row[] = [];
  let wantedNames: string[] = [];
  if (wanted.by === 'parameters') {
    for (const [name, expected] of Object.entries(wanted.parameters))
      rows.push(compareParameter(name, expected, args, schema, judge));
    wantedNames = Object.keys(wanted.parameters).filter(
      (name) => !acceptsAbsence(wanted.parameters[name] ?? null),
    );
    if (wanted.mode === 'exact')
      rows.push(
        ...extraRows(
          wanted.parameters,
          args,
          'Extra argument: with arguments mode exact, only the listed ones are correct.',
        ),
      );
  } else if (wanted.by === 'acceptable') {
    for (const [name, accepted] of Object.entries(wanted.acceptable))
      rows.push(compareAcceptable(name, accepted, args, schema));
    wantedNames = Object.keys(wanted.acceptable).filter(
      (name) => !mayBeLeftOut(wanted.acceptable[name]),
    );
    rows.push(
      ...extraRows(wanted.acceptable, args, 'Wrong: no value of this argument is accepted.'),
    );
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
