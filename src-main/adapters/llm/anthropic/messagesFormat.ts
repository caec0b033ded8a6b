import type Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsNonStreaming, MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages';
import { z } from 'zod';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import { readAnswer } from '../request/readAnswer.ts';
import { readCall } from '../wire/readCall.ts';
import type { WireFormat } from '../wire/wireModel.ts';
import type { WireTool } from '../wire/wireTools.ts';

export const messagesWireApi = 'anthropic-messages';
/** This provider wants a bound; a call that needs more is cut off and shown so. */
export const maximumTokens = 4096;

export function writeMessagesTool({ name, description, schema }: WireTool): Tool {
  return { name, ...(description !== '' && { description }), input_schema: { ...schema, type: 'object' } };
}

const count = z.number().int().nonnegative();
const answerShape = z.looseObject({
  type: z.literal('message'),
  stop_reason: z.string().nullish(),
  content: z.array(z.union([
    z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    z.looseObject({ type: z.string().refine((type) => type !== 'tool_use' && type !== 'text') }),
  ])),
  usage: z.looseObject({ input_tokens: count, output_tokens: count, cache_creation_input_tokens: count.nullish(), cache_read_input_tokens: count.nullish() }).nullish(),
});
type Block = z.infer<typeof answerShape>['content'][number];

const isCall = (block: Block): block is Extract<Block, { type: 'tool_use' }> => block.type === 'tool_use';
const isText = (block: Block): block is Extract<Block, { type: 'text' }> => block.type === 'text';

export function createMessagesFormat(client: Anthropic, model: string, temperature: number | null, thing: string): WireFormat<Tool, MessageCreateParamsNonStreaming> {
  return {
    wireApi: messagesWireApi,
    dialect: 'anthropic',
    writeTool: writeMessagesTool,
    writeBody: ({ system, messages, query }, tools) => ({
      model,
      max_tokens: maximumTokens,
      ...(system !== null && system !== '' && { system }),
      messages: [...messages.map(({ role, content }): MessageParam => ({ role, content })), { role: 'user', content: query }],
      ...(tools.length > 0 && { tools, tool_choice: { type: 'auto' as const } }),
      ...(temperature !== null && { temperature }),
    }),
    post: (body, signal) => client.messages.create(body, { signal }).asResponse(),
    read(text, tools) {
      const { body, answer } = readAnswer(text, answerShape, thing);
      const calls = answer.content.filter(isCall).map((block) => readCall({ id: block.id, name: block.name, arguments: block.input }, tools));
      const said = answer.content.filter(isText).map((block) => block.text).join('\n');
      const { usage } = answer;
      return {
        body,
        reply: {
          calls,
          text: said === '' ? null : said,
          reasoning: null,
          stopReason: stopReasonOf(answer.stop_reason ?? null, calls.length > 0),
          usage: usage
            ? { input: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0), output: usage.output_tokens, source: 'measured' }
            : null,
        },
      };
    },
  };
}

function stopReasonOf(stop: string | null, called: boolean): Observation['stopReason'] {
  if (stop === 'end_turn' || stop === 'stop_sequence') return called ? 'called' : 'answered';
  if (stop === 'tool_use') return called ? 'called' : 'unknown';
  if (stop === 'max_tokens' || stop === 'model_context_window_exceeded') return 'cut_off';
  return stop === 'refusal' ? 'refused' : 'unknown';
}
