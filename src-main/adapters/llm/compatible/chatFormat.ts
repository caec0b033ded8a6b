import type OpenAI from 'openai';
import type { ChatCompletionCreateParamsNonStreaming, ChatCompletionFunctionTool, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import { ChatFailure } from '../chatModel.ts';
import { readAnswer } from '../request/readAnswer.ts';
import { excerpt } from '../request/trouble.ts';
import { readCall } from '../wire/readCall.ts';
import type { WireFormat } from '../wire/wireModel.ts';
import type { WireTool } from '../wire/wireTools.ts';

export const chatWireApi = 'openai-chat';

export function writeChatTool({ name, description, schema }: WireTool): ChatCompletionFunctionTool {
  return { type: 'function', function: { name, ...(description !== '' && { description }), parameters: schema } };
}

const count = z.number().int().nonnegative();
const answerShape = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          // Some endpoints leave the id out, or give the arguments as a value.
          tool_calls: z.array(z.looseObject({ id: z.string().nullish(), function: z.looseObject({ name: z.string(), arguments: z.unknown() }) })).nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.looseObject({ prompt_tokens: count, completion_tokens: count }).nullish().catch(null),
});

export function createChatFormat(client: OpenAI, model: string, temperature: number, thing: string): WireFormat<ChatCompletionFunctionTool, ChatCompletionCreateParamsNonStreaming> {
  return {
    wireApi: chatWireApi,
    dialect: 'openai',
    writeTool: writeChatTool,
    writeBody: ({ system, messages, query }, tools) => ({
      model,
      messages: [
        ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
        ...messages.map(({ role, content }): ChatCompletionMessageParam => ({ role, content })),
        { role: 'user' as const, content: query },
      ],
      ...(tools.length > 0 && { tools, tool_choice: 'auto' as const }),
      temperature,
    }),
    post: (body, signal) => client.chat.completions.create(body, { signal }).asResponse(),
    read(text, tools) {
      const { body, answer } = readAnswer(text, answerShape, thing);
      const choice = answer.choices[0];
      const message = choice?.message;
      const calls = (message?.tool_calls ?? []).map((call, index) => readCall({ id: call.id ?? `call_${index + 1}`, name: call.function.name, arguments: call.function.arguments }, tools));
      const said = message?.content ?? message?.refusal ?? null;
      const stopReason = stopReasonOf(choice?.finish_reason ?? null, calls.length > 0, typeof message?.refusal === 'string' && message.refusal !== '');
      if (calls.length === 0 && said === null && stopReason === 'answered') throw new ChatFailure('provider', `${thing} gave an empty answer: ${excerpt(text)}`, { response: body });
      const usage = answer.usage ? { input: answer.usage.prompt_tokens, output: answer.usage.completion_tokens, source: 'measured' as const } : null;
      return { body, reply: { calls, text: said === '' ? null : said, reasoning: null, stopReason, usage } };
    },
  };
}

function stopReasonOf(finish: string | null, called: boolean, refused: boolean): Observation['stopReason'] {
  if (finish === 'length') return 'cut_off';
  if (finish === 'content_filter') return 'refused';
  if (finish === 'stop') return called ? 'called' : refused ? 'refused' : 'answered';
  // Some endpoints say "tool_calls" where they cut the reply off before the call was whole.
  if (finish === 'tool_calls' || finish === 'function_call') return called ? 'called' : 'unknown';
  return 'unknown';
}
