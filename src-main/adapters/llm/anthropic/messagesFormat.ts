import type Anthropic from '@anthropic-ai/sdk';
import type {
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
  ToolUnion,
} from '@anthropic-ai/sdk/resources/messages';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ChatModel } from '../chatModel.ts';
import { brokenOff } from '../request/endpointErrors.ts';
import { incompleteAnswer, readAnswer } from '../request/readAnswer.ts';
import { joinTexts, readContents } from '../wire/contents.ts';
import { endingOf } from '../wire/ending.ts';
import {
  callIds,
  nameFault,
  partsOf,
  readArguments,
  readCall,
  sendableName,
} from '../wire/readCall.ts';
import { readUsage } from '../wire/usage.ts';
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
        { role: 'assistant', content: contentToSend(answer) },
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
      messages: [...body.messages, ...messageToSend(answer), { role: 'user', content: text }],
    }),
    prepareForMore: markForCache,
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
      const body = readAnswer(text, thing);
      if (body['content'] === undefined) throw incompleteAnswer(thing, 'content', body);
      const blocks = blocksOf(body);
      const ids = idsOf(blocks);
      const calls = blocks.filter(isCall).map((block, index) => {
        const { name, arguments: input } = partsOf(block);
        const fault = nameFault(name);
        if (fault !== null) throw incompleteAnswer(thing, fault, body);
        return readCall({ id: ids[index] ?? '', name: String(name), arguments: input }, tools);
      });
      const { texts, thoughts, refusals } = readContents(
        blocks.filter((block) => !isCall(block) && !isSearch(block)),
      );
      const said = [...texts, ...refusals].join('\n');
      const searches = blocks.filter(isSearch);
      const ending = endingOf(body['stop_reason'], { called: calls.length > 0 });
      if (ending === 'failed') throw brokenOff(body['stop_reason'], null);
      return {
        body,
        reply: {
          calls,
          text: said === '' ? null : said,
          reasoning: joinTexts(thoughts),
          stopReason: ending,
          usage: readUsage(body),
          ...(searches.length > 0 && { loaded: searches.flatMap(loadedBy) }),
        },
      };
    },
  };
}

/** The blocks of an answer; a text in their place is one block. */
const blocksOf = ({ content }: JsonObject): JsonObject[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : (Array.isArray(content) ? content : [content]).filter(isJsonObject);

/** A gateway may say that a server of its own runs the tool: a call all the same. */
const isCall = ({ type }: JsonObject): boolean => type === 'tool_use' || type === 'mcp_tool_use';
const isSearch = ({ type }: JsonObject): boolean => type === 'tool_search_tool_result';

const idsOf = (blocks: readonly JsonObject[]): string[] =>
  callIds(blocks.filter(isCall).map(({ id }) => id));

function loadedBy({ content }: JsonObject): string[] {
  const references = isJsonObject(content) ? content['tool_references'] : null;
  return (Array.isArray(references) ? references : []).flatMap((reference) =>
    isJsonObject(reference) && typeof reference['tool_name'] === 'string'
      ? [reference['tool_name']]
      : [],
  );
}

/** The message of the model; none where it is empty ("all messages must have non-empty content"). */
function messageToSend(answer: JsonObject): MessageParam[] {
  const content = contentToSend(answer);
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
}

/**
 * What the model said and called, to be put in again as it came: thinking and redacted thinking need
 * their signatures. Calls are written as the endpoint takes them, and a blank text is left out,
 * because it is refused ("text content blocks must contain non-whitespace text").
 */
function contentToSend(answer: JsonObject): ContentBlockParam[] {
  const blocks = blocksOf(answer);
  const ids = idsOf(blocks);
  const kept = blocks.flatMap((block): object[] => {
    const { type = 'text', text } = block;
    if (type === 'text' && (typeof text !== 'string' || text.trim() === '')) return [];
    if (!isCall(block)) return [{ ...block, type }];
    const { name, arguments: input } = partsOf(block);
    const { function: _, arguments: __, ...own } = block;
    return [
      {
        ...own,
        id: ids.shift(),
        name: sendableName(name),
        input: readArguments(input) ?? {},
      },
    ];
  });
  return kept as unknown as ContentBlockParam[];
}
