import type OpenAI from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ReasoningEffort } from '../../../../src-shared/domain/provider.ts';
import type { Confidence, Observation } from '../../../../src-shared/domain/observation.ts';
import type { ChatModel } from '../chatModel.ts';
import { readAnswer } from '../request/readAnswer.ts';
import { readCall } from '../wire/readCall.ts';
import { cachedTokens } from '../wire/addUsage.ts';
import type { ToolFormat, WireFormat } from '../wire/wireFormat.ts';

export const chatTools: ToolFormat<ChatCompletionFunctionTool> = {
  dialect: 'openai',
  writeTools: (tools) =>
    tools.map(({ name, description, schema, strict }) => ({
      type: 'function',
      function: {
        name,
        ...(description !== '' && { description }),
        parameters: strict ?? schema,
        ...(strict && { strict: true }),
      },
    })),
};

const count = z.number().int().nonnegative();
const answerShape = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          // Where some endpoints put what the model thought.
          reasoning_content: z.string().nullish().catch(null),
          reasoning: z.string().nullish().catch(null),
          // Some endpoints leave the id out, or give the arguments as a value.
          tool_calls: z
            .array(
              z.looseObject({
                id: z.string().nullish(),
                function: z.looseObject({ name: z.string(), arguments: z.unknown() }),
              }),
            )
            .nullish(),
        }),
        logprobs: z
          .looseObject({
            content: z.array(z.looseObject({ token: z.string(), logprob: z.number() })).nullish(),
          })
          .nullish()
          .catch(null),
      }),
    )
    .min(1),
  usage: z
    .looseObject({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z
        .looseObject({ cached_tokens: count.nullish() })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

export interface ChatSettings {
  model: string;
  /** Null = not sent. */
  temperature: number | null;
  reasoningEffort: ReasoningEffort | null;
  sent: ChatModel['sent'];
}

export function createChatFormat(
  client: OpenAI,
  { model, temperature, reasoningEffort, sent }: ChatSettings,
  thing: string,
): WireFormat<ChatCompletionFunctionTool, ChatCompletionCreateParamsNonStreaming> {
  return {
    ...chatTools,
    wireApi: 'openai-chat',
    writeBody: ({ system, messages, query }, tools) => ({
      model,
      messages: [
        ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
        ...messages.map(({ role, content }): ChatCompletionMessageParam => ({ role, content })),
        { role: 'user' as const, content: query },
      ],
      ...(tools.length > 0 && { tools, tool_choice: 'auto' as const }),
      ...(temperature !== null && { temperature }),
      ...(reasoningEffort !== null && { reasoning_effort: reasoningEffort }),
      ...(sent['confidence'] === 'logprobs' && { logprobs: true }),
    }),
    writeNext: (body, answer, results) => ({
      ...body,
      messages: [
        ...body.messages,
        messageOf(answer),
        ...results.map(({ id, text }): ChatCompletionMessageParam => ({
          role: 'tool',
          tool_call_id: id,
          content: text,
        })),
      ],
    }),
    writeTurn: (body, answer, text) => ({
      ...body,
      messages: [...body.messages, messageOf(answer), { role: 'user', content: text }],
    }),
    post: (body, signal) => client.chat.completions.create(body, { signal }).asResponse(),
    read(text, tools) {
      const { body, answer } = readAnswer(text, answerShape, thing);
      const choice = answer.choices[0];
      const message = choice?.message;
      const calls = (message?.tool_calls ?? []).map((call, index) =>
        readCall(
          {
            id: call.id ?? `call_${index + 1}`,
            name: call.function.name,
            arguments: call.function.arguments,
          },
          tools,
        ),
      );
      const said = message?.content ?? message?.refusal ?? null;
      const stopReason = stopReasonOf(
        choice?.finish_reason ?? null,
        calls.length > 0,
        typeof message?.refusal === 'string' && message.refusal !== '',
      );
      const usage = answer.usage
        ? {
            input: answer.usage.prompt_tokens,
            output: answer.usage.completion_tokens,
            source: 'measured' as const,
            ...cachedTokens(answer.usage.prompt_tokens_details?.cached_tokens),
          }
        : null;
      const thought = message?.reasoning_content ?? message?.reasoning ?? null;
      const confidence =
        sent['confidence'] === 'logprobs'
          ? nameConfidence(choice?.logprobs?.content ?? [], calls)
          : null;
      return {
        body,
        reply: {
          calls,
          text: said === '' ? null : said,
          reasoning: thought === '' ? null : thought,
          stopReason,
          usage,
          confidence,
        },
      };
    },
  };
}

/** The model's own message, to be put in again; a call without an id got one when it was read. */
function messageOf(answer: JsonObject): ChatCompletionMessageParam {
  const { choices } = answerShape.parse(answer);
  const { content, tool_calls: calls } = choices[0]?.message ?? {};
  return {
    role: 'assistant',
    content: content ?? null,
    // An empty list is refused.
    ...(calls &&
      calls.length > 0 && {
        tool_calls: calls.map((call, index) => ({
          id: call.id ?? `call_${index + 1}`,
          type: 'function' as const,
          function: {
            name: call.function.name,
            arguments:
              typeof call.function.arguments === 'string'
                ? call.function.arguments
                : JSON.stringify(call.function.arguments ?? {}),
          },
        })),
      }),
  };
}

/**
 * The probability that the model gave to the name of the tool that it called first: the product
 * over the tokens that spell it. Null where the endpoint returns no tokens of the call; most return
 * only those of the text.
 */
function nameConfidence(
  tokens: readonly { token: string; logprob: number }[],
  calls: Observation['calls'],
): Confidence | null {
  const [first] = calls;
  const at = first
    ? tokens
        .map(({ token }) => token)
        .join('')
        .indexOf(first.name)
    : -1;
  if (!first || at < 0) return null;
  let sum = 0;
  let start = 0;
  for (const { token, logprob } of tokens) {
    const end = start + token.length;
    if (end > at && start < at + first.name.length) sum += logprob;
    start = end;
  }
  return { score: Math.min(1, Math.exp(sum)), method: 'logprobs' };
}

function stopReasonOf(
  finish: string | null,
  called: boolean,
  refused: boolean,
): Observation['stopReason'] {
  if (finish === 'length') return 'cut_off';
  if (finish === 'content_filter') return 'refused';
  if (finish === 'stop') return called ? 'called' : refused ? 'refused' : 'answered';
  // Some endpoints say "tool_calls" where they cut the reply off before the call was whole.
  if (finish === 'tool_calls' || finish === 'function_call') return called ? 'called' : 'unknown';
  return 'unknown';
}
