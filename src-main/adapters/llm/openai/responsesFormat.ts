import type OpenAI from 'openai';
import type { FunctionTool, ResponseCreateParamsNonStreaming, ResponseInputItem } from 'openai/resources/responses/responses';
import { z } from 'zod';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import { ChatFailure, type ChatModel } from '../chatModel.ts';
import { readAnswer } from '../request/readAnswer.ts';
import { excerpt } from '../request/trouble.ts';
import { readCall } from '../wire/readCall.ts';
import type { ReadReply, WireFormat } from '../wire/wireModel.ts';
import type { WireTool, WireTools } from '../wire/wireTools.ts';

export const responsesWireApi = 'openai-responses';

export function writeResponsesTool({ name, description, schema }: WireTool): FunctionTool {
  // Strict mode would change the schema under test; here it is on unless it is turned off.
  return { type: 'function', name, ...(description !== '' && { description }), parameters: schema, strict: false };
}

const count = z.number().int().nonnegative();
const answerShape = z.looseObject({
  status: z.string().nullish(),
  error: z.looseObject({ message: z.string().nullish() }).nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  output: z
    .array(z.union([
      z.looseObject({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
      z.looseObject({ type: z.literal('message'), content: z.array(z.looseObject({ type: z.string(), text: z.string().nullish(), refusal: z.string().nullish() })) }),
      z.looseObject({ type: z.string().refine((type) => type !== 'function_call' && type !== 'message') }),
    ])),
  usage: z.looseObject({ input_tokens: count, output_tokens: count }).nullish(),
});
type Answer = z.infer<typeof answerShape>;

export function createResponsesFormat(client: OpenAI, model: string, temperature: number | null, thing: string): WireFormat<FunctionTool, ResponseCreateParamsNonStreaming> {
  return {
    wireApi: responsesWireApi,
    dialect: 'openai',
    writeTool: writeResponsesTool,
    writeBody: ({ system, messages, query }, tools) => ({
      model,
      ...(system !== null && { instructions: system }),
      input: [...messages.map(({ role, content }): ResponseInputItem => ({ role, content })), { role: 'user', content: query }],
      ...(tools.length > 0 && { tools, tool_choice: 'auto' as const }),
      ...(temperature !== null && { temperature }),
      store: false,
    }),
    post: (body, signal) => client.responses.create(body, { signal }).asResponse(),
    read(text, tools) {
      const { body, answer } = readAnswer(text, answerShape, thing);
      if (answer.status === 'failed' || answer.error) throw new ChatFailure('provider', `${thing} failed while answering: ${excerpt(answer.error?.message ?? '')}`, { response: body });
      // A reply that was cut off may well hold nothing yet.
      if (answer.output.length === 0 && answer.status !== 'incomplete') throw new ChatFailure('provider', `${thing} gave an empty answer: ${excerpt(text)}`, { response: body });
      return { body, reply: readReply(answer, tools) };
    },
  };
}

export function responsesSettings(temperature: number | null): ChatModel['sent'] {
  return { temperature, tool_choice: 'auto', strict: false, store: false };
}

function readReply(answer: Answer, tools: WireTools): ReadReply {
  const calls: Observation['calls'] = [];
  const texts: string[] = [];
  let refused = false;
  for (const item of answer.output) {
    if (isCall(item)) calls.push(readCall({ id: item.call_id, name: item.name, arguments: item.arguments }, tools));
    else if (isMessage(item)) {
      for (const part of item.content) {
        if (part.type === 'refusal') refused = true;
        texts.push(part.text ?? part.refusal ?? '');
      }
    }
  }
  const text = texts.join('\n');
  return {
    calls,
    text: text === '' ? null : text,
    reasoning: null,
    stopReason: stopReasonOf(answer, calls.length > 0, refused),
    usage: answer.usage ? { input: answer.usage.input_tokens, output: answer.usage.output_tokens, source: 'measured' } : null,
  };
}

type Item = Answer['output'][number];
const isCall = (item: Item): item is Extract<Item, { call_id: string }> => item.type === 'function_call';
const isMessage = (item: Item): item is Extract<Item, { type: 'message' }> => item.type === 'message';

function stopReasonOf({ status, incomplete_details: details }: Answer, called: boolean, refused: boolean): Observation['stopReason'] {
  if (status === 'completed') return called ? 'called' : refused ? 'refused' : 'answered';
  if (status !== 'incomplete') return 'unknown';
  if (details?.reason === 'max_output_tokens') return 'cut_off';
  return details?.reason === 'content_filter' ? 'refused' : 'unknown';
}
