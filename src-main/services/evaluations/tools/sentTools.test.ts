import { describe, expect, it } from 'vitest';
import {
  isSentOtherwise,
  offeredText,
  sentToolsText,
  unreadableText,
} from '../../../../src-shared/display/sentToolsTexts.ts';
import type { SentTools } from '../../../../src-shared/domain/sentTools.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { mapTools } from '../../../adapters/llm/openChatModel.ts';
import { accountOf } from './sentTools.ts';

const text: JsonObject = { type: 'string' };
const sound: JsonObject = { type: 'object', properties: { a: text } };
const tool = (name: string, inputSchema: JsonObject = sound, server = 'todo') => ({
  ...{ server, name, title: null, description: 'Does it.', inputSchema, outputSchema: null },
  ...{ annotations: null, snapshotToolId: 1, hash: name },
});
const rejected = [{ server: 'todo', name: 'broken', reason: 'Its inputSchema is null.' }];
const account = (
  tools: readonly ReturnType<typeof tool>[],
  { wireApi = 'openai-chat', sent = {}, lost = [] as typeof rejected } = {},
) => accountOf([{ tools, rejected: lost, mapping: mapTools(wireApi, tools, sent) }]);

describe('the account of what a model is sent', () => {
  it('says nothing of tools that are sent as they were published', () => {
    const own = account([tool('a'), tool('b')]);
    expect(own).toEqual({
      published: 2,
      offered: 2,
      leftOut: [],
      adapted: [],
      renamed: [],
      unreadable: [],
    });
    expect(isSentOtherwise(own)).toBe(false);
    expect(sentToolsText(own)).toBe('2 tools offered as published');
  });

  it.each<[string, JsonObject, string[]]>([
    [
      'an array without items',
      { type: 'object', properties: { a: { type: 'array' } } },
      ['#/properties/a: items: {} added'],
    ],
    [
      'a draft that is named',
      { ...sound, $schema: 'http://json-schema.org/draft-07/schema#' },
      ['$schema left out'],
    ],
    [
      'a reference',
      { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: text } },
      ['$defs left out', 'references replaced by their targets'],
    ],
    [
      'a choice at the top',
      { ...sound, anyOf: [{ required: ['a'] }] },
      ['#: anyOf folded at the top'],
    ],
    ['no properties', { type: 'object' }, ['written in the form that the provider takes']],
    [
      'a keyword with a wrong value',
      { type: 'object', properties: { a: { ...text, minLength: '3' } } },
      ["#/properties/a/minLength: a value that JSON Schema doesn't allow left out"],
    ],
  ])('counts an adapted schema for %s', (_what, schema, changes) => {
    expect(account([tool('a', schema)]).adapted).toEqual([{ tool: 'todo:a', changes }]);
  });

  it('counts strict mode as an adapted schema, and says where it is off', () => {
    const open = { type: 'object', properties: {}, additionalProperties: true };
    const { adapted } = account([tool('a'), tool('open', open)], { sent: { strict: true } });
    expect(adapted).toEqual([
      {
        tool: 'todo:a',
        changes: ['strict mode: objects closed, optional parameters required and nullable'],
      },
    ]);
    expect(mapTools('openai-chat', [tool('open', open)], { strict: true }).relaxations).toEqual([
      expect.stringContaining('strict mode off'),
    ]);
  });

  it('leaves out what a provider can’t be offered and what nobody can use', () => {
    const tools = [
      tool('a'),
      tool('text', text),
      tool('spaced', { type: 'object', properties: { 'a b': text }, required: ['a b'] }),
    ];
    const own = account(tools, { wireApi: 'anthropic-messages', lost: rejected });
    expect(own).toMatchObject({ published: 4, offered: 1 });
    expect(own.leftOut.map((each) => each.tool)).toEqual([
      'todo:broken',
      'todo:text',
      'todo:spaced',
    ]);
    expect(account(tools, { lost: rejected })).toMatchObject({ published: 4, offered: 2 });
    expect(sentToolsText(own)).toBe('1 of 4 tools offered as published');
  });

  it('names a tool that is called otherwise than server__tool', () => {
    const long = 'x'.repeat(70);
    const { renamed } = account([tool('plain'), tool('mail.send'), tool(long)]);
    expect(renamed).toEqual([
      { tool: 'todo:mail.send', name: 'todo__mail_send' },
      { tool: `todo:${long}`, name: expect.stringMatching(/^todo__x+_[0-9a-f]{8}$/u) },
    ]);
    expect(mapTools('builtin', [tool('mail.send')]).names[0]?.wire).toBe('todo:mail.send');
    expect(account([tool('mail.send')], { wireApi: 'builtin' }).renamed).toEqual([]);
  });

  it('counts a tool of several groups once', () => {
    const [a, b] = [tool('a'), tool('b', { type: 'object' })];
    const group = (tools: (typeof a)[]) => ({
      tools,
      rejected,
      mapping: mapTools('openai-chat', tools),
    });
    const own = accountOf([group([a]), group([a, b]), group([b])]);
    expect(own).toMatchObject({ published: 3, offered: 2 });
    expect(sentToolsText(own)).toBe('2 of 3 tools offered; 1 with an adapted schema');
  });

  it('sums the models of an evaluation up in a few words', () => {
    const of = (published: number, offered: number, adapted: number): SentTools => ({
      ...{ published, offered, leftOut: [], renamed: [], unreadable: [] },
      adapted: Array.from({ length: adapted }, (_, at) => ({ tool: `s:${at}`, changes: [] })),
    });
    expect(
      [
        [],
        [of(1, 1, 0)],
        [of(20, 18, 17)],
        [of(20, 18, 17), of(20, 20, 0)],
        [of(1_200, 1_200, 3), of(1_200, 1_200, 1_100)],
        [of(2, 0, 0)],
      ].map(offeredText),
    ).toEqual([
      null,
      '1 tool',
      '18 of 20 tools, 17 schemas adapted',
      '18–20 of 20 tools, 17 schemas adapted',
      '1,200 tools, 1,100 schemas adapted',
      '0 of 2 tools',
    ]);
  });

  it('names the keywords by which arguments can’t be judged', () => {
    const odd = {
      type: 'object',
      properties: { a: { ...text, minLength: '3' }, b: { type: 'strng' } },
    };
    const own = account([tool('odd', odd), tool('a')]);
    expect(own.unreadable).toEqual([
      { tool: 'todo:odd', places: ['/properties/a/minLength', '/properties/b/type'] },
    ]);
    expect(unreadableText(own)).toBe(
      '1 tool has schema keywords that can’t be read, so arguments aren’t judged by them: ' +
        'todo:odd (/properties/a/minLength and 1 more place).',
    );
  });
});
