import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';

/**
 * How endpoints answer otherwise than the format that they imitate. Every row is a test
 * (`quirks.test.ts`) and a row of docs/guide/endpoints.md; `who` names who documents or reported it.
 */
export interface Quirk {
  quirk: string;
  who: string;
}

export const call = (more: JsonObject = {}): JsonObject => ({
  id: 'c1',
  type: 'function',
  function: { name: 'todo__add_task', arguments: '{"n":1}' },
  ...more,
});
export const callWith = (inner: JsonObject): JsonObject =>
  call({ function: { name: 'todo__add_task', ...inner } });
export const chat = (
  message: JsonObject,
  finish: JsonValue = 'stop',
  more: JsonObject = {},
): JsonObject => ({
  choices: [{ index: 0, message, finish_reason: finish }],
  usage: { prompt_tokens: 5, completion_tokens: 3 },
  ...more,
});
export const calling = (calls: JsonValue, more: JsonObject = {}): JsonObject =>
  chat({ role: 'assistant', content: null, tool_calls: calls }, 'tool_calls', more);
export const said = (
  content: JsonValue,
  finish: JsonValue = 'stop',
  more: JsonObject = {},
): JsonObject => chat({ role: 'assistant', content }, finish, more);
export const response = (output: JsonValue, more: JsonObject = {}): JsonObject => ({
  object: 'response',
  status: 'completed',
  output,
  usage: { input_tokens: 5, output_tokens: 3 },
  ...more,
});
export const functionCall = (more: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  call_id: 'c1',
  name: 'todo__add_task',
  arguments: '{"n":1}',
  ...more,
});
export const message = (content: JsonValue, more: JsonObject = {}): JsonObject => ({
  type: 'message',
  stop_reason: 'end_turn',
  content,
  usage: { input_tokens: 5, output_tokens: 3 },
  ...more,
});
export const toolUse = (more: JsonObject = {}): JsonObject => ({
  type: 'tool_use',
  id: 'c1',
  name: 'todo__add_task',
  input: { n: 1 },
  ...more,
});
