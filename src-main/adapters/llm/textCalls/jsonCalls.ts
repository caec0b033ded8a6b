import { isWord, type Loose, type LooseObject } from './looseJson.ts';
import type { OfferedNames } from './offeredNames.ts';

const nameKeys = [
  ...['name', 'tool', 'tool_name', 'toolName', 'function', 'function_name', 'functionName'],
  ...['action', 'recipient_name', 'tool_id'],
];
/** Keys that name a tool even where nothing else is said: `{"tool": "ping"}`. */
const tellingKeys = new Set(['tool', 'tool_name', 'toolName', 'function_name', 'action']);
const argumentKeys = [
  ...['arguments', 'parameters', 'args', 'input', 'params', 'kwargs', 'action_input'],
  ...['actionInput', 'tool_input', 'toolInput', 'tool_args', 'tool_parameters', 'tool_arguments'],
];
/** Keys that hold calls, as providers and templates name them. */
const holders = [
  ...['tool_calls', 'tool_call', 'toolCalls', 'toolCall', 'function_calls', 'function_call'],
  ...['functionCall', 'calls', 'actions', 'tool_uses', 'tool_use', 'toolUse', 'function'],
];
/** What a definition of a tool has and a call does not. */
const definitionKeys = ['description', 'inputSchema', 'input_schema', 'outputSchema'];
const maxDepth = 5;

/** The tool that a value calls; undefined where it is no call of an offered tool. */
export function calledBy(value: Loose, names: OfferedNames, depth = 0): string | undefined {
  if (depth > maxDepth || typeof value === 'string' || isWord(value)) return undefined;
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = calledBy(item, names, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return ownCall(value, names) ?? heldCall(value, names, depth);
}

function heldCall(object: LooseObject, names: OfferedNames, depth: number): string | undefined {
  for (const key of holders) {
    const held = object.get(key);
    const found = held === undefined ? undefined : calledBy(held, names, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ownCall(object: LooseObject, names: OfferedNames): string | undefined {
  if (definitionKeys.some((key) => object.has(key))) return undefined;
  const given = argumentKeys.map((key) => object.get(key)).find((value) => value !== undefined);
  for (const key of nameKeys) {
    const name = object.get(key);
    const tool = typeof name === 'string' ? names.resolve(name) : undefined;
    if (tool === undefined) continue;
    if (given === undefined ? tellingKeys.has(key) : !isSchema(given)) return tool;
  }
  // {"demo__ping": {…}}: only the name that was sent is no ordinary word.
  const [only, ...more] = object;
  return only && more.length === 0 && only[1] instanceof Map && !isSchema(only[1])
    ? names.resolveWire(only[0])
    : undefined;
}

/** The parameters of a definition, not the arguments of a call. */
function isSchema(value: Loose): boolean {
  if (!(value instanceof Map)) return false;
  return (
    value.has('$schema') ||
    (value.get('properties') instanceof Map && value.get('type') === 'object')
  );
}
