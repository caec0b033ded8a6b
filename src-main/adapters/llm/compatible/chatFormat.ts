import type OpenAI from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ReasoningEffort } from '../../../../src-shared/domain/provider.ts';
import type { Confidence, Observation } from '../../../../src-shared/domain/observation.ts';
import type { ChatModel } from '../chatModel.ts';
import { brokenOff } from '../request/endpointErrors.ts';
import { readAnswer } from '../request/readAnswer.ts';
import { joinTexts, plainTexts, readContents } from '../wire/contents.ts';
import { endingOf } from '../wire/ending.ts';
import { readCall } from '../wire/readCall.ts';
import { readUsage } from '../wire/usage.ts';
import type { ToolFormat, WireFormat } from '../wire/wireFormat.ts';
import {
  callsOf,
  choicesOf,
  messageOf,
  ownMembersOf,
  withReadableArguments,
  withoutMembers,
} from './chatAnswer.ts';

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
  const refused = new Set<string>();
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
        withoutMembers(messageOf(answer, thing), refused),
        ...results.map(({ id, text }): ChatCompletionMessageParam => ({
          role: 'tool',
          tool_call_id: id,
          content: text,
        })),
      ],
    }),
    writeTurn: (body, answer, text) => ({
      ...body,
      messages: [
        ...body.messages,
        withoutMembers(messageOf(answer, thing), refused),
        { role: 'user', content: text },
      ],
    }),
    // DeepSeek's older models answer 400 to `reasoning_content` that comes back; Groq and Mistral to
    // members that they don't know ("property 'reasoning' is unsupported", "Extra inputs").
    withoutRefused(body, message) {
      const readable = withReadableArguments(body.messages);
      if (readable !== null && /json|delimiter|arguments|parse/i.test(message))
        return { ...body, messages: readable };
      const named = body.messages
        .flatMap(ownMembersOf)
        .filter((member) => !refused.has(member) && new RegExp(`\\b${member}\\b`).test(message));
      const isWanted = /missing|required|(?<!\bnot be )passed back/i.test(message);
      if (named.length === 0 || isWanted) return null;
      for (const member of named) refused.add(member);
      return { ...body, messages: body.messages.map((each) => withoutMembers(each, refused)) };
    },
    post: (body, signal) => client.chat.completions.create(body, { signal }).asResponse(),
    read(text, tools) {
      const body = readAnswer(text, thing);
      const choices = choicesOf(body, thing);
      const calls = callsOf(choices, thing).map((call) => readCall(call, tools));
      const contents = choices.map(({ message }) => readContents(message['content']));
      const refusals = [
        ...contents.flatMap((content) => content.refusals),
        ...choices.flatMap(({ message }) => plainTexts(message['refusal'])),
      ].filter((refusal) => refusal !== '');
      const endings = choices.map(({ finish, error }) => {
        const ending = endingOf(finish, { called: calls.length > 0, refused: refusals.length > 0 });
        if (ending === 'failed' || error !== null) throw brokenOff(finish, error);
        return ending;
      });
      const tokens = choices.flatMap(({ logprobs }) => logprobs);
      return {
        body,
        reply: {
          calls,
          text: joinTexts([...contents.flatMap(({ texts }) => texts), ...refusals]),
          reasoning: joinTexts([
            ...choices.flatMap(({ message }) =>
              plainTexts(
                message['reasoning_content'] ?? message['reasoning'] ?? message['thinking'],
              ),
            ),
            ...contents.flatMap(({ thoughts }) => thoughts),
          ]),
          stopReason: firstOf(endings),
          usage: readUsage(body),
          confidence: sent['confidence'] === 'logprobs' ? nameConfidence(tokens, calls) : null,
        },
      };
    },
  };
}

/** What the choices of one reply ended with, the most telling first. */
const firstOf = (found: readonly Observation['stopReason'][]): Observation['stopReason'] =>
  (['cut_off', 'filtered', 'called', 'refused', 'answered'] as const).find((each) =>
    found.includes(each),
  ) ?? 'unknown';

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
