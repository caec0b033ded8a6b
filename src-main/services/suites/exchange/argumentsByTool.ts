import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
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
