import type Anthropic from '@anthropic-ai/sdk';
import type {
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
  ToolUnion,
} from '@anthropic-ai/sdk/resources/messages';
import { z } from 'zod';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import type { ChatModel } from '../chatModel.ts';
import { readAnswer } from '../request/readAnswer.ts';
import { lengthReasons } from '../wire/lengthReasons.ts';
import { readCall } from '../wire/readCall.ts';
import { cachedTokens } from '../wire/addUsage.ts';
import { markForCache } from './promptCache.ts';
import type { ToolFormat, WireFormat } from '../wire/wireFormat.ts';

export const messagesTools: ToolFormat<ToolUnion> = {
  dialect: 'anthropic',
  writeTools: (tools, sent) => [
    ...(sent['defer_tools'] === true
      ? [
          {
            type: 'tool_search_tool_bm25_20251119' as const,
            name: 'tool_search_tool_bm25' as const,
          },
        ]
      : []),
    ...tools.map(({ name, description, schema }) => ({
      name,
      ...(description !== '' && { description }),
      input_schema: { ...schema, type: 'object' as const },
      ...(sent['defer_tools'] === true && { defer_loading: true }),
    })),
  ],
};

const count = z.number().int().nonnegative();
const answerShape = z.looseObject({
  type: z.literal('message'),
  stop_reason: z.string().nullish(),
  content: z.array(
    z.union([
      z.looseObject({
        // A gateway may say that a server of its own runs the tool: a call all the same.
        type: z.enum(['tool_use', 'mcp_tool_use']),
        id: z.string(),
        name: z.string(),
        input: z.unknown(),
      }),
      z.looseObject({ type: z.literal('text'), text: z.string() }),
      z.looseObject({ type: z.literal('thinking'), thinking: z.string() }),
      z.looseObject({
        type: z.literal('tool_search_tool_result'),
        content: z.looseObject({
          tool_references: z.array(z.looseObject({ tool_name: z.string() })).nullish(),
        }),
      }),
      z.looseObject({
        type: z
          .string()
          .refine(
            (type) =>
              !['tool_use', 'mcp_tool_use', 'text', 'thinking', 'tool_search_tool_result'].includes(
                type,
              ),
          ),
      }),
    ]),
  ),
  usage: z
    .looseObject({
      input_tokens: count,
      output_tokens: count,
      cache_creation_input_tokens: count.nullish(),
      cache_read_input_tokens: count.nullish(),
    })
    .nullish(),
});
type Block = z.infer<typeof answerShape>['content'][number];

const isCall = (block: Block): block is Extract<Block, { type: 'tool_use' | 'mcp_tool_use' }> =>
  block.type === 'tool_use' || block.type === 'mcp_tool_use';
const isThought = (block: Block): block is Extract<Block, { type: 'thinking' }> =>
  block.type === 'thinking';
const isSearch = (block: Block): block is Extract<Block, { type: 'tool_search_tool_result' }> =>
  block.type === 'tool_search_tool_result';
const isText = (block: Block): block is Extract<Block, { type: 'text' }> => block.type === 'text';

export interface MessagesSettings {
  model: string;
  temperature: number | null;
  /** The provider requires a limit; a longer answer is cut off and shown as such. */
  maxTokens: number;
  effort: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null;
  sent: ChatModel['sent'];
}

export function createMessagesFormat(
  client: Anthropic,
  { model, temperature, maxTokens, effort }: MessagesSettings,
  thing: string,
): WireFormat<ToolUnion, MessageCreateParamsNonStreaming> {
  return {
    ...messagesTools,
    wireApi: 'anthropic-messages',
    writeBody: ({ system, messages, query }, tools) => ({
      model,
      max_tokens: maxTokens,
      ...(system !== null && system !== '' && { system }),
      messages: [
        ...messages.map(({ role, content }): MessageParam => ({ role, content })),
        { role: 'user', content: query },
      ],
      ...(tools.length > 0 && { tools, tool_choice: { type: 'auto' as const } }),
      ...(temperature !== null && { temperature }),
      ...(effort !== null && { output_config: { effort } }),
    }),
    // Every call gets its result, all of them in the one message that follows.
    writeNext: (body, answer, results) => ({
      ...body,
      messages: [
        ...body.messages,
        { role: 'assistant', content: contentOf(answer) },
        {
          role: 'user',
          content: results.map(({ id, text, isError }) => ({
            type: 'tool_result' as const,
            tool_use_id: id,
            content: text,
            ...(isError && { is_error: true }),
          })),
        },
      ],
    }),
    writeTurn: (body, answer, text) => ({
      ...body,
      messages: [
        ...body.messages,
        { role: 'assistant', content: contentOf(answer) },
        { role: 'user', content: text },
      ],
    }),
    markForCache,
    post: (body, signal) => client.messages.create(body, { signal }).asResponse(),
    // The endpoint rejects what only shapes the answer.
    count: (
      { model: asked, messages, system, tools, tool_choice: choice, output_config: output },
      signal,
    ) =>
      client.messages
        .countTokens(
          {
            model: asked,
            messages,
            ...(system !== undefined && { system }),
            ...(tools && { tools }),
            ...(choice && { tool_choice: choice }),
            ...(output && { output_config: output }),
          },
          { signal },
        )
        .asResponse(),
    read(text, tools) {
      const { body, answer } = readAnswer(text, answerShape, thing);
      const calls = answer.content
        .filter(isCall)
        .map((block) =>
          readCall({ id: block.id, name: block.name, arguments: block.input }, tools),
        );
      const said = answer.content
        .filter(isText)
        .map((block) => block.text)
        .join('\n');
      const thought = answer.content
        .filter(isThought)
        .map((block) => block.thinking)
        .join('\n');
      const searches = answer.content.filter(isSearch);
      const { usage } = answer;
      return {
        body,
        reply: {
          calls,
          text: said === '' ? null : said,
          reasoning: thought === '' ? null : thought,
          stopReason: stopReasonOf(answer.stop_reason ?? null, calls.length > 0),
          usage: usage
            ? {
                input:
                  usage.input_tokens +
                  (usage.cache_creation_input_tokens ?? 0) +
                  (usage.cache_read_input_tokens ?? 0),
                output: usage.output_tokens,
                source: 'measured',
                ...cachedTokens(usage.cache_read_input_tokens, usage.cache_creation_input_tokens),
              }
            : null,
          ...(searches.length > 0 && {
            loaded: searches.flatMap(({ content }) =>
              (content.tool_references ?? []).map((reference) => reference.tool_name),
            ),
          }),
        },
      };
    },
  };
}

/**
 * What the model said and called, to be put in again as it came: its shape was checked when it was
 * read.
 */
function contentOf(answer: JsonObject): ContentBlockParam[] {
  return (Array.isArray(answer['content'])
    ? answer['content']
    : []) as unknown as ContentBlockParam[];
}

function stopReasonOf(stop: string | null, called: boolean): Observation['stopReason'] {
  if (stop === 'end_turn' || stop === 'stop_sequence') return called ? 'called' : 'answered';
  if (stop === 'tool_use') return called ? 'called' : 'unknown';
  if (lengthReasons.has(stop ?? '')) return 'cut_off';
  return stop === 'refusal' ? 'refused' : 'unknown';
}
