import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
  TextBlockParam,
  ToolUnion,
} from '@anthropic-ai/sdk/resources/messages';

const marker: { cache_control: CacheControlEphemeral } = { cache_control: { type: 'ephemeral' } };

const blocksOf = (content: MessageParam['content']): ContentBlockParam[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : [...content];

/** Marks the last block. The provider rejects a marker on a text without a visible character. */
function markLast(blocks: readonly ContentBlockParam[]): ContentBlockParam[] {
  const last = blocks.at(-1);
  const before = blocks.slice(0, -1);
  // The blocks that the user's side of a conversation is made of.
  if (last?.type === 'tool_result') return [...before, { ...last, ...marker }];
  if (last?.type === 'text' && last.text.trim() !== '') return [...before, { ...last, ...marker }];
  return [...blocks];
}

/** Deferred tools are not part of the prompt, so the provider rejects a marker on one. */
function markTools(tools: readonly ToolUnion[]): ToolUnion[] {
  const last = tools.at(-1);
  return last === undefined || ('defer_loading' in last && last.defer_loading === true)
    ? [...tools]
    : [...tools.slice(0, -1), { ...last, ...marker }];
}

/**
 * Marks where the provider's prompt cache may end, at the four places that it allows: after the
 * tools, which all runs share; after the system prompt; and after the last two messages of the user.
 * The last one is written for the next request. The one before was written by the previous request:
 * it is found even if the messages in between have more than the 20 blocks that the provider looks
 * back. A beginning that is too short for the cache is sent as ever, and costs as ever.
 *
 * All messages of the user are written as blocks, so that a message has the same bytes with and
 * without its marker.
 */
export function markForCache(
  body: MessageCreateParamsNonStreaming,
): MessageCreateParamsNonStreaming {
  const { system, tools, messages } = body;
  const marked = new Set(
    messages.flatMap(({ role }, at) => (role === 'user' ? [at] : [])).slice(-2),
  );
  return {
    ...body,
    ...(typeof system === 'string' &&
      system.trim() !== '' && {
        system: [{ type: 'text', text: system, ...marker } satisfies TextBlockParam],
      }),
    ...(tools && { tools: markTools(tools) }),
    messages: messages.map((message, at) => {
      if (message.role !== 'user') return message;
      const blocks = blocksOf(message.content);
      return { ...message, content: marked.has(at) ? markLast(blocks) : blocks };
    }),
  };
}
