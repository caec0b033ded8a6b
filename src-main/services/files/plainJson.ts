import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../src-shared/domain/jsonPointer.ts';

export interface ValueProblem {
  path: JsonPath;
  message: string;
}

/**
 * Finds values that a parser accepts but that cannot be stored, sent or compared, and counts the
 * names in all objects. Recursive: the depth must already be limited.
 */
export function inspectValue(value: JsonValue): { problems: ValueProblem[]; names: number } {
  const problems: ValueProblem[] = [];
  const path: (string | number)[] = [];
  let names = 0;
  const report = (message: string): void => void problems.push({ path: [...path], message });

  const visit = (child: JsonValue): void => {
    if (typeof child === 'number' && !Number.isFinite(child))
      report('The number isn’t finite, or has more than 1,000 digits.');
    else if (typeof child === 'string' && !child.isWellFormed())
      report('The text contains half a character (a lone surrogate).');
    else if (Array.isArray(child)) {
      for (let index = 0; index < child.length; index += 1)
        visitMember(index, child[index] ?? null);
    } else if (typeof child === 'object' && child !== null) {
      for (const name of Object.keys(child)) {
        names += 1;
        visitMember(name, child[name] ?? null);
      }
    }
  };
  const visitMember = (step: string | number, child: JsonValue): void => {
    path.push(step);
    if (step === '__proto__') report('The name "__proto__" isn’t allowed. Rename it.');
    else if (typeof step === 'string' && !step.isWellFormed())
      report('The name contains half a character (a lone surrogate).');
    visit(child);
    path.pop();
  };
  visit(value);
  return { problems, names };
}

/**
 * Counts the names in the objects of a valid JSON text. More names than in the parsed value mean a
 * duplicate, which JSON.parse drops silently.
 */
export function countNames(json: string): number {
  let count = 0;
  for (let start = json.indexOf('"'); start >= 0;) {
    const end = endOfString(json, start);
    let next = end + 1;
    while (' \t\r\n'.includes(json.charAt(next)) && next < json.length) next += 1;
    if (json.charAt(next) === ':') count += 1;
    start = json.indexOf('"', next);
  }
  return count;
}

/** Index of the closing quote of the string that begins at `start`; negative if there is none. */
export function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  for (; end >= 0; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json.charAt(end - 1 - slashes) === '\\') slashes += 1;
    if (slashes % 2 === 0) break;
  }
  return end;
}
