import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lines } from '../exchange/shapes.fixture.ts';
import {
  claude,
  dune,
  duneCall,
  otlp,
  propose,
  shown,
  span,
  toolCall,
  user,
} from './logs.fixture.ts';
import { readLog } from './readLog.ts';

const session = lines(
  claude('user', { role: 'user', content: 'Which loans are late?' }),
  claude('assistant', {
    id: 'm1',
    role: 'assistant',
    model: 'm-large',
    content: [{ type: 'tool_use', id: 't1', name: 'mcp__shelf__list_loans', input: {} }],
  }),
  claude('assistant', {
    id: 'm1',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't2', name: 'mcp__shelf__find_book', input: { title: 'A' } }],
  }),
  claude('user', {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 't2', is_error: true, content: 'no' }],
  }),
  claude('assistant', {
    id: 'm2',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't3', name: 'mcp__shelf__reserve_book', input: {} }],
  }),
  claude('user', { role: 'user', content: 'Write that down' }),
  claude('assistant', {
    id: 'm3',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't4', name: 'Write', input: { file: 'x' } }],
  }),
  claude('user', { role: 'user', content: 'Thanks' }),
  claude('assistant', { id: 'm4', role: 'assistant', content: [{ type: 'text', text: 'OK' }] }),
  claude('assistant', { id: 'm5', role: 'assistant', content: [] }, { isSidechain: true }),
);

