import type OpenAI from 'openai';
import type {
  FunctionTool,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
  ToolSearchTool,
} from 'openai/resources/responses/responses';
import { z } from 'zod';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ReasoningEffort } from '../../../../src-shared/domain/provider.ts';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import { ChatFailure, type ChatModel } from '../chatModel.ts';
import { readAnswer } from '../request/readAnswer.ts';
import { excerpt } from '../request/classifyFailure.ts';
import { lengthReasons } from '../wire/lengthReasons.ts';
import { readCall } from '../wire/readCall.ts';
import type { ReadReply } from '../wire/readReply.ts';
import { cachedTokens } from '../wire/addUsage.ts';
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

const count = z.number().int().nonnegative();
const answerShape = z.looseObject({
  status: z.string().nullish(),
  error: z.looseObject({ message: z.string().nullish() }).nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  output: z.array(
    z.union([
      z.looseObject({
        type: z.literal('function_call'),
        call_id: z.string(),
        name: z.string(),
        arguments: z.string(),
      }),
      z.looseObject({
        type: z.literal('message'),
        content: z.array(
          z.looseObject({
            type: z.string(),
            text: z.string().nullish(),
            refusal: z.string().nullish(),
          }),
        ),
      }),
      z.looseObject({
        type: z.literal('reasoning'),
        summary: z.array(z.looseObject({ text: z.string().nullish() })).nullish(),
        content: z.array(z.looseObject({ text: z.string().nullish() })).nullish(),
      }),
      z.looseObject({
        type: z.literal('tool_search_output'),
        tools: z.array(z.looseObject({ name: z.string().nullish() })),
      }),
      // A call of a kind that was not offered, such as custom_tool_call or mcp_call, is one all the
      // same.
      z.looseObject({
        type: z
          .string()
          .regex(/_call$/)
          .refine((type) => type !== 'function_call'),
        name: z.string(),
        call_id: z.string().nullish(),
        id: z.string().nullish(),
        arguments: z.unknown().optional(),
        input: z.unknown().optional(),
        otherCall: z.literal(true).default(true),
      }),
      z.looseObject({
        type: z
          .string()
          .refine(
            (type) =>
              !['function_call', 'message', 'reasoning', 'tool_search_output'].includes(type),
          ),
      }),
    ]),
  ),
  usage: z
    .looseObject({
      input_tokens: count,
      output_tokens: count,
      input_tokens_details: z.looseObject({ cached_tokens: count.nullish() }).nullish().catch(null),
    })
    .nullish(),
});
type Answer = z.infer<typeof answerShape>;

export interface ResponsesSettings {
  model: string;
  temperature: number | null;
  reasoningEffort: ReasoningEffort | null;
  sent: ChatModel['sent'];
}

export function createResponsesFormat(
  client: OpenAI,
  { model, temperature, reasoningEffort, sent }: ResponsesSettings,
  thing: string,
): WireFormat<Tool, Body> {
  // Nobody else stores the model's reasoning, so it is sent back where there is a next turn.
  const severalTurns = typeof sent['max_turns'] === 'number';
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
      ...(severalTurns && { include: ['reasoning.encrypted_content' as const] }),
      store: false,
    }),
    writeNext: (body, answer, results) => ({
      ...body,
      input: [
        ...(Array.isArray(body.input) ? body.input : []),
        ...outputOf(answer),
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
        ...outputOf(answer),
        { role: 'user', content: text },
      ],
    }),
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
      const { body, answer } = readAnswer(text, answerShape, thing);
      if (answer.status === 'failed' || answer.error)
        throw new ChatFailure(
          'provider',
          `${thing} failed while answering: ${excerpt(answer.error?.message ?? '')}`,
          { response: body },
        );
      return { body, reply: readReply(answer, tools) };
    },
  };
}

/**
 * The model's output as the input of the next turn. Its shape was checked when it was read.
 */
function outputOf(answer: JsonObject): ResponseInputItem[] {
  return (Array.isArray(answer['output'])
    ? answer['output']
    : []) as unknown as ResponseInputItem[];
}

function readReply(answer: Answer, tools: WireTools): ReadReply {
  const calls: Observation['calls'] = [];
  const texts: string[] = [];
  const thoughts: string[] = [];
  const loaded: string[] = [];
  let refused = false;
  for (const item of answer.output) {
    if (isCall(item))
      calls.push(readCall({ id: item.call_id, name: item.name, arguments: item.arguments }, tools));
    else if (isOtherCall(item))
      calls.push(
        readCall(
          {
            id: item.call_id ?? item.id ?? `call_${calls.length + 1}`,
            name: item.name,
            arguments: item.arguments ?? item.input,
          },
          tools,
        ),
      );
    else if (isSearch(item)) loaded.push(...item.tools.flatMap(({ name }) => name ?? []));
    else if (isReasoning(item))
      thoughts.push(
        ...[...(item.summary ?? []), ...(item.content ?? [])].flatMap(({ text }) => text ?? []),
      );
    else if (isMessage(item)) {
      for (const part of item.content) {
        if (part.type === 'refusal') refused = true;
        texts.push(part.text ?? part.refusal ?? '');
      }
    }
  }
  const text = texts.join('\n');
  return {
    calls,
    text: text === '' ? null : text,
    reasoning: thoughts.length === 0 ? null : thoughts.join('\n'),
    stopReason: stopReasonOf(answer, calls.length > 0, refused),
    usage: answer.usage
      ? {
          input: answer.usage.input_tokens,
          output: answer.usage.output_tokens,
          source: 'measured',
          ...cachedTokens(answer.usage.input_tokens_details?.cached_tokens),
        }
      : null,
    ...(answer.output.some(isSearch) && { loaded }),
  };
}

type Item = Answer['output'][number];
const isCall = (item: Item): item is Extract<Item, { call_id: string }> =>
  item.type === 'function_call';
const isOtherCall = (item: Item): item is Extract<Item, { otherCall: true }> => 'otherCall' in item;
const isMessage = (item: Item): item is Extract<Item, { type: 'message' }> =>
  item.type === 'message';
const isReasoning = (item: Item): item is Extract<Item, { type: 'reasoning' }> =>
  item.type === 'reasoning';
const isSearch = (item: Item): item is Extract<Item, { type: 'tool_search_output' }> =>
  item.type === 'tool_search_output';

function stopReasonOf(
  { status, incomplete_details: details }: Answer,
  called: boolean,
  refused: boolean,
): Observation['stopReason'] {
  if (status === 'completed') return called ? 'called' : refused ? 'refused' : 'answered';
  if (status !== 'incomplete') return 'unknown';
  // Without a reason, something ended it all the same.
  if (details?.reason == null || lengthReasons.has(details.reason)) return 'cut_off';
  return details.reason === 'content_filter' ? 'refused' : 'unknown';
}
