import type OpenAI from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { z } from 'zod';
import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { ReasoningEffort } from '../../../../src-shared/domain/provider.ts';
import type { Confidence, Observation } from '../../../../src-shared/domain/observation.ts';
import type { ChatModel } from '../chatModel.ts';
import { readAnswer } from '../request/readAnswer.ts';
import { lengthReasons } from '../wire/lengthReasons.ts';
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
/** A call, or an older endpoint's only one. Some leave the id out, or give arguments as a value. */
const named = z.looseObject({ name: z.string(), arguments: z.unknown().optional() });
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
          tool_calls: z
            .array(
              z.union([
                z.looseObject({ id: z.string().nullish(), function: named }),
                // Custom tools, which were not offered: a call all the same.
                z
                  .looseObject({
                    id: z.string().nullish(),
                    custom: z.looseObject({ name: z.string(), input: z.unknown().optional() }),
                  })
                  .transform(({ id, custom: { name, input } }) => ({
                    id,
                    function: { name, arguments: input },
                  })),
              ]),
            )
            .nullish(),
          function_call: named.nullish().catch(null),
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
      const messages = answer.choices.map(({ message }) => message);
      const written = callsOf(answer);
      const calls = written.map((call) => readCall(call, tools));
      const said = joined(messages.map(({ content, refusal }) => content ?? refusal));
      const stopReason = firstOf(
        answer.choices.map(({ finish_reason: finish, message }) =>
          stopReasonOf(
            finish ?? null,
            calls.length > 0,
            typeof message.refusal === 'string' && message.refusal !== '',
          ),
        ),
      );
      const usage = answer.usage
        ? {
            input: answer.usage.prompt_tokens,
            output: answer.usage.completion_tokens,
            source: 'measured' as const,
            ...cachedTokens(answer.usage.prompt_tokens_details?.cached_tokens),
          }
        : null;
      const thought = joined(
        messages.map(({ reasoning_content: content, reasoning }) => content ?? reasoning),
      );
      const confidence =
        sent['confidence'] === 'logprobs'
          ? nameConfidence(
              answer.choices.flatMap(({ logprobs }) => logprobs?.content ?? []),
              calls,
            )
          : null;
      return {
        body,
        reply: {
          calls,
          text: said,
          reasoning: thought,
          stopReason,
          usage,
          confidence,
        },
      };
    },
  };
}

type StopReason = Observation['stopReason'];
interface WrittenCall {
  id: string | null | undefined;
  name: string;
  arguments: unknown;
}
type Answer = z.infer<typeof answerShape>;
type Message = Answer['choices'][number]['message'];

/**
 * The calls of a reply, in their order. One choice was asked for, so several are parts of one reply:
 * some endpoints give the text in one and the call in another, or a call in each of them, and then it
 * is one call.
 */
function callsOf({ choices }: Answer): (WrittenCall & { id: string })[] {
  const calls: WrittenCall[] = [];
  for (const { message } of choices) {
    const before = new Set(calls.map(contentOf));
    calls.push(...callsOfMessage(message).filter((call) => !before.has(contentOf(call))));
  }
  return calls.map((call, index) => ({ ...call, id: call.id ?? `call_${index + 1}` }));
}

function callsOfMessage({ tool_calls: given, function_call: legacy }: Message): WrittenCall[] {
  const calls = (given ?? []).map(({ id, function: { name, arguments: args } }): WrittenCall => ({
    id,
    name,
    arguments: args,
  }));
  const own = legacy && { id: null, name: legacy.name, arguments: legacy.arguments };
  // Endpoints that know both forms write the same call in each of them.
  return own && !calls.some((call) => contentOf(call) === contentOf(own)) ? [...calls, own] : calls;
}

/** Equal for equal calls, however their arguments are written. */
function contentOf({ name, arguments: given }: WrittenCall): string {
  const text = argumentsText(given);
  try {
    return canonicalJson([name, parseJson(text) as JsonValue]);
  } catch {
    return JSON.stringify([name, text]);
  }
}

const argumentsText = (given: unknown): string =>
  typeof given === 'string' ? given : JSON.stringify(given ?? {});

/** The texts that aren't empty, each once; null where there is none. */
function joined(texts: readonly (string | null | undefined)[]): string | null {
  const said = [...new Set(texts)].filter((text) => text != null && text !== '');
  return said.length === 0 ? null : said.join('\n');
}

/** What the choices of one reply ended with, the most telling first. */
const firstOf = (found: readonly StopReason[]): StopReason =>
  (['cut_off', 'called', 'refused', 'answered'] as const).find((each) => found.includes(each)) ??
  'unknown';

/** The model's own message, to be put in again; a call without an id got one when it was read. */
function messageOf(body: JsonObject): ChatCompletionMessageParam {
  const answer = answerShape.parse(body);
  const calls = callsOf(answer);
  return {
    role: 'assistant',
    content:
      joined(answer.choices.map(({ message }) => message.content)) ??
      answer.choices[0]?.message.content ??
      null,
    // An empty list is refused.
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, arguments: given }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: argumentsText(given) },
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

function stopReasonOf(finish: string | null, called: boolean, refused: boolean): StopReason {
  if (lengthReasons.has(finish ?? '')) return 'cut_off';
  if (finish === 'content_filter') return 'refused';
  if (finish === 'stop') return called ? 'called' : refused ? 'refused' : 'answered';
  // Some endpoints say "tool_calls" where they cut the reply off before the call was whole.
  if (finish === 'tool_calls' || finish === 'function_call') return called ? 'called' : 'unknown';
  return 'unknown';
}