describe('proposals from a log', () => {
  test('are one case for what a client’s file and a captured session both record', async () => {
    const message = (id: number, name: string, args: object) => [
      { from: 'client', message: { id, method: 'tools/call', params: { name, arguments: args } } },
      { from: 'server', message: { id, result: { content: [] } } },
    ];
    const captured = [
      { format: 'touchstone-session', version: 1, server: 'shelf', mode: 'full' },
      ...message(1, 'list_loans', {}),
      ...message(2, 'find_book', { title: 'A' }),
      ...message(3, 'reserve_book', {}),
      ...message(4, 'find_book', { title: 'B' }),
    ];
    const alone = await propose(session);
    for (const both of [
      [session, lines(...captured)],
      [lines(...captured), session],
    ]) {
      const found = await propose(both.join('\n'));
      expect(shown(found).toSorted()).toEqual(
        [...shown(alone), ' → shelf:find_book{"title":"B"}'].toSorted(),
      );
      expect(found.log).toMatchObject({ similar: 3, left: 0 });
    }
  });

  test('expect the first answer, and name later calls and those that failed', async () => {
    const found = await propose(session);
    expect(shown(found)[0]).toBe(
      'Which loans are late? → shelf:list_loans{} + shelf:find_book{"title":"A"}',
    );
    expect(found.cases[0]?.basis).toContain(
      'shelf:list_loans + shelf:find_book (failed), then shelf:reserve_book',
    );
    expect(found.cases[0]?.basis).toContain('m-large, 2026-06-01');
    expect(shown(found)[1]).toMatch(/^Thanks → no tool; user: Which loans/);
    expect(found.cases[1]?.kind).toBe('no tool');
  });

  test('say how many requests with the same tools are counted only', async () => {
    const record = (at: number) => ({
      messages: [
        { role: 'user', content: `Find ${String.fromCodePoint(0x4e00 + at).repeat(9)}` },
        { role: 'assistant', tool_calls: [toolCall('find_book', { title: `${at}` })] },
      ],
    });
    const most = Array.from({ length: 1_000 }, (_, at) => record(at));
    expect((await propose(lines(...most))).notes.join('\n')).not.toContain('To choose from');
    const found = await propose(lines(...most, record(1_000), record(1_001)));
    expect(found.notes.join('\n')).toContain(
      'To choose from, the first 1,000 different requests with the same tools are kept, and 20,000 in all: 2 later ones are counted only.',
    );
    expect(found.log.turns).toBe(1_002);
  });

  test('leave out requests that called only tools of no registered server, and name the tools', async () => {
    const found = await propose(session);
    expect(found.log.ofNoServer).toEqual([{ tool: 'Write', turns: 1 }]);
    expect(found.notes.join('\n')).toContain(
      'whose tools no registered server has, or several have: Write (1).',
    );
    const given = await propose(session, 'a.jsonl', { server: 'files' });
    expect(shown(given)[1]).toMatch(/^Write that down → files:Write/);
  });

  test('say how a call ended by the span of its tool, whatever their order', async () => {
    const found = await propose(
      otlp(
        span(
          {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'find_book',
            'gen_ai.tool.call.id': 'c1',
            'mcp.server.name': 'shelf',
          },
          { spanId: 's2', status: { code: 2, message: 'timeout' } },
        ),
        span({
          'gen_ai.input.messages': JSON.stringify([user]),
          'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', tool_calls: [duneCall] }]),
        }),
      ),
    );
    expect(shown(found)).toEqual([dune]);
    expect(found.cases[0]?.basis).toContain('shelf:find_book (failed)');
  });

  test('take the longest of the conversations that a program sends again and again', async () => {
    const answer = { role: 'assistant', tool_calls: [duneCall] };
    const found = await propose(
      lines(
        { messages: [user], response: { choices: [{ message: answer }] } },
        {
          messages: [user, answer, { role: 'tool', tool_call_id: 'c1', content: 'Yes' }],
          response: {
            choices: [
              { message: { tool_calls: [toolCall('reserve_book', { title: 'Dune' }, 'c2')] } },
            ],
          },
        },
      ),
    );
    expect(shown(found)).toEqual([dune]);
    expect(found.cases[0]?.basis).toContain('find_book, then shelf:reserve_book');
    expect(found.log).toMatchObject({ turns: 2, repeated: 1 });
  });

  test('group what is nearly the same, and keep apart what called another tool', async () => {
    const record = (content: string, name: string) => ({
      messages: [{ role: 'user', content }],
      response: { choices: [{ message: { tool_calls: [toolCall(name, {})] } }] },
    });
    const found = await propose(
      lines(
        record('Please find the book about deserts today', 'find_book'),
        record('please find the book about deserts, today!', 'find_book'),
        record('Please find the book about deserts right today', 'find_book'),
        record('Please find the book about deserts today', 'list_loans'),
      ),
    );
    expect(shown(found)).toHaveLength(2);
    expect(found.log).toMatchObject({ turns: 4, repeated: 0, similar: 2 });
    expect(found.cases[1]?.basis).toContain('Asked the same, it also called shelf:find_book.');
  });

  test('take the rarest tools first, the same ones each time, and count the others', async () => {
    const record = (at: number, name: string) => ({
      messages: [{ role: 'user', content: `w${at} x${at} y${at} z${at}` }],
      response: { choices: [{ message: { tool_calls: [toolCall(name, {})] } }] },
    });
    const text = lines(
      ...Array.from({ length: 30 }, (_, at) => record(at, 'find_book')),
      record(31, 'book_room'),
    );
    const found = await propose(text, 'a.jsonl', { limit: 4 });
    expect(shown(found).map((each) => each.split(' → ')[1])).toEqual([
      ...Array<string>(3).fill('shelf:find_book{}'),
      'room-plan:book_room{}',
    ]);
    expect(found.log.left).toBe(27);
    expect(await propose(text, 'a.jsonl', { limit: 4 })).toEqual(found);
    const { turns, repeated, similar, left, ofNoServer } = found.log;
    expect(repeated + similar + left + ofNoServer.length + found.cases.length).toBe(turns);
  });

  test('name damaged lines, and read the others', async () => {
    const found = await propose(
      `${lines({ messages: [user], response: { choices: [{ message: { tool_calls: [duneCall] } }] } })}\n{"messages": [{"ro\n7\n`,
    );
    expect(shown(found)).toEqual([dune]);
    expect(found.log.damaged).toMatchObject({ count: 2, first: [{ line: 2 }, { line: 3 }] });
    expect(found.notes.join('\n')).toContain('2 damaged lines left out: line 2');
  });

  test('hold no secret and no personal data, and say what stands in their place', async () => {
    const found = await propose(
      lines({
        messages: [
          { role: 'system', content: 'Key: sk-ant-REDACTED' },
          { role: 'user', content: 'Mail Mia@shop.test about card 4111 1111 1111 1111' },
        ],
        response: {
          choices: [
            {
              message: {
                tool_calls: [
                  toolCall('find_book', { to: ['mia@shop.test'], card: 4111111111111111 }),
                ],
              },
            },
          ],
        },
      }),
    );
    const [first] = found.cases;
    expect(first?.content.query).toBe('Mail person1@example.com about card 4000000000000001');
    expect(first?.content.expectedCalls).toMatchObject([
      { parameters: { to: ['person1@example.com'], card: 4000000000000001 } },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/mia@|4111|abcdefghijklmnop/i);
    expect(found.log.masked.map(({ kind, times }) => `${kind} ${times}`)).toEqual([
      'mail address 2',
      'card number 2',
      'key or password 1',
    ]);
  });

  test('keep values that look like matchers as what they are', async () => {
    const found = await propose(
      lines({
        messages: [user],
        response: {
          choices: [
            { message: { tool_calls: [toolCall('find_book', { title: { $any: true } })] } },
          ],
        },
      }),
    );
    expect(found.cases[0]?.content.expectedCalls).toMatchObject([
      { parameters: { title: { $eq: { $any: true } } } },
    ]);
  });

  test.each([
    ['nothing but questions', lines({ messages: [user] }), 'no request with the answer'],
    ['no JSON', 'Hello\nyou\n', 'neither JSON nor JSON lines'],
    ['JSON that is cut off', '[\n{"messages": [', 'cut off'],
    ['lines that are damaged', '{"a\n'.repeat(3), 'cut off'],
  ])('refuse %s, and say why', (_what, text, why) => {
    expect(readLog({ text }, 'log.json')).toEqual({ why: expect.stringContaining(why) as string });
  });
});

describe('a long log', () => {
  test('is read from its file line by line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'log-'));
    const path = join(folder, 'log.jsonl');
    const record = (at: number) =>
      JSON.stringify({
        messages: [{ role: 'user', content: `Is part ${at} there? ${'é'.repeat(1000)}` }],
        response: { choices: [{ message: { tool_calls: [duneCall] } }] },
      });
    writeFileSync(path, Array.from({ length: 2000 }, (_, at) => record(at)).join('\n'));
    try {
      const read = readLog({ path }, 'log.jsonl');
      expect(read).toMatchObject({ records: 2000, answered: 2000, damaged: { count: 0 } });
      expect('turns' in read && read.turns).toHaveLength(1000);
      writeFileSync(path, Buffer.from([0x1f, 0x8b, 8, 0, 0]));
      expect(readLog({ path }, 'log.gz')).toEqual({
        why: expect.stringContaining('gzip') as string,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
