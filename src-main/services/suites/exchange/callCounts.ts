import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import { plainName } from './fieldNames.ts';

/** How often a source expects a call. */
interface CallCount {
  least: number;
  /** What the source accepts besides, which a case can't say; null if nothing. */
  more: string | null;
}

const maxCount = 20;
const others = 'The source accepts further calls of it. Touchstone counts them as unneeded.';
const bounds: Readonly<Record<string, '>=' | '>' | '<=' | '<' | '=='>> = {
  ...{ '>=': '>=', '≥': '>=', '>': '>', '<=': '<=', '≤': '<=', '<': '<', '=': '==', '==': '==' },
  ...{ atleast: '>=', min: '>=', mincalls: '>=', minimum: '>=', mincount: '>=', mintimes: '>=' },
  ...{ atmost: '<=', max: '<=', maxcalls: '<=', maximum: '<=', maxcount: '<=', maxtimes: '<=' },
  ...{ exactly: '==', exact: '==', count: '==', times: '==', calls: '==', callcount: '==' },
  ...{ invocations: '==', repeat: '==', repetitions: '==', mininvocations: '>=' },
};

/** `count` and `times` alone may be arguments. */
const isBound = (name: string): boolean =>
  Object.hasOwn(bounds, plainName(name)) && /^(?:min|max|at|exact)|calls|invocations/i.test(name);

/** A count such as `2`, `"invocations >= 1"`, `"1+"`, or `{min: 1, max_calls: 3}`; null for all else. */
export function readCount(value: JsonValue | undefined): CallCount | null {
  if (typeof value === 'number') return ofBound('==', value);
  if (typeof value === 'string') {
    const [, bound = '', number = '', plus = ''] =
      /^\s*(?:(?:invocations?|calls?|count|times)\b)?\s*:?\s*([<>=≤≥]{0,2}|at least|at most|exactly|min|max)\s*(\d{1,3})\s*(\+|or more)?\s*(?:x|times?|calls?|invocations?)?\s*$/i.exec(
        value,
      ) ?? [];
    const word =
      plus !== '' ? '>=' : bound === '' ? '==' : (bounds[bound] ?? bounds[plainName(bound)]);
    return number === '' || word === undefined ? null : ofBound(word, Number(number));
  }
  if (!isJsonObject(value ?? null)) return null;
  const parts = Object.entries(value as Record<string, JsonValue>).map(([name, each]) =>
    isBound(name) && typeof each === 'number'
      ? ofBound(bounds[plainName(name)] ?? '==', each)
      : null,
  );
  const read = parts.filter((each) => each !== null);
  return parts.length === 0 || read.length < parts.length
    ? null
    : {
        least: Math.max(...read.map(({ least }) => least)),
        more: read.find(({ more }) => more !== null)?.more ?? null,
      };
}

function ofBound(bound: string, number: number): CallCount | null {
  if (!Number.isInteger(number) || number < 0 || number > maxCount) return null;
  if (bound === '==') return { least: number, more: null };
  if (bound === '<=' || bound === '<') return { least: 0, more: number === 0 ? null : others };
  return { least: bound === '>' ? number + 1 : number, more: others };
}

/** What a member of a call says of how often it is expected, such as `min_calls: 1`; null for others. */
export function countAt(name: string, value: JsonValue): CallCount | null {
  const plain = plainName(name);
  if (!Object.hasOwn(bounds, plain) || ['min', 'max', 'exact'].includes(plain)) return null;
  return typeof value === 'number' ? ofBound(bounds[plain] ?? '==', value) : readCount(value);
}
