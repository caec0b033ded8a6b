import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';

/** A tool result that a request contains. */
export interface SentResult {
  id: string;
  text: string;
  isError: boolean;
}

/** The text of a message, also if it is written as blocks; null if it has none. */
function textOf(content: JsonValue | undefined): string | null {
  if (typeof content === 'string') return content;
  const texts = (Array.isArray(content) ? content.filter(isJsonObject) : []).flatMap((block) =>
    block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  return texts.length === 0 ? null : texts.join('\n');
}

/** The last text of the user. */
export function lastUserText(body: JsonObject): string {
  const list = body['messages'] ?? body['input'];
  return (
    (Array.isArray(list) ? list.filter(isJsonObject) : [])
      .flatMap((each) => (each['role'] === 'user' ? (textOf(each['content']) ?? []) : []))
      .at(-1) ?? ''
  );
}

/** The tool results of a request, in order, in the form of any provider. */
export function resultsOf(body: JsonObject): SentResult[] {
  const list = body['messages'] ?? body['input'];
  const found: SentResult[] = [];
  const add = (id: JsonValue | undefined, text: JsonValue | undefined, isError = false) => {
    if (typeof id === 'string' && typeof text === 'string') found.push({ id, text, isError });
  };
  for (const each of Array.isArray(list) ? list.filter(isJsonObject) : []) {
    if (each['type'] === 'function_call_output') add(each['call_id'], each['output']);
    else if (each['role'] === 'tool') add(each['tool_call_id'], each['content']);
    else if (Array.isArray(each['content']))
      for (const block of each['content'].filter(isJsonObject))
        if (block['type'] === 'tool_result')
          add(block['tool_use_id'], block['content'], block['is_error'] === true);
  }
  return found;
}

/** The refusal of a request that leaves a tool call without its result; null if there is none. */
export function refuseUnanswered(body: JsonObject): string | null {
  const list = body['messages'] ?? body['input'];
  const asked: string[] = [];
  for (const each of Array.isArray(list) ? list.filter(isJsonObject) : []) {
    if (each['type'] === 'function_call' && typeof each['call_id'] === 'string')
      asked.push(each['call_id']);
    if (Array.isArray(each['tool_calls']))
      asked.push(
        ...each['tool_calls']
          .filter(isJsonObject)
          .map((call) => (typeof call['id'] === 'string' ? call['id'] : '')),
      );
    if (Array.isArray(each['content']))
      for (const block of each['content'].filter(isJsonObject))
        if (block['type'] === 'tool_use' && typeof block['id'] === 'string')
          asked.push(block['id']);
  }
  const answered = resultsOf(body).map(({ id }) => id);
  const missing = asked.find((id) => !answered.includes(id));
  return missing === undefined
    ? null
    : `An assistant message with 'tool_calls' must be followed by tool messages responding to ` +
        `each 'tool_call_id'. The following tool_call_ids did not have response messages: ` +
        missing;
}
