import type OpenAI from 'openai';
import type {
  FunctionTool,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
  ToolSearchTool,
} from 'openai/resources/responses/responses';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ReasoningEffort } from '../../../../src-shared/domain/provider.ts';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import type { ChatModel } from '../chatModel.ts';
import { brokenOff } from '../request/endpointErrors.ts';
import { incompleteAnswer, readAnswer } from '../request/readAnswer.ts';
import { plainTexts, readContents } from '../wire/contents.ts';
import { endingOf } from '../wire/ending.ts';
import {
  argumentsText,
  callIds,
  isBlank,
  nameFault,
  partsOf,
  readCall,
  sendableName,
} from '../wire/readCall.ts';
import type { ReadReply } from '../wire/readReply.ts';
import { readUsage } from '../wire/usage.ts';
import type { ToolFormat, WireFormat } from '../wire/wireFormat.ts';
import type { WireTools } from '../wire/wireTools.ts';

type Tool = FunctionTool | ToolSearchTool;
type Body = ResponseCreateParamsNonStreaming;

export const responsesTools: ToolFormat<Tool> = {
  dialect: 'openai',
  writeTools: (tools, sent) => [
    ...(sent['defer_tools'] === true ? [{ type: 'tool_search' as const }] : []),
    ...tools.map(({ name, description, schema, strict }): FunctionTool => ({
      type: 'function',
      name,
      ...(description !== '' && { description }),
      parameters: strict ?? schema,
      // Strict mode would change the schema under test; here it is on unless it is turned off.
      strict: strict !== null,
      ...(sent['defer_tools'] === true && { defer_loading: true }),
    })),
  ],
};

export interface ResponsesSettings {
  model: string;
  temperature: number | null;
  reasoningEffort: ReasoningEffort | null;
  /** False for models that don't reason: they refuse to be asked for it ("Encrypted content is not
   * supported with this model"). */
  reasons: boolean;
  sent: ChatModel['sent'];
}

export function createResponsesFormat(
  client: OpenAI,
  { model, temperature, reasoningEffort, reasons, sent }: ResponsesSettings,
  thing: string,
): WireFormat<Tool, Body> {
  // Nobody else stores the model's reasoning, so it is sent back where there is a next turn.
  const include = reasons ? { include: ['reasoning.encrypted_content' as const] } : {};
  return {
    ...responsesTools,
    wireApi: 'openai-responses',
    writeBody: ({ system, messages, query }, tools) => ({
      model,
      ...(system !== null && { instructions: system }),
      input: [
        ...messages.map(({ role, content }): ResponseInputItem => ({ role, content })),
        { role: 'user', content: query },
      ],
      ...(tools.length > 0 && { tools, tool_choice: 'auto' as const }),
      ...(temperature !== null && { temperature }),
      ...(reasoningEffort !== null && { reasoning: { effort: reasoningEffort } }),
      ...(typeof sent['max_turns'] === 'number' && include),
      store: false,
    }),
    prepareForMore: (body) => ({ ...body, ...include }),
    writeNext: (body, answer, results) => ({
      ...body,
      input: [
        ...(Array.isArray(body.input) ? body.input : []),
        ...outputToSend(answer),
        ...results.map(({ id, text }): ResponseInputItem => ({
          type: 'function_call_output',
          call_id: id,
          output: text,
        })),
      ],
    }),
    writeTurn: (body, answer, text) => ({
      ...body,
      input: [
        ...(Array.isArray(body.input) ? body.input : []),
        ...outputToSend(answer),
        { role: 'user', content: text },
      ],
    }),
    // "Unknown parameter: 'input[1].status'."
    withoutRefused(body, message) {
      const [, member = ''] = /\binput\[\d+\]\.(\w+)/.exec(message) ?? [];
      if (member === '' || ofEveryItem.has(member) || /missing|required/i.test(message))
        return null;
      const input = Array.isArray(body.input) ? body.input : [];
      const without = input.map((item) =>
        Object.fromEntries(Object.entries(item).filter(([name]) => name !== member)),
      );
      return input.some((item) => member in item)
        ? { ...body, input: without as unknown as ResponseInputItem[] }
        : null;
    },
    post: (body, signal) => client.responses.create(body, { signal }).asResponse(),
    // The endpoint rejects what only shapes the answer.
    count: ({ model: asked, input, instructions, reasoning, tools, tool_choice: choice }, signal) =>
      client.responses.inputTokens
        .count(
          {
            ...(asked !== undefined && { model: asked }),
            ...(input !== undefined && { input }),
            ...(instructions != null && { instructions }),
            ...(reasoning != null && { reasoning }),
            ...(tools && { tools }),
            ...(choice && { tool_choice: choice }),
          },
          { signal },
        )
        .asResponse(),
    read(text, tools) {
      const body = readAnswer(text, thing);
      const { status, error } = body;
      if (status === 'failed' || isJsonObject(error))
        throw brokenOff(status, isJsonObject(error) ? error : null);
      if (!Array.isArray(body['output']) && typeof body['output_text'] !== 'string')
        throw incompleteAnswer(thing, 'output', body);
      return { body, reply: readReply(body, tools, thing) };
    },
  };
}

/** Members without which an item of a conversation says something else. */
const ofEveryItem = new Set([
  ...['type', 'role', 'content', 'call_id', 'name', 'arguments', 'output', 'input'],
]);

