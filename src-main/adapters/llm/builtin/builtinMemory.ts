import { isNumber, parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import {
  isJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { fits } from './fits.ts';
import type { Slot } from './slots.ts';

/** Results can be long; what lies deeper is not what a next call needs. */
const maxDepth = 8;

/** `taskId`, `task_id` and `task-id` are the same name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const isIdName = (name: string): boolean => /(?:^id|_id|-id|[a-z]Id|^uuid|_uuid)$/u.test(name);

/** `add_task` acts on a task, `listTasks` too: the last word of the name, in the singular. */
function thingOf(tool: string): string {
  const words = tool.split(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/u).filter((word) => word !== '');
  return (words.at(-1) ?? '').replace(/s$/u, '');
}

/**
 * The ids that results of earlier calls gave, for parameters of later ones. An `id` is also known as
 * `task_id` inside a `task`, or in a result of `add_task`. Of a list, the first element counts; a
 * later result replaces an earlier one.
 */
export class BuiltinMemory {
  readonly #ids = new Map<string, JsonValue>();

  learn(tool: string, text: string): void {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch {
      // Prose has no ids to remember.
      return;
    }
    if (!isJson(value)) return;
    const found = new Map<string, JsonValue>();
    collect(value as JsonValue, thingOf(tool), found, 0);
    for (const [name, id] of found) this.#ids.set(name, id);
  }

  /** The arguments with ids for the required parameters that have no value yet. */
  complete(slots: readonly Slot[], args: JsonObject): JsonObject {
    const added = slots.flatMap((slot) => {
      const id = this.#ids.get(plain(slot.name));
      const isOpen = slot.required && !Object.hasOwn(args, slot.name);
      return isOpen && id !== undefined && fits(id, slot) ? [[slot.name, id] as const] : [];
    });
    return added.length === 0 ? args : { ...args, ...Object.fromEntries(added) };
  }
}

function collect(
  value: JsonValue,
  thing: string,
  found: Map<string, JsonValue>,
  depth: number,
): void {
  if (depth > maxDepth) return;
  if (Array.isArray(value)) {
    if (value[0] !== undefined) collect(value[0], thing, found, depth + 1);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'object' && member !== null) {
      collect(member, name.replace(/s$/u, ''), found, depth + 1);
      continue;
    }
    if (!isIdName(name) || (typeof member !== 'string' && !isNumber(member))) continue;
    const names = name.toLowerCase() === 'id' ? [name, `${thing}_id`] : [name];
    for (const each of names) if (!found.has(plain(each))) found.set(plain(each), member);
  }
}
