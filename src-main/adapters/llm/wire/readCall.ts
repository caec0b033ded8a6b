import { isJson, isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import type { ActualCall } from '../../../../src-shared/domain/observation.ts';
import { withoutAddedNulls } from './strictSchema.ts';
import type { WireTools } from './wireTools.ts';

/** Deeper arguments stay text: SQLite reads 1,000 levels of JSON. */
export const maxStoredDepth = 900;

/**
 * One call of a reply. Arguments that aren't an object stay text, as received; a name that was not
 * offered gets no tool.
 */
export function readCall(
  call: { id: string; name: string; arguments?: unknown },
  { byName }: WireTools,
): ActualCall {
  const offered = byName.get(call.name);
  const tool = offered?.tool;
  const read = typeof call.arguments === 'string' ? parse(call.arguments) : call.arguments;
  const kept = isJsonObject(read) && isJson(read, maxStoredDepth) ? read : null;
  const plain = kept && offered?.strict ? withoutAddedNulls(kept, offered.schema) : kept;
  const args = isJsonObject(plain) ? plain : null;
  return {
    id: call.id,
    server: tool?.server ?? null,
    tool: tool?.name ?? null,
    name: call.name,
    arguments: args,
    argumentsText: args
      ? null
      : typeof call.arguments === 'string'
        ? call.arguments
        : call.arguments === undefined
          ? ''
          : JSON.stringify(call.arguments),
  };
}

function parse(text: string): JsonObject | null {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