/** The items of an answer; SDKs add its text as one value, which some gateways send alone. */
function itemsOf({ output, output_text: text }: JsonObject): JsonObject[] {
  const items = (Array.isArray(output) ? output : []).filter(isJsonObject);
  return items.length === 0 && typeof text === 'string' && text !== ''
    ? [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]
    : items;
}

/**
 * Also a call of a kind that was not offered, such as custom_tool_call or mcp_call, and one whose
 * type is that of another format or missing.
 */
const isCall = (item: JsonObject): boolean => {
  const { type, role } = item;
  if (type === 'function_call') return true;
  const { name, arguments: given } = partsOf(item);
  return typeof type === 'string'
    ? /_call$|^tool_use$/.test(type) && name != null
    : name != null && role === undefined && (item['call_id'] != null || given !== undefined);
};
/** A message, also one without a type; a text or refusal without the message around it. */
const isMessage = ({ type, content }: JsonObject): boolean =>
  type === 'message' || (type === undefined && content !== undefined);
const isText = ({ type }: JsonObject): boolean =>
  type === 'output_text' || type === 'text' || type === 'refusal';
const isSearch = ({ type }: JsonObject): boolean => type === 'tool_search_output';

/** The ids of all calls, in their order: both reading and sending back use these. */
const idsOf = (items: readonly JsonObject[]): string[] =>
  callIds(items.filter(isCall).map(({ call_id: callId, id }) => callId ?? id));

/** Reasoning without any content only names what was never stored ("Item … not found"). */
const isWhole = ({ type, encrypted_content: encrypted, summary, content }: JsonObject): boolean =>
  type !== 'reasoning' ||
  encrypted != null ||
  [summary, content].some((each) => Array.isArray(each) && each.length > 0);

/**
 * The model's output as the input of the next turn: every item with all of its members, because
 * reasoning has to come back encrypted as it was. Calls are written as the endpoint takes them.
 */
function outputToSend(answer: JsonObject): ResponseInputItem[] {
  const items = itemsOf(answer);
  const ids = idsOf(items);
  return items.filter(isWhole).map((item) => {
    if (isText(item)) return { type: 'message', role: 'assistant', content: [item] };
    if (!isCall(item)) return item;
    const id = ids.shift();
    if (typeof item['type'] === 'string' && /^(?!function_call$).*_call$/.test(item['type']))
      return { ...item, ...('call_id' in item && { call_id: id }) };
    const { name, arguments: given } = partsOf(item);
    return {
      ...item,
      type: 'function_call',
      call_id: id,
      name: sendableName(name),
      arguments: isBlank(given) ? '{}' : argumentsText(given),
    };
  }) as unknown as ResponseInputItem[];
}

function readReply(answer: JsonObject, tools: WireTools, thing: string): ReadReply {
  const items = itemsOf(answer);
  const ids = idsOf(items);
  const calls: Observation['calls'] = [];
  const texts: string[] = [];
  const thoughts: string[] = [];
  const loaded: string[] = [];
  const refusals: string[] = [];
  for (const item of items) {
    if (isCall(item)) {
      const { name, arguments: given } = partsOf(item);
      const fault = nameFault(name);
      if (fault !== null) throw incompleteAnswer(thing, fault, answer);
      calls.push(readCall({ id: ids.shift() ?? '', name: String(name), arguments: given }, tools));
    } else if (isSearch(item)) {
      const found = Array.isArray(item['tools']) ? item['tools'] : [];
      loaded.push(
        ...found.flatMap((tool) =>
          isJsonObject(tool) && typeof tool['name'] === 'string' ? [tool['name']] : [],
        ),
      );
    } else if (item['type'] === 'reasoning') {
      thoughts.push(...plainTexts(item['summary']), ...plainTexts(item['content']));
    } else if (isMessage(item) || isText(item)) {
      const said = readContents(isText(item) ? item : item['content']);
      texts.push(...said.texts, ...said.refusals);
      refusals.push(...said.refusals);
      thoughts.push(...said.thoughts);
    }
  }
  const text = texts.join('\n');
  return {
    calls,
    text: text === '' ? null : text,
    reasoning: thoughts.length === 0 ? null : thoughts.join('\n'),
    stopReason: stopReasonOf(answer, items, {
      called: calls.length > 0,
      refused: refusals.length > 0,
    }),
    usage: readUsage(answer),
    ...(items.some(isSearch) && { loaded }),
  };
}

function stopReasonOf(
  { status, incomplete_details: details }: JsonObject,
  items: readonly JsonObject[],
  saw: { called: boolean; refused: boolean },
): Observation['stopReason'] {
  // A call or a text of its own status "incomplete" was cut off, whatever the response says.
  const isCut = items.some(
    (item) =>
      (isCall(item) || item['type'] === 'message') &&
      (item['status'] === 'incomplete' || item['status'] === 'in_progress'),
  );
  const isWhole = status !== 'incomplete';
  const reason = isWhole ? status : isJsonObject(details) ? details['reason'] : null;
  const ending = endingOf(reason, saw);
  if (ending === 'filtered') return 'filtered';
  // Without a reason that is known, something ended it all the same.
  if (!isWhole || isCut) return 'cut_off';
  return ending === 'failed' ? 'unknown' : ending;
}
