import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import { plainName } from './fieldNames.ts';
import { areActions } from './namePatterns.ts';
import type { KnownWords } from './noToolWords.ts';
import type { SourceCalls } from './sourceCalls.ts';
import { readBoolean } from './values.ts';

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

/** `{used_track_parcel: true, used_refund: false}`: a switch for each tool, with a word for its use or without. */
export function readSwitches(
  entries: readonly (readonly [string, JsonValue])[],
  { isKnown }: KnownWords,
): SourceCalls | null {
  const switches = entries.flatMap(([key, value]) => {
    const [, tool] = /^(?:used?|uses|called|calls|invoked|invokes)_(\w+)$/.exec(key) ?? [];
    const isOn =
      typeof value === 'boolean' || typeof value === 'number' ? readBoolean(value) : null;
    if (isOn === null || (tool === undefined && !isKnown(key) && !areActions([key]))) return [];
    return [{ key, tool: isKnown(key) ? key : (tool ?? key), isOn }];
  });
  if (entries.length === 0 || switches.length < entries.length) return null;
  const changes = switches.flatMap(({ key, tool }) =>
    key === tool ? [] : [{ what: key, why: `It is read as a switch for the tool ${tool}.` }],
  );
  return {
    ordered: false,
    unread: [],
    calls: switches.flatMap(({ tool, isOn }) =>
      isOn ? [{ tools: [{ server: null, tool }] }] : [],
    ),
    ...(changes.length > 0 && { changes }),
  };
}
