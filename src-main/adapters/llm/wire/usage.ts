import { z } from 'zod';
import type { TokenUsage } from '../../../../src-shared/domain/observation.ts';
import { countTokens } from '../../../analysis/tokens/encodings.ts';
import type { ChatInput, ChatRequest } from '../chatModel.ts';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { readAnswerAs } from '../request/readAnswer.ts';
import { countToolTokens } from '../request/contextSize.ts';
import { cachedTokens } from './addUsage.ts';
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
  return readAnswerAs(text, countShape, `${thing}, asked to count,`).input_tokens;
}

/** The names that formats and their imitations give to the same number, the first one that is there. */
const inputNames = [
  ...['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens'],
  // Gemini's and Ollama's own formats.
  ...['promptTokenCount', 'prompt_token_count', 'prompt_eval_count'],
];
const outputNames = [
  ...['output_tokens', 'completion_tokens', 'outputTokens', 'completionTokens'],
  ...['candidatesTokenCount', 'candidates_token_count', 'eval_count'],
];
const places = ['usage', 'usageMetadata', 'usage_metadata'];

/**
 * The tokens that an answer says it used, in the words of any wire format, also if the answer itself
 * can't be read. Null where it doesn't say both numbers as whole numbers of at least 0: what can't
 * be read is unknown, never 0.
 */
export function readUsage(body: unknown): TokenUsage | null {
  if (!isJsonObject(body)) return null;
  const [choice] = Array.isArray(body['choices']) ? body['choices'] : [];
  const usage =
    [body, body['x_groq'], choice]
      .filter(isJsonObject)
      .flatMap((holder) => places.map((place) => holder[place]))
      .find(isJsonObject) ?? body;
  const input = countIn(usage, inputNames);
  const output = countIn(usage, outputNames);
  // A request without any token was not counted.
  if (input === null || output === null || (input === 0 && output === 0)) return null;
  // Messages doesn't count them as input. The other formats do, also where a gateway names both ways.
  const isApart = countIn(usage, ['prompt_tokens']) === null;
  const written = countIn(usage, ['cache_creation_input_tokens', 'cacheWriteInputTokens']);
  const besides = countIn(usage, ['cache_read_input_tokens', 'cacheReadInputTokens']);
  const included =
    cachedIn(usage['prompt_tokens_details']) ??
    cachedIn(usage['input_tokens_details']) ??
    countIn(usage, ['prompt_cache_hit_tokens', 'cachedContentTokenCount']);
  // Gemini counts thoughts apart from the answer.
  const thoughts = countIn(usage, ['thoughtsTokenCount', 'thoughts_token_count']);
  return {
    input: isApart ? input + (written ?? 0) + (besides ?? 0) : input,
    output: output + (thoughts ?? 0),
    source: 'measured',
    ...cachedTokens(besides ?? included, written),
  };
}

const cachedIn = (details: unknown): number | null =>
  isJsonObject(details) ? countIn(details, ['cached_tokens']) : null;

/** A count under the first of the names that is there; null if it isn't one. */
function countIn(usage: JsonObject, names: readonly string[]): number | null {
  const name = names.find((each) => usage[each] !== undefined && usage[each] !== null);
  const given = name === undefined ? null : usage[name];
  const value =
    typeof given === 'string' && /^\s*\d{1,15}(?:\.0+)?\s*$/.test(given) ? Number(given) : given;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
