import type Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { observation } from '../../../../src-shared/domain/observation.ts';
import { tool } from '../../../testing/fakeModelServer/openTestModel.ts';
import { createMessagesFormat } from '../anthropic/messagesFormat.ts';
import { ChatFailure } from '../chatModel.ts';
import { createChatFormat } from '../compatible/chatFormat.ts';
import { createResponsesFormat } from '../openai/responsesFormat.ts';
import { AnsweredError } from '../request/endpointErrors.ts';
import { classifyFailure } from '../request/classifyFailure.ts';
import { prepareFor } from '../wire/wireFormat.ts';

const settings = { model: 'm', temperature: null, reasoningEffort: null, sent: {} };
const noClient = undefined as unknown;
const formats = [
  createChatFormat(noClient as OpenAI, settings, 'it'),
  createResponsesFormat(noClient as OpenAI, { ...settings, reasons: true }, 'it'),
  createMessagesFormat(noClient as Anthropic, { ...settings, effort: null, maxTokens: 10 }, 'it'),
] as const;
const tools = prepareFor([tool('add_task')], 'openai', {});

/** Every name that a reader looks at, with values of every kind, some of them right. */
const names = [
  ...[
    'choices',
    'message',
    'delta',
    'content',
    'tool_calls',
    'function_call',
    'function',
    'custom',
  ],
  ...['name', 'arguments', 'input', 'id', 'call_id', 'type', 'status', 'finish_reason', 'output'],
  ...['stop_reason', 'usage', 'prompt_tokens', 'output_tokens', 'error', 'refusal', 'reasoning'],
  ...[
    'reasoning_content',
    'summary',
    'text',
    'thinking',
    'logprobs',
    'incomplete_details',
    'tools',
  ],
  ...['reason', 'code', 'details', 'metadata', 'raw', 'headers', 'param', 'quotaId', 'retryDelay'],
];
const words = [
  ...['todo__add_task', '{}', '{"a":1}', '', 'stop', 'length', 'message', 'function_call'],
  ...['tool_use', 'text', 'completed', 'error', 'reasoning', 'response', '1s'],
];
const { body } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...words),
    fc.constantFrom(null, true, false, 0, -1, 1.5, 429),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
  ),
  body: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
}));

describe.each(formats)('any answer in $wireApi', (format) => {
  it('is read, or fails with a reason', () => {
    fc.assert(
      fc.property(body, (answer) => {
        let read;
        try {
          read = format.read(JSON.stringify(answer), tools);
        } catch (error) {
          expect(error instanceof ChatFailure || error instanceof AnsweredError).toBe(true);
          expect(classifyFailure(error, 'it', 0).failure.message).toMatch(/^it /);
          return;
        }
        const { loaded: _, ...reply } = read.reply;
        observation.parse({ confidence: null, ...reply });
        const ids = reply.calls.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 2_000 },
    );
  });
});
