import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import type { ActualCall } from '../../../src-shared/domain/observation.ts';
import type { TaskResult } from '../../../src-shared/domain/task.ts';
import { exceedsDepth } from '../depth.ts';

/** The same call this many times is a loop. */
const loopLength = 3;

/** Equal for two calls of the same name with equal arguments. */
export function callKey(call: Pick<ActualCall, 'name' | 'server' | 'arguments' | 'argumentsText'>) {
  const args =
    call.arguments === null || exceedsDepth(call.arguments)
      ? JSON.stringify(call.argumentsText ?? call.arguments)
      : canonicalJson(call.arguments);
  return `${call.server ?? ''}\n${call.name}\n${args}`;
}

/**
 * Notices a model that goes in circles: the same call and arguments three times in a row, or three
 * times anywhere in the run with the same result. A list that is read again after each change is no
 * loop, because its result differs.
 */
export class LoopGuard {
  readonly #withResult = new Map<string, number>();
  #last = '';
  #inRow = 0;

  /** Returns true if this call completes a loop. */
  add(call: Parameters<typeof callKey>[0], { isError, text }: TaskResult): boolean {
    const key = callKey(call);
    this.#inRow = key === this.#last ? this.#inRow + 1 : 1;
    this.#last = key;
    const full = `${key}\n${isError ? 'error' : 'result'}\n${text}`;
    const seen = (this.#withResult.get(full) ?? 0) + 1;
    this.#withResult.set(full, seen);
    return this.#inRow >= loopLength || seen >= loopLength;
  }
}
