import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../src-shared/domain/jsonPointer.ts';

export interface ValueProblem {
  path: JsonPath;
  message: string;
}

/**
 * What could not be kept, sent or compared although a parser took it, and how many names the
 * value's objects hold. Recurses: the depth must be known to be small.
 */
export function inspectValue(value: JsonValue): { problems: ValueProblem[]; names: number } {
  const problems: ValueProblem[] = [];
  const path: (string | number)[] = [];
  let names = 0;
  const report = (message: string): void => void problems.push({ path: [...path], message });

  const visit = (child: JsonValue): void => {
    if (typeof child === 'number' && !Number.isFinite(child))
      report(`${child} is no number that JSON knows.`);
    else if (typeof child === 'string' && !child.isWellFormed())
      report('The text holds half of a character (a lone surrogate).');
    else if (Array.isArray(child)) {
      for (const [index, item] of child.entries()) visitMember(index, item);
    } else if (typeof child === 'object' && child !== null) {
      for (const [name, item] of Object.entries(child)) {
        names += 1;
        visitMember(name, item);
      }
    }
  };
  const visitMember = (step: string | number, child: JsonValue): void => {
    path.push(step);
    if (step === '__proto__') report('The name "__proto__" is refused.');
    else if (typeof step === 'string' && !step.isWellFormed())
      report('The name holds half of a character (a lone surrogate).');
    visit(child);
    path.pop();
  };
  visit(value);
  return { problems, names };
}

/**
 * How many names stand in the objects of a valid JSON text: more than the parsed value holds means
 * that one stands twice.
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

/** Where the string that begins at `start` has its closing quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json.charAt(end - 1 - slashes) === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}
