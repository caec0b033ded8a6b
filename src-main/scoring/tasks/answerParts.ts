import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { jsonValue, type JsonValue } from '../../../src-shared/domain/json.ts';
import { exceedsDepth } from '../depth.ts';
import { normaliseText } from '../normalise.ts';

/** More texts that begin like JSON are not tried: a message is no document. */
const maxStarts = 200;

function readJson(text: string): JsonValue | undefined {
  try {
    const value = parseJson(text) as JsonValue;
    return exceedsDepth(value) ? undefined : jsonValue.parse(value);
  } catch {
    // Most texts that begin with a bracket are no JSON.
    return undefined;
  }
}

/** The end of the object or list that begins at `from`, by its brackets; −1 if it has none. */
function closingBracket(text: string, from: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (isQuoted) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isQuoted = false;
    } else if (sign === '"') isQuoted = true;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/**
 * The JSON values in a message: the whole message; else each code block that is JSON; else each
 * object and list in the text, outermost first. Empty if there are none.
 */
export function jsonInText(text: string): JsonValue[] {
  const whole = readJson(text);
  if (whole !== undefined) return [whole];
  const blocks = [...text.matchAll(/```[^\n`]*\n(?<block>[\s\S]*?)```/gu)]
    .map(({ groups }) => readJson(groups?.['block'] ?? ''))
    .filter((value) => value !== undefined);
  if (blocks.length > 0) return blocks;
  const found: JsonValue[] = [];
  let from = 0;
  for (let tried = 0; tried < maxStarts; tried += 1) {
    const at = text.slice(from).search(/[{[]/u);
    if (at < 0) break;
    const end = closingBracket(text, from + at);
    const value = end < 0 ? undefined : readJson(text.slice(from + at, end + 1));
    if (value !== undefined) found.push(value);
    from = value === undefined ? from + at + 1 : end + 1;
  }
  return found;
}

/**
 * Digits with separators; spaces and apostrophes only between groups of three digits. What follows a
 * letter, also after a hyphen, is a part of a name: `task-77`.
 */
const number =
  /(?<![\p{L}_][-−]?)(?<![\p{N}])[-−]?\d+(?:[ \u00a0\u202f'’]\d{3}(?!\d))*(?:[.,]\d+)*(?![\p{N}_])/gu;

/**
 * The value of a number as people write it. With both `.` and `,`, the last one is the decimal sign.
 * A comma alone separates thousands before groups of three digits (`1,234`), else decimals (`3,5`);
 * so do several points. A single point is the decimal sign.
 */
function valueOf(written: string): number {
  const plain = written.replaceAll(/[ \u00a0\u202f'’]/gu, '').replace('−', '-');
  const [points, commas] = [plain.split('.').length - 1, plain.split(',').length - 1];
  const isThousands = (sign: string) =>
    new RegExp(`^-?\\d{1,3}(?:[${sign}]\\d{3})+$`, 'u').test(plain);
  if (points > 0 && commas > 0) {
    const decimal = plain.lastIndexOf('.') > plain.lastIndexOf(',') ? '.' : ',';
    const thousands = decimal === '.' ? ',' : '.';
    return Number(plain.replaceAll(thousands, '').replace(decimal, '.'));
  }
  if (commas > 0 && isThousands(',')) return Number(plain.replaceAll(',', ''));
  if (points > 1 && isThousands('.')) return Number(plain.replaceAll('.', ''));
  return Number(plain.replace(',', '.'));
}

/** Whether a unit ends or begins a text, not as a part of a longer word. */
function isUnitAt(text: string, unit: string, side: 'before' | 'after'): boolean {
  const near = side === 'after' ? text.trimStart() : text.trimEnd();
  const isThere = side === 'after' ? near.startsWith(unit) : near.endsWith(unit);
  if (!isThere) return false;
  const rest = side === 'after' ? near.slice(unit.length) : near.slice(0, -unit.length);
  const [edge, next] = side === 'after' ? [unit.at(-1), rest.at(0)] : [unit.at(0), rest.at(-1)];
  const isLetter = (sign: string | undefined) => sign !== undefined && /\p{L}/u.test(sign);
  return !(isLetter(edge) && isLetter(next));
}

/**
 * The numbers in a message, in their order; with a unit, those that have it before or after them.
 * Units are compared as texts are, and not converted.
 */
export function numbersInText(message: string, unit: string | null): number[] {
  const text = normaliseText(message);
  const wanted = unit === null ? null : normaliseText(unit);
  return [...text.matchAll(number)]
    .filter(
      ({ 0: written, index }) =>
        wanted === null ||
        isUnitAt(text.slice(index + written.length), wanted, 'after') ||
        isUnitAt(text.slice(0, index), wanted, 'before'),
    )
    .map(([written]) => valueOf(written))
    .filter(Number.isFinite);
}
