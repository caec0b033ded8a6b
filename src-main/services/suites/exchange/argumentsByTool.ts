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

/**
 * A list of checks that each name a tool and its arguments, next to the calls, `[{tool: "find_book",
 * args: {…}}]`; null for all others. Each call takes the first of its tool, and the others are counted.
 */
export function argumentsOfChecks(
  given: JsonValue | undefined,
  calls: readonly SourceCall[],
): { calls: SourceCall[]; others: number } | null {
  if (!Array.isArray(given) || given.length === 0) return null;
  const checks = given.map((each) => {
    const object = isJsonObject(each) ? each : {};
    const tool = object['tool'] ?? object['tool_name'] ?? object['toolName'] ?? object['name'];
    const args = object['args'] ?? object['arguments'] ?? object['parameters'] ?? null;
    return { tool, args: isJsonObject(args) ? args : null, isUsed: false };
  });
  const isOfCall = (tool: JsonValue | undefined): boolean =>
    calls.some(
      ({ tools, parameters }) =>
        parameters === undefined && tools.length === 1 && tools[0]?.tool === tool,
    );
  if (!checks.every(({ tool }) => isOfCall(tool)) || checks.every(({ args }) => args === null))
    return null;
  const own = calls.map((call) => {
    const found = checks.find(
      ({ tool, args, isUsed }) => !isUsed && args !== null && tool === call.tools[0]?.tool,
    );
    if (found?.args == null) return call;
    found.isUsed = true;
    return { ...call, parameters: found.args, isForeign: true };
  });
  return { calls: own, others: checks.filter(({ isUsed }) => !isUsed).length };
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
