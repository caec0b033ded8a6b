import { z } from 'zod';
import type { TokenUsage } from '../../../../src-shared/domain/observation.ts';
import { countTokens } from '../../../analysis/tokens/encodings.ts';
import type { ChatInput, ChatRequest } from '../chatModel.ts';
import { readAnswer } from '../request/readAnswer.ts';
import { countToolTokens } from '../request/contextSize.ts';
import type { ReadReply } from './readReply.ts';

/** The texts of a request before its query, without its tools. */
export function requestTexts({
  system,
  messages,
}: Pick<ChatRequest, 'system' | 'messages'>): string[] {
  return [system ?? '', ...messages.map(({ content }) => content)];
}

/** The texts of an answer: message, reasoning and calls. */
export function replyTexts({
  text,
  reasoning,
  calls,
}: Pick<ReadReply, 'text' | 'reasoning' | 'calls'>): string[] {
  return [
    text ?? '',
    reasoning ?? '',
    ...calls.flatMap((call) => [
      call.name,
      call.arguments === null ? (call.argumentsText ?? '') : JSON.stringify(call.arguments),
    ]),
  ];
}

/** The texts of what is added to a conversation. */
export function inputTexts(input: ChatInput): string[] {
  return input.by === 'user' ? [input.text] : input.results.map(({ text }) => text);
}

/**
 * Tokens of a request and its answer where the provider reports none, in cl100k_base (docs/rules.md
 * §3, Tokens and cost). `tools` is empty where the model sees none.
 */
export function estimateUsage(
  tools: readonly object[],
  texts: readonly string[],
  reply: ReadReply,
): TokenUsage {
  return {
    input: countToolTokens(tools) + sum(texts),
    output: sum(replyTexts(reply)),
    source: 'estimated',
  };
}

function sum(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + (text === '' ? 0 : countTokens(text)), 0);
}

const countShape = z.looseObject({ input_tokens: z.number().int().nonnegative() });

/** The number that a counting endpoint returned. Throws ChatFailure where there is none. */
export function readCount(text: string, thing: string): number {
  return readAnswer(text, countShape, `${thing}, asked to count,`).answer.input_tokens;
}

const tokens = z.number().int().nonnegative();
const anyUsage = z.looseObject({
  input_tokens: tokens.optional(),
  prompt_tokens: tokens.optional(),
  output_tokens: tokens.optional(),
  completion_tokens: tokens.optional(),
  cache_creation_input_tokens: tokens.nullish(),
  cache_read_input_tokens: tokens.nullish(),
});

/**
 * The tokens that an answer says it used, although the answer itself can't be read, in the words of
 * any wire format. Null where it says none.
 */
export function usageInUnreadable(text: string): TokenUsage | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  const read = z.looseObject({ usage: anyUsage }).safeParse(body);
  if (!read.success) return null;
  const { usage } = read.data;
  const input = usage.input_tokens ?? usage.prompt_tokens;
  const output = usage.output_tokens ?? usage.completion_tokens;
  if (input === undefined && output === undefined) return null;
  const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
  return { input: (input ?? 0) + cached, output: output ?? 0, source: 'measured' };
}
