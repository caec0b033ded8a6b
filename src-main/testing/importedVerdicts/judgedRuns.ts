import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import type { ForeignFormat } from '../../../src-shared/domain/foreignFormat.ts';

/** What a model did: its calls, one a step, and what it said last or in between. */
export interface PlayedRun {
  calls: { tool: string; args: JsonObject }[];
  /** The last one is the answer. */
  messages: string[];
}

/** A task in the format of another program, a run of it, and what is at stake. */
export interface JudgedRun {
  title: string;
  file: JsonValue;
  run: PlayedRun;
}

/** Ten tasks of a kind, and how its own program judges a run. */
export interface JudgedKind {
  name: string;
  format: ForeignFormat;
  fileName: string;
  /** Where its rule is documented. */
  source: string;
  /** Whether tools are executed: its rule looks at the data. */
  executes: boolean;
  /** The rule of the program, written for these tasks alone: true if the run succeeds there. */
  judge: (file: JsonValue, run: PlayedRun) => boolean;
  runs: JudgedRun[];
}

export const call = (tool: string, args: JsonObject = {}) => ({ tool, args });
export const played = (calls: PlayedRun['calls'], ...messages: string[]): PlayedRun => ({
  calls,
  messages: messages.length > 0 ? messages : ['Done.'],
});

/** A text, or an empty one. */
export const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : '';

/** Whether two JSON values are equal: members in any order. */
export function isEqual(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  const [a, b] = [Object.entries(one), other as JsonObject];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    a.length === Object.keys(b).length &&
    a.every(([name, value]) => Object.hasOwn(b, name) && isEqual(value, b[name]))
  );
}
