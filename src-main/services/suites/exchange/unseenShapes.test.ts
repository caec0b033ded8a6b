import { describe, expect, test } from 'vitest';
import { guessFormat } from '../../../../src-shared/display/guessFormat.ts';
import { json, lines, read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const find = `${asked} → shelf:find_book`;

describe('a case in a file of another program', () => {
  test('allows a call where the file says that it or none is right', () => {
    expect(
      read('a.jsonl', lines({ user: asked, expect_tool: 'find_book|null' })).lines,
    ).toStrictEqual([`${asked} → no tool; allows find_book`]);
  });

  test('is left out where a list has a tool and a word for none', () => {
    const { lines: cases, report } = read(
      'a.jsonl',
      lines(
        { user: asked, expect_tool: 'find_book' },
        { user: 'Keep it', expect_tool: 'find_book, none' },
      ),
    );
    expect(cases).toStrictEqual([find]);
    expect(report.skipped).toMatchObject([
      { why: expect.stringContaining('lists a tool and that none is right') },
    ]);
  });

  test('takes the first arguments of several checks of its call, and says so', () => {
    const turn = {
      user: asked,
      expect: {
        tool_calls_include: ['find_book'],
        tool_calls_args: [
          { tool: 'find_book', args: { title: 'Dune' } },
          { tool: 'find_book', mode: 'judge', rubric: 'A title' },
        ],
      },
    };
    const { lines: cases, report } = read('a.json', json({ turns: [turn] }));
    expect(cases).toStrictEqual([`${find}{"title":"Dune"}; exact`]);
    expect(JSON.stringify(report.approximated)).toContain('Of several checks of the arguments');
  });

  test('is a document whose conversation is judged by assertions', () => {
    const document = {
      title: 'Dune',
      conversation: [{ role: 'user', content: asked }],
      expect: [
        { assert: 'tool_called', tool: 'find_book', at_least: 1 },
        { assert: 'tool_not_called', tool: 'renew_loan' },
        { assert: 'event_emitted', event: 'shown' },
      ],
    };
    expect(read('a.json', json(document)).lines).toStrictEqual([find]);
  });

  test('has an order where the file says that its calls are ordered', () => {
    const expected = {
      tool_calls_include: ['find_book', 'reserve_book'],
      tool_calls_ordered: true,
    };
    expect(read('a.json', json([{ user: asked, expect: expected }])).lines).toStrictEqual([
      `${find} + shelf:reserve_book; ordered`,
    ]);
  });

  test('asks in the only turn of a list, and expects calls of one member each', () => {
    const record = {
      question: [[{ role: 'user', content: asked }]],
      function: ['shelf.find_book', 'shelf.renew_loan'].map((name) => ({
        name,
        description: 'A tool',
        parameters: {},
      })),
      ground_truth: [{ 'shelf.find_book': { title: 'Dune' } }],
    };
    expect(read('a.json', json([record, { ...record }])).lines[0]).toBe(
      `${find}{"title":"Dune"}; exact`,
    );
  });
});

describe('a file of another program', () => {
  test('says nothing of what is right where a conversation ends with a result', () => {
    const messages = [
      { role: 'user', content: asked },
      { role: 'assistant', tool_calls: [{ name: 'find_book', arguments: { title: 'Dune' } }] },
      { role: 'tool', content: 'Not found' },
    ];
    const { lines: cases, problems } = read('a.json', json([{ name: 'a', messages }]));
    expect(cases).toStrictEqual([]);
    expect(problems).toHaveLength(1);
  });

  test('names documents by two colons, which are no tools', () => {
    const records = ['a', 'b'].map((id) => ({ q: `Where is ${id}?`, expect: `db:product:${id}` }));
    expect(read('a.json', json(records)).problems).toStrictEqual([
      expect.stringContaining('Which column has the expected tool?'),
    ]);
  });

  test('has no requests where commands stand next to tools', () => {
    const records = [
      { tool: 'Bash', input: { command: 'rm -rf /var/lib/data' }, expect: 'mutating' },
      { tool: 'Bash', input: { command: 'ls -la /var/lib/data' }, expect: 'read' },
    ];
    expect(read('a.jsonl', lines(...records)).problems).toStrictEqual([
      expect.stringContaining('Which column has the query?'),
    ]);
  });

  test('is no suite of ours if it asks under a name that ours has not', () => {
    const text =
      'version: 1\ncases:\n  - utterance: Is Dune there?\n    expected: {action: find}\n';
    expect(guessFormat('cases.yaml', text)).toBe('jsonl');
    expect(guessFormat('cases.yaml', text.replace('utterance', 'query'))).toBe('touchstone');
  });

  test('writes intents in capitals, which are read as its other intents are', () => {
    const records = [
      { text: 'Is Dune there?', expected_intent: 'FIND_BOOK', expected_slots: { title: 'Dune' } },
      { text: 'Keep it for me', expected_intent: 'RESERVE_BOOK', expected_slots: { id: 'b1' } },
    ];
    expect(read('a.json', json(records)).lines).toHaveLength(2);
  });
});
