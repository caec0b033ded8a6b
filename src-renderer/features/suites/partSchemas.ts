import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { CheckKind } from '../../../src-shared/domain/checkKinds.ts';
import { fileChecks, suiteFileTask } from '../../../src-shared/domain/taskFile.ts';
import { readObject } from '../../ui/arguments/argumentFields.ts';
import { jsonText } from './checkForm.ts';
import type { ToolChoices } from './useToolChoices.ts';

/** What a check of each kind may say beyond the fields that it has of its own. */
const further: Record<CheckKind, readonly string[]> = {
  state: ['weight'],
  end_state: ['ignore', 'weight'],
  unchanged: ['ignore', 'weight'],
  answer: ['read', 'message', 'at', 'schema', 'unit', 'tolerance', 'weight'],
  calls: ['total', 'repeats', 'never_own', 'weight'],
  program: ['timeout', 'exit_code', 'weight'],
  judge: ['weight'],
};

const schemaOf = (part: z.ZodType): JsonObject => {
  const text = jsonText(z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' }));
  return readObject(text) ?? {};
};
const member = (schema: JsonObject, name: string): JsonObject => {
  const found = schema[name];
  return found !== undefined && isJsonObject(found) ? found : {};
};
const properties = (schema: JsonObject): JsonObject => member(schema, 'properties');

/** The further members of a check as the schema of a form, as the suite file describes them. */
export function furtherSchema(kind: CheckKind): JsonObject {
  const all = properties(schemaOf(fileChecks[kind]));
  const known = { ...properties(member(all, kind)), ...all };
  return {
    type: 'object',
    properties: Object.fromEntries(further[kind].map((name) => [name, known[name] ?? {}])),
  };
}

const circumstances = suiteFileTask.pick({
  ...{ before: true, files: true, databases: true },
  ...{ reset: true, faults: true },
});
const { user, injection } = suiteFileTask.shape;
const parts = { fixtures: circumstances, user: user.unwrap(), injection: injection.unwrap() };
export type TaskPart = keyof typeof parts;

/** A part of a task as the schema of a form, with what the servers offer to choose from. */
export function partSchema(part: TaskPart, { servers, groups }: ToolChoices): JsonObject {
  const tools = groups.flatMap(({ group, items }) => items.map((id) => id.slice(group.length + 1)));
  const schema = withHelp(schemaOf(parts[part]), { server: servers, tool: [...new Set(tools)] });
  const { before, ...others } = properties(schema);
  if (before === undefined || !isJsonObject(before)) return schema;
  // A form has the values in a list, each with its name.
  const value = member(before, 'additionalProperties');
  const as = { type: 'string', description: 'The name of the value, as in {{before.NAME}}.' };
  const listed = {
    type: 'array',
    description: before['description'] ?? '',
    items: {
      ...value,
      required: ['as', 'server', 'tool'],
      properties: { as, ...properties(value) },
    },
  };
  return { ...schema, properties: { before: listed, ...others } };
}

/**
 * The same schema with values to choose from, commands whose words may repeat, and without the
 * limits that only say that something isn't empty.
 */
function withHelp<Value extends JsonValue>(value: Value, suggestions: JsonObject): Value;
function withHelp(value: JsonValue, suggestions: JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((each) => withHelp(each, suggestions));
  if (!isJsonObject(value)) return value;
  const { minLength: _length, minItems: _items, ...rules } = value;
  const helped = Object.entries(rules).map(([name, part]): [string, JsonValue] => {
    const inner = withHelp(part, suggestions);
    if (!isJsonObject(inner)) return [name, inner];
    if (inner['type'] === 'string' && Object.hasOwn(suggestions, name))
      return [name, { ...inner, 'x-suggestions': suggestions[name] ?? [] }];
    return [name, name === 'command' ? { ...inner, uniqueItems: false } : inner];
  });
  return Object.fromEntries(helped);
}
