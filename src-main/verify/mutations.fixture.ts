import { leafPaths, patternOf, type Path } from './recount.ts';
import { verifyReport, type Verification } from './verifyReport.ts';

/** Other values of the same kind, and for null one of each. */
function othersOf(value: unknown): unknown[] {
  if (typeof value === 'number') return Number.isInteger(value) ? [value + 1] : [value + 0.02];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') return [`${value}x`];
  if (value === null) return [1, 'x', true];
  return Array.isArray(value) ? [['x']] : [{ x: 1 }];
}

const listedIn = (verification: Verification | null): string[] =>
  (verification?.notChecked ?? []).map((text) => text.split(': ')[0] ?? '');

const isPartOf = (pattern: string, known: string): boolean =>
  pattern === known || (pattern.startsWith(known) && /^[.[]/.test(pattern.slice(known.length)));

/** True if a recount refuses the document, or says that it does not check this pattern. */
function isNoticed(document: unknown, pattern: string, isList = false): boolean {
  try {
    const verification = verifyReport(document);
    if (verification === null || verification.differences.length > 0) return true;
    return listedIn(verification).some(
      (known) => isPartOf(pattern, known) || (isList && known.startsWith(`${pattern}[*]`)),
    );
  } catch {
    return true;
  }
}

/**
 * The patterns of values that can be changed, or of lists that can lose their last member, without
 * that a recount refuses the report or names them (or something of the members) as not checked. Each
 * value is changed by itself; the document is the same afterwards.
 * @param most of each pattern, so many values are changed: the first ones
 */
export function unnoticedChanges(document: unknown, most = Number.POSITIVE_INFINITY): string[] {
  const unnoticed = new Set<string>();
  const listed = listedIn(verifyReport(document));
  const changed = new Map<string, number>();
  for (const [owner, key, path] of [...members(document)]) {
    const pattern = patternOf(path);
    const times = changed.get(pattern) ?? 0;
    const isDone = times >= most || unnoticed.has(pattern);
    if (isDone || listed.some((known) => isPartOf(pattern, known))) continue;
    changed.set(pattern, times + 1);
    const value = owner[key];
    for (const other of othersOf(value)) {
      owner[key] = other;
      if (!isNoticed(document, pattern)) unnoticed.add(pattern);
    }
    owner[key] = value;
  }
  for (const [list, path] of [...listsIn(document)]) {
    const times = changed.get(`${patternOf(path)}[]`) ?? 0;
    if (times >= most) continue;
    changed.set(`${patternOf(path)}[]`, times + 1);
    const last = list.pop();
    const pattern = patternOf(path);
    if (!isNoticed(document, pattern, true)) unnoticed.add(`${pattern} without its last`);
    list.push(last);
  }
  return [...unnoticed];
}

type Owner = Record<string | number, unknown>;

function* members(document: unknown): Generator<[Owner, string | number, Path]> {
  for (const path of leafPaths(document)) {
    const key = path.at(-1);
    if (key === undefined) continue;
    yield [
      path.slice(0, -1).reduce<unknown>((owner, each) => (owner as Owner)[each], document) as Owner,
      key,
      path,
    ];
  }
}

function* listsIn(value: unknown, path: Path = []): Generator<[unknown[], Path]> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > 0) yield [value, path];
  for (const [key, item] of Object.entries(value))
    yield* listsIn(item, [...path, Array.isArray(value) ? Number(key) : key]);
}
