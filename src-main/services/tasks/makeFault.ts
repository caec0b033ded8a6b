import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import {
  isJsonObject,
  jsonValue,
  type JsonObject,
  type JsonValue,
} from '../../../src-shared/domain/json.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import type { TaskResult } from '../../../src-shared/domain/task.ts';
import {
  defaultDelaySeconds,
  type FaultKind,
  type TaskFault,
} from '../../../src-shared/domain/taskFaults.ts';
import { onAbort } from '../../runtime/deadline.ts';
import { exceedsDepth } from '../../scoring/depth.ts';
import { ownResult } from './renderResult.ts';

type NamedTool = Pick<TaskFault, 'server' | 'tool'>;

/**
 * The faults of one run, in the order of its calls. Those of one tool follow one another: each takes
 * as many calls of the tool as it says, from the first on.
 */
export class FaultSequence {
  readonly #left: { fault: TaskFault; calls: number }[];

  constructor(faults: readonly TaskFault[]) {
    this.#left = faults.map((fault) => ({ fault, calls: fault.calls ?? 1 }));
  }

  /** The fault of the next call of a tool; null: it works. */
  next({ server, tool }: NamedTool): TaskFault | null {
    const found = this.#left.find(
      ({ fault, calls }) => calls > 0 && fault.server === server && fault.tool === tool,
    );
    if (found === undefined) return null;
    found.calls -= 1;
    return found.fault;
  }
}

const texts: Partial<Record<FaultKind, string>> = {
  error: 'Internal error. The request was not processed. Try again.',
  rate_limit: 'Error 429: too many requests. The request was not processed. Try again in a moment.',
};

/** What a fault answers in place of the server; null: the server answers. */
export function answerInPlace({ fault, message }: TaskFault): TaskResult | null {
  const text = message ?? texts[fault];
  return text === undefined || (fault !== 'error' && fault !== 'rate_limit')
    ? null
    : ownResult(text, true);
}

/** Waits as long as a fault delays its call, or until the signal is aborted. Returns milliseconds. */
export async function delayCall(
  { fault, seconds = defaultDelaySeconds }: TaskFault,
  signal: AbortSignal,
): Promise<number> {
  if (fault !== 'delay') return 0;
  const ms = Math.ceil(seconds * 1000);
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  const stopListening = onAbort(signal, () => reject(signal.reason as Error));
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    stopListening();
  }
  return ms;
}

const withMembers = (object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Empties the lists in a value, at any depth; null if it has none. */
function withoutItems(value: JsonValue): JsonValue | null {
  if (Array.isArray(value)) return [];
  if (!isJsonObject(value)) return null;
  const emptied = Object.entries(value).map(([name, member]) => [name, withoutItems(member)]);
  return emptied.every(([, member]) => member === null)
    ? null
    : withMembers(value, (member) => withoutItems(member) ?? member);
}

/** What a tool that finds nothing answers: without items, or else an empty object or text. */
const emptied = (value: JsonValue): JsonValue =>
  withoutItems(value) ?? (isJsonObject(value) ? {} : '');

/**
 * Numbers and booleans become texts, texts and null lists of one, lists objects by index, and objects
 * lists of their members. Of an object, the members change, and what is inside them stays.
 */
const retyped = (value: JsonValue): JsonValue =>
  isJsonObject(value) ? withMembers(value, otherType) : otherType(value);
function otherType(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return Object.fromEntries(value.entries());
  if (isJsonObject(value)) return Object.values(value);
  return typeof value === 'string' || value === null ? [value] : JSON.stringify(value);
}

/** A result with the fault in it. An error of the server stays what it is. */
export function spoil(result: TaskResult, { fault }: TaskFault): TaskResult {
  const change = fault === 'empty' ? emptied : fault === 'wrong_type' ? retyped : null;
  if (change === null || result.isError) return result;
  const { text, structured } = result;
  const ofText = orElse(() => jsonValue.parse(parseJson(text)), text);
  // What is too deep to be changed level by level is a text like any other.
  const changed = change(exceedsDepth(ofText) ? text : ofText);
  return {
    ...result,
    structured: structured === null || exceedsDepth(structured) ? null : change(structured),
    text: typeof changed === 'string' ? changed : JSON.stringify(changed),
    cutFrom: null,
  };
}
