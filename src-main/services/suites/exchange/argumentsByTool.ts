import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { SourceCall } from './callValues.ts';

/** Arguments that name the tool of each call, as in `{"add_task": {"title": "milk"}}`; null for all others. */
export function argumentsByTool(
  parameters: JsonObject,
  calls: readonly SourceCall[],
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
    return isJsonObject(own ?? null) ? { ...call, parameters: own as JsonObject } : call;
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
