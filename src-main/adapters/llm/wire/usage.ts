import { z } from 'zod';
import type { TokenUsage } from '../../../../src-shared/domain/observation.ts';
import { countTokens } from '../../../analysis/tokens/encodings.ts';
import type { ChatRequest } from '../chatModel.ts';
import { readAnswer } from '../request/readAnswer.ts';
import { countToolTokens } from '../request/contextSize.ts';
import type { ReadReply } from './readReply.ts';
import type { StubbedResult } from './stubResults.ts';

/** Everything that a request says in words, beside its tools. */
export function textsOf({
  system,
  messages,
  query,
}: Pick<ChatRequest, 'system' | 'messages' | 'query'>): string[] {
  return [system ?? '', ...messages.map(({ content }) => content), query];
}

/** What an answer holds, as text: what was said, thought and called. */
export function textsOfReply({
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

/** What a further turn adds to the request: the answer, and the results of its calls. */
export function textsOfTurn(reply: ReadReply, results: readonly StubbedResult[]): string[] {
  return [...textsOfReply(reply), ...results.map(({ text }) => text)];
}

/**
 * Tokens of a request and its answer where the provider tells none, in cl100k_base (docs/rules.md
 * §3, Tokens and cost). `tools` is empty where none stands before the model.
 */
export function estimateUsage(
  tools: readonly object[],
  texts: readonly string[],
  reply: ReadReply,
): TokenUsage {
  return {
    input: countToolTokens(tools) + sum(texts),
    output: sum(textsOfReply(reply)),
    source: 'estimated',
  };
}

function sum(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + (text === '' ? 0 : countTokens(text)), 0);
}

const countShape = z.looseObject({ input_tokens: z.number().int().nonnegative() });

/** The number in the answer of an endpoint that counts. Throws ChatFailure where there is none. */
export function readCount(text: string, thing: string): number {
  return readAnswer(text, countShape, `${thing}, asked to count,`).answer.input_tokens;
}

const accuracy = ['measured', 'counted', 'estimated'] as const;

/** Both together, labelled as the less exact of the two. */
export function addUsage(a: TokenUsage | null, b: TokenUsage | null): TokenUsage | null {
  if (!a || !b) return null;
  const source =
    accuracy[Math.max(accuracy.indexOf(a.source), accuracy.indexOf(b.source))] ?? 'estimated';
  return { input: a.input + b.input, output: a.output + b.output, source };
}
