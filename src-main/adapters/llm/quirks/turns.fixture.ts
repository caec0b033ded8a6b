import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { RemoteProvider } from '../../../../src-shared/domain/provider.ts';
import {
  call,
  callWith,
  chat,
  functionCall,
  message,
  response,
  toolUse,
  type Quirk,
} from './bodies.fixture.ts';

/** What a model's own message has to bring back in the next request. */
export interface TurnQuirk extends Quirk {
  format: RemoteProvider;
  body: JsonObject;
  /** Members of the next request, in its list of messages or items. */
  sends: readonly JsonObject[];
}

const signed = { extra_content: { google: { thought_signature: 'SIG' } } };
const asked = (more: JsonObject): JsonObject => ({ content: null, tool_calls: [call()], ...more });
const thought = { type: 'thinking', thinking: 'hm', signature: 'SIG' };
const hidden = { type: 'redacted_thinking', data: 'ENC' };

const chatTurns = (
  rows: readonly (readonly [string, string, JsonObject, JsonObject])[],
): TurnQuirk[] =>
  rows.map(([quirk, who, given, sent]) => ({
    format: 'openai-compatible',
    quirk,
    who,
    body: chat(given, 'tool_calls'),
    sends: [{ role: 'assistant', ...sent }],
  }));

export const turnQuirks: readonly TurnQuirk[] = [
  ...chatTurns([
    [
      'signatures of thoughts at calls (extra_content)',
      'Gemini, nanbingxyz/5ire#405',
      asked({ tool_calls: [call(signed)] }),
      { tool_calls: [call(signed)] },
    ],
    [
      'reasoning_content',
      'DeepSeek, continuedev/continue#10193',
      asked({ reasoning_content: 'hm' }),
      { reasoning_content: 'hm' },
    ],
    [
      'reasoning and reasoning_details',
      'OpenRouter',
      asked({ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.encrypted', data: 'E' }] }),
      { reasoning: 'hm', reasoning_details: [{ type: 'reasoning.encrypted', data: 'E' }] },
    ],
    [
      'thinking parts of the content',
      'Mistral',
      asked({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] },
    ],
    [
      'members that nobody knows yet',
      'whatever comes next',
      asked({ x_new: { a: [1] }, tool_calls: [call({ x_call: 'y' })] }),
      { x_new: { a: [1] }, tool_calls: [call({ x_call: 'y' })] },
    ],
    [
      'arguments as the JSON text of an object',
      'vllm-project/vllm#19419',
      asked({ tool_calls: [callWith({ arguments: '' })] }),
      { tool_calls: [callWith({ arguments: '{}' })] },
    ],
    [
      'an id for each call, of nine letters and digits where it is new',
      'Mistral, vllm-project/vllm#5649',
      asked({ tool_calls: [call(), call()] }),
      { tool_calls: [call(), call({ id: 'call00001' })] },
    ],
    [
      'a name of letters and digits',
      'OpenAI',
      asked({ tool_calls: [callWith({ name: 'functions.todo__add_task', arguments: '{}' })] }),
      { tool_calls: [callWith({ name: 'todo__add_task', arguments: '{}' })] },
    ],
  ]),
  {
    format: 'openai',
    quirk: 'encrypted reasoning, and items that nobody knows yet',
    who: 'OpenAI, vercel/ai#7543',
    body: response([
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ENC' },
      { type: 'new_item', x: 1 },
      functionCall({ arguments: '', x_new: 1 }),
    ]),
    sends: [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ENC' },
      { type: 'new_item', x: 1 },
      functionCall({ arguments: '{}', x_new: 1 }),
    ],
  },
  {
    format: 'openai',
    quirk: 'no reasoning that is only a name',
    who: 'OpenAI ("Item … not found"), openai/openai-agents-python#919',
    body: response([
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null },
      functionCall(),
    ]),
    sends: [functionCall()],
  },
  {
    format: 'openai',
    quirk: 'a text without its message, as a message',
    who: 'gateways',
    body: response([{ type: 'output_text', text: 'Hm.' }, functionCall()]),
    sends: [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hm.' }] },
      functionCall(),
    ],
  },
  {
    format: 'anthropic',
    quirk: 'no blank text',
    who: 'Anthropic ("text content blocks must contain non-whitespace text")',
    body: message([{ type: 'text', text: '\n\n' }, { type: 'text', text: null }, toolUse()], {
      stop_reason: 'tool_use',
    }),
    sends: [{ role: 'assistant', content: [toolUse()] }],
  },
  {
    format: 'anthropic',
    quirk: 'thinking and redacted thinking with their signatures',
    who: 'Anthropic',
    body: message([thought, hidden, { type: 'text', text: '' }, toolUse({ x_new: 1 })], {
      stop_reason: 'tool_use',
    }),
    sends: [{ role: 'assistant', content: [thought, hidden, toolUse({ x_new: 1 })] }],
  },
];
