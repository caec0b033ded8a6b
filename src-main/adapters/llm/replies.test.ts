import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { remoteProviders, type RemoteProvider } from '../../../src-shared/domain/provider.ts';
import { ask, openTestModel, tool } from '../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';
import type { Reaction } from '../../testing/fakeModelServer/react.ts';

let server: FakeModelServer;
beforeAll(async () => void (server = await startFakeModelServer()));
afterAll(() => server[Symbol.asyncDispose]());

async function observe(provider: RemoteProvider, reaction: Reaction) {
  const model = await openTestModel(server, provider);
  server.script(reaction);
  return (await model.choose(ask('hello'), AbortSignal.timeout(20_000))).observation;
}
const calling = (args: JsonValue, name = 'todo__add_task', stop?: string): Reaction => ({
  does: 'answer',
  calls: [{ name, arguments: args }],
  ...(stop !== undefined && { stop }),
});

describe.each(remoteProviders)('replies of %s', (provider) => {
  const wiresText = provider !== 'anthropic';

  it.each<[string, string]>([
    ['cut off', '{"a":'],
    ['two objects', '{}{}'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['too deep', `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`],
  ])('T42: keeps arguments that are %s as text, never as {}', async (_, text) => {
    const { calls, stopReason } = await observe(provider, calling(text));
    expect(calls).toEqual([
      expect.objectContaining({
        server: 'todo',
        tool: 'add_task',
        arguments: null,
        argumentsText: text,
      }),
    ]);
    expect(stopReason).toBe('called');
  });

  it('T42: reads large arguments, double keys and prototype keys as they are', async () => {
    const large = 'x'.repeat(5 * 1024 * 1024);
    expect((await observe(provider, calling({ large }))).calls[0]?.arguments).toEqual({ large });
    const own = await observe(
      provider,
      calling(
        wiresText
          ? '{"a":1,"a":2,"__proto__":{"b":1}}'
          : (JSON.parse('{"a":2,"__proto__":{"b":1}}') as JsonValue),
      ),
    );
    expect(JSON.stringify(own.calls[0]?.arguments)).toBe('{"a":2,"__proto__":{"b":1}}');
    expect((await observe(provider, calling([1]))).calls[0]).toMatchObject({
      arguments: null,
      argumentsText: '[1]',
    });
  });

  it('T42: keeps every call, and a name that was never offered without a tool', async () => {
    const { calls } = await observe(provider, {
      does: 'answer',
      calls: [
        { id: 'same', name: 'todo__add_task', arguments: { n: 1 } },
        { id: 'same', name: 'multi_tool_use.parallel', arguments: {} },
        { id: 'third', name: 'todo__add_task', arguments: '{' },
        { id: 'fourth', name: 'add_task', arguments: {} },
        { id: 'fifth', name: 'todo__delete_task', arguments: {} },
      ],
    });
    expect(
      calls.map(({ id, server: from, tool: called, name }) => [id, from, called, name]),
    ).toEqual([
      ['same', 'todo', 'add_task', 'todo__add_task'],
      // Its result needs an id of its own.
      ['call00001', null, null, 'multi_tool_use.parallel'],
      ['third', 'todo', 'add_task', 'todo__add_task'],
      ['fourth', null, null, 'add_task'],
      ['fifth', 'todo', 'delete_task', 'todo__delete_task'],
    ]);
  });

  const endings: Record<RemoteProvider, [string | undefined, string, string][]> = {
    // What is said, then what it means without and with a call.
    openai: [
      [undefined, 'answered', 'called'],
      ['max_output_tokens', 'cut_off', 'cut_off'],
      ['content_filter', 'filtered', 'filtered'],
      ['new_reason', 'cut_off', 'cut_off'],
      ['status:in_progress', 'unknown', 'unknown'],
      ['status:cancelled', 'unknown', 'unknown'],
      ['status:queued', 'unknown', 'unknown'],
    ],
    'openai-compatible': [
      ['stop', 'answered', 'called'],
      ['tool_calls', 'unknown', 'called'],
      ['function_call', 'unknown', 'called'],
      ['length', 'cut_off', 'cut_off'],
      ['content_filter', 'filtered', 'filtered'],
      ['new_reason', 'answered', 'called'],
    ],
    anthropic: [
      ['end_turn', 'answered', 'called'],
      ['tool_use', 'unknown', 'called'],
      ['stop_sequence', 'answered', 'called'],
      ['max_tokens', 'cut_off', 'cut_off'],
      ['model_context_window_exceeded', 'cut_off', 'cut_off'],
      ['refusal', 'refused', 'refused'],
      ['pause_turn', 'unknown', 'unknown'],
      ['new_reason', 'answered', 'called'],
    ],
  };
  it.each(endings[provider])(
    'T43: reads the ending %s as %s, and as %s with a call',
    async (stop, alone, beside) => {
      expect(
        (
          await observe(provider, {
            does: 'answer',
            text: 'Well.',
            ...(stop !== undefined && { stop }),
          })
        ).stopReason,
      ).toBe(alone);
      expect((await observe(provider, calling({}, 'todo__add_task', stop))).stopReason).toBe(
        beside,
      );
    },
  );

  it('T43: reads a missing ending, and a refusal in words', async () => {
    if (provider !== 'openai')
      expect((await observe(provider, { does: 'answer', text: 'x', stop: null })).stopReason).toBe(
        'answered',
      );
    if (provider !== 'anthropic')
      expect(await observe(provider, { does: 'answer', refusal: 'I will not.' })).toMatchObject({
        stopReason: 'refused',
        text: 'I will not.',
      });
  });

  it('keeps text with a call and the measured usage, and invents no confidence', async () => {
    const said = await observe(provider, {
      does: 'answer',
      text: 'Doing it.',
      calls: [{ name: 'todo__add_task', arguments: {} }],
    });
    expect(said).toMatchObject({
      text: 'Doing it.',
      confidence: null,
      usage: { input: 120, output: 17, source: 'measured' },
    });
  });
});

it('keeps details only where something was changed', async () => {
  const model = await openTestModel(server, 'openai');
  const plain = await model.choose(
    ask('hello', [tool('a', { type: 'object', properties: {} })]),
    AbortSignal.timeout(5_000),
  );
  expect(plain.observation).not.toHaveProperty('details');
  const changed = await model.choose(
    ask('hello', [tool('a', { type: 'object', anyOf: [{ required: ['b'] }] })]),
    AbortSignal.timeout(5_000),
  );
  expect(changed.observation.details).toEqual({
    relaxations: ['todo:a #: anyOf folded at the top'],
  });
});
