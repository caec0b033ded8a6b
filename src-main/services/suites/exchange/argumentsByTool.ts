import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { SourceCall } from './sourceCalls.ts';

/** Arguments that name the tool of each call, as in `{"add_task": {"title": "milk"}}`; null for all others. */
export function argumentsByTool(
  parameters: JsonObject,
  calls: readonly SourceCall[],
  isForeign: boolean,
): SourceCall[] | null {
  const names = calls.map(({ tools, parameters: own }) =>
    tools.length === 1 && own === undefined ? tools[0]?.tool : undefined,
  );
  const given = Object.entries(parameters);
  const isByTool =
    given.length > 0 &&
    given.every(
      ([name, value]) =>
        isJsonObject(value) &&
        names.indexOf(name) === names.lastIndexOf(name) &&
        names.includes(name),
    );
  if (!isByTool) return null;
  return calls.map((call, at) => {
    const own = parameters[names[at] ?? ''];
    return isJsonObject(own ?? null) ? { ...call, parameters: own as JsonObject, isForeign } : call;
  });
}

/** A list with the arguments of each call, in the order of the calls; null for all others. */
export function argumentsByPlace(
  given: JsonValue | undefined,
  calls: readonly SourceCall[],
): SourceCall[] | null {
  const isByPlace =
    Array.isArray(given) &&
    given.length > 0 &&
    given.length === calls.length &&
    calls.every(({ tools, parameters }) => tools.length === 1 && parameters === undefined);
  if (!isByPlace) return null;
  const own = given.filter((each) => isJsonObject(each));
  return own.length < given.length
    ? null
    : calls.map((call, at) => ({ ...call, parameters: own[at], isForeign: true }));
}

const areNames = (value: JsonValue | undefined): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');

/** Whether a value names arguments, also by tool, and none of their values. */
export const namesAlone = (value: JsonValue | undefined, calls: readonly SourceCall[]): boolean =>
  areNames(value) ||
  (isJsonObject(value ?? null) &&
    Object.entries(value as JsonObject).every(
      ([name, each]) =>
        areNames(each) && calls.some(({ tools }) => tools.some(({ tool }) => tool === name)),
    ) &&
    Object.keys(value as JsonObject).length > 0);
