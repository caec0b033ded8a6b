import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { isOfferedTools } from './fieldNames.ts';
import { isEmpty } from './values.ts';

/** A step of a path: a member, or the entries of a list, all of them or those of one kind. */
type Step = { member: string } | { kind: { member: string; value: string } | null };

type Values = ReadonlyMap<string, JsonValue>;

/** Entries of a list that are looked at. */
const sampled = 20;
/** More kinds than these are values of another sort, such as texts. */
const maxKinds = 12;
/** Members by which the entries of a list say what each of them is. */
const kindNames = /^(?:type|kind|key|check|assertion|evaluator|grader|metric|role)$/i;

/** The steps of the rest of a path after the name of a value; null if it isn’t one. */
function stepsOf(rest: string): Step[] | null {
  const steps: Step[] = [];
  const pattern = /\.([^.[\]]+)|\[(?:([^=[\]]+)=([^[\]]*))?\]/y;
  while (pattern.lastIndex < rest.length) {
    const found = pattern.exec(rest);
    if (found === null) return null;
    const [, member, name, value] = found;
    if (member !== undefined) steps.push({ member });
    else steps.push({ kind: name === undefined ? null : { member: name, value: value ?? '' } });
  }
  return steps;
}

/** The name of a value and the steps from there; null if no value of the record leads to the path. */
function split(values: Values, path: string): { value: JsonValue; steps: Step[] } | null {
  for (let at = path.length - 1; at > 0; at -= 1) {
    if (path[at] !== '.' && path[at] !== '[') continue;
    const value = values.get(path.slice(0, at));
    const steps = value === undefined ? null : stepsOf(path.slice(at));
    if (value !== undefined && steps !== null) return { value, steps };
  }
  return null;
}

/**
 * The value at a path into a record: `expected.output.tool`, `checks[].tool` of every entry, or
 * `checks[type=call].tool` of those of one kind. Several values are a list, and an empty list stays
 * one. Undefined: the record doesn’t have it, or no entry of the kind.
 */
export function valueAt(values: Values, path: string): JsonValue | undefined {
  const found = split(values, path);
  if (found === null) return undefined;
  let list: JsonValue[] = [found.value];
  let isOfEntries = false;
  let isEmptyList = false;
  for (const step of found.steps) {
    if ('member' in step)
      list = list.flatMap((each) => (isJsonObject(each) ? [each[step.member] ?? null] : []));
    else {
      isOfEntries = true;
      const { kind } = step;
      isEmptyList = kind === null && list.some((each) => Array.isArray(each) && each.length === 0);
      const entries = list.flatMap((each) => (Array.isArray(each) ? each : [each]));
      list =
        kind === null
          ? entries
          : entries.filter((each) => isJsonObject(each) && each[kind.member] === kind.value);
    }
    list = list.filter((each) => each !== null);
  }
  const [only] = list;
  if (only === undefined) return isEmptyList ? [] : undefined;
  return isOfEntries && list.length > 1 ? list.flat() : only;
}

/** How far paths are offered. */
export interface PathLimits {
  depth: number;
  paths: number;
}

/**
 * The paths into the objects and lists of records, for a person to choose from. Entries that say by a
 * word what each of them is have paths of each kind.
 */
export function pathsIn(
  records: readonly Values[],
  names: readonly string[],
  limits: PathLimits,
): string[] {
  const found = new Set<string>();
  for (const name of names)
    if (!isOfferedTools(name)) {
      const values = records.map((values) => values.get(name) ?? null);
      new PathsOf(found, limits).enter(values, name, 0);
      found.delete(name);
    }
  return [...found].slice(0, limits.paths);
}

class PathsOf {
  readonly #found: Set<string>;
  readonly #limits: PathLimits;

  constructor(found: Set<string>, limits: PathLimits) {
    this.#found = found;
    this.#limits = limits;
  }

  /** Adds a path, or those of the members of its values. */
  enter(values: readonly JsonValue[], path: string, depth: number): void {
    const given = values.filter((each) => !isEmpty(each)).slice(0, sampled);
    if (depth > this.#limits.depth || given.length === 0) return;
    const lists = given.filter((each) => Array.isArray(each));
    const entries = lists
      .flat()
      .filter(isJsonObject)
      .slice(0, sampled * maxKinds);
    if (entries.length === 0 && this.#found.size < this.#limits.paths) this.#found.add(path);
    const objects = given.filter(isJsonObject);
    for (const { member, value } of kindsOf(entries)) {
      const own = entries.filter((each) => each[member] === value);
      this.#enterMembers(own, `${path}[${member}=${value}]`, depth, member);
    }
    this.#enterMembers(entries, `${path}[]`, depth);
    this.#enterMembers(objects, path, depth);
  }

  #enterMembers(objects: readonly JsonObject[], path: string, depth: number, without = ''): void {
    for (const member of new Set(objects.flatMap((each) => Object.keys(each))))
      if (member !== without && /^[^.[\]]+$/.test(member))
        this.enter(
          objects.map((each) => each[member] ?? null),
          `${path}.${member}`,
          depth + 1,
        );
  }
}

/** What the entries of a list are, by the word that each of them has. */
function kindsOf(entries: readonly JsonObject[]): { member: string; value: string }[] {
  const member = Object.keys(entries[0] ?? {}).find(
    (name) => kindNames.test(name) && entries.every((each) => typeof each[name] === 'string'),
  );
  if (member === undefined) return [];
  const values = [...new Set(entries.map((each) => each[member]))].filter(
    (value): value is string => typeof value === 'string' && /^[^[\]]+$/.test(value),
  );
  return values.length > maxKinds ? [] : values.map((value) => ({ member, value }));
}
