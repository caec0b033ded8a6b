import { describe, expect, test } from 'vitest';
import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import { json, lines, read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const second = 'Keep Emma for me';
const dune = { title: 'Dune' };
const find = `${asked} → shelf:find_book`;
const exact = `${find}{"title":"Dune"}; exact`;
const both = `${asked} → shelf:find_book + shelf:reserve_book`;
const reserve = `${second} → shelf:reserve_book`;
const either = `${asked} → shelf:find_book|shelf:list_loans`;

/** Shapes whose tools are names of fields, columns or headings, or lists of alternatives. */
describe('cases by tool', () => {
  /** Requests that are kept by their tool, or with a place for each tool. */
  test.each<
    [shape: string, fileName: string, text: string, cases: string[], never?: [string, string][]]
  >([
    ['prompts of one tool', 'a.json', json({ find_book: [asked] }), [find]],
    [
      'a prompt or a list of them by tool, with other fields around',
      'a.yaml',
      `description: Prompts to try\nfind_book:\n  - ${asked}\nreserve_book: ${second}\n`,
      [find, reserve],
    ],
    [
      'prompts by tool in an object',
      'a.json',
      json({ version: 1, prompts: { find_book: [asked], reserve_book: [second] } }),
      [find, reserve],
    ],
    [
      'prompts by server and tool, and some for none',
      'a.json',
      json({
        shelf: { find_book: [asked] },
        'room-plan': { find_room: ['Is a room free?'] },
        negative: ['Hi you'],
      }),
      [find, 'Is a room free? → room-plan:find_room'],
    ],
    [
      'prompts by tool and prompts that need none',
      'a.json',
      json({ find_book: [asked], reserve_book: [second], no_tool: ['Hi you'] }),
      [find, reserve, 'Hi you → no tool'],
    ],
    [
      'requests with arguments by tool',
      'a.json',
      json({ tools: { find_book: [{ prompt: asked, args: dune }], reserve_book: [] } }),
      [exact],
    ],
    [
      'an object with prompts by tool',
      'a.json',
      json({ find_book: { prompts: [asked] }, reserve_book: { prompts: [second] } }),
      [find, reserve],
    ],
    [
      'positive and negative prompts by tool',
      'a.yaml',
      `tools:\n  find_book:\n    positive: ["${asked}"]\n    negative: ["${second}"]\n`,
      [find],
      [[second, 'find_book']],
    ],
    [
      'positive and negative prompts of one tool',
      'a.json',
      json({ tool: 'find_book', positive: [asked], negative: [second] }),
      [find],
      [[second, 'find_book']],
    ],
    [
      'positive and negative examples in a list of tools',
      'a.json',
      json([
        { tool: 'find_book', positive_examples: [{ prompt: asked }], negative_examples: [] },
        { tool: 'renew_loan', positive_examples: [], negative_examples: [{ prompt: second }] },
      ]),
      [find],
      [[second, 'renew_loan']],
    ],
    [
      'requests that should and should not trigger a tool',
      'a.json',
      json({ tool_name: 'find_book', should_trigger: [asked], should_not_trigger: [second] }),
      [find],
      [[second, 'find_book']],
    ],
    [
      'a column for each tool with 1 and 0',
      'a.csv',
      `prompt,find_book,reserve_book\n${asked},1,0\n${second},0,1\nHi,0,0\n`,
      [find, reserve, 'Hi → no tool'],
    ],
    [
      'a column for each tool with yes and no, and others of yes and no',
      'a.csv',
      `prompt,find_book,reserve_book,reviewed\n${asked},yes,yes,yes\n${second},no,yes,no\n`,
      [both, reserve],
    ],
    [
      'a column for each tool with marks',
      'a.md',
      `| Prompt | find_book | reserve_book |\n|---|:-:|:-:|\n| ${asked} | ✓ | |\n| ${second} | | ✓ |\n`,
      [find, reserve],
    ],
    [
      'columns that are named like tools of no server',
      'a.csv',
      `prompt,is_short,get_a,get_b\n${asked},1,1,0\n${second},0,0,1\n`,
      [`${asked} → csv:get_a`, `${second} → csv:get_b`],
    ],
    [
      'a switch for each tool',
      'a.json',
      json([
        { prompt: asked, tools: { find_book: true, reserve_book: false } },
        { prompt: second, tools: { find_book: false, reserve_book: true } },
      ]),
      [find, reserve],
    ],
    [
      'a chat as one text with calls in tags',
      'a.jsonl',
      lines({
        chat: `USER: ${asked}\n\n\nASSISTANT: <functioncall> {"name": "find_book", "arguments": '{"title": "Dune"}'} <|endoftext|>\n\n\nFUNCTION RESPONSE: {"found": true}\n\n\nASSISTANT: It is. <|endoftext|>`,
      }),
      [exact],
    ],
    [
      'sections of Markdown with a line for each field',
      'a.md',
      `# Evals\n\n## Find\n\n- **Prompt**: ${asked}\n- **Expected tool**: \`find_book\`\n- **Arguments**: \`{"title": "Dune"}\`\n\n## Hi\n\n- **Prompt**: Hi\n- **Expected tool**: none\n`,
      [exact, 'Hi → no tool'],
    ],
    [
      'sections of Markdown with a heading for each field',
      'a.md',
      `# Evals\n\n## Find\n\n### Prompt\n\n${asked}\n\n### Expected tool\n\nfind_book\n\n### Arguments\n\n\`\`\`json\n{"title": "Dune"}\n\`\`\`\n`,
      [exact],
    ],
    [
      'several cases in a section of Markdown',
      'a.md',
      `# Evals\n\nPrompt: "${asked}"\nExpected: find_book\n\nPrompt: "Hi"\nExpected: none\n`,
      [find, 'Hi → no tool'],
    ],
    [
      'prompts below the name of their tool in Markdown',
      'a.md',
      `# Prompts\n\n## \`find_book\`\n\n- ${asked}\n\n## Notes\n\n- Written by hand\n\n## reserve_book\n\n- ${second}\n`,
      [find, reserve],
    ],
  ])('%s', (_shape, fileName, text, cases, forbidden = []) => {
    const found = read(fileName, text);
    expect(found.problems).toEqual([]);
    expect(found.lines).toEqual(cases);
    expect(found.tasks.map(({ turns, checks }) => ({ turns, checks }))).toEqual(
      forbidden.map(([prompt, tool]) => ({
        turns: [prompt],
        checks: [{ calls: { never: [tool] } }],
      })),
    );
  });

  test('says that columns are read as tools where no server has them', () => {
    const text = `prompt,get_a,get_b\n${asked},1,0\n`;
    expect(read('a.csv', text).report.approximated.map(({ what }) => what)).toEqual([
      '"get_a", "get_b"',
    ]);
    const known = `prompt,find_book,get_b\n${asked},1,0\n`;
    expect(read('a.csv', known).report.approximated.map(({ what }) => what)).toEqual(['get_b']);
  });

  test('reads no case from a row whose column of a tool is neither yes nor no', () => {
    const rows = Array.from({ length: 200 }, (_, at) => `Find book ${at},1,0`).join('\n');
    const { lines: cases, report } = read(
      'a.csv',
      `prompt,find_book,reserve_book\n${rows}\n${second},perhaps,1\n`,
    );
    expect(cases).toHaveLength(200);
    expect(report.skipped).toMatchObject([{ line: 202, why: expect.stringMatching(/find_book/) }]);
  });

  test('reads no case from a record without any of the tools of the others', () => {
    const { lines: cases, report } = read(
      'a.json',
      json([{ prompt: asked, find_book: true }, { prompt: second }]),
    );
    expect(cases).toEqual([find]);
    expect(report.skipped).toHaveLength(1);
  });

  test('leaves a request alone whose arguments have the name of a tool', () => {
    const text = json([
      { user_says: asked, should_use: 'renew_loan', with_these: { find_book: second } },
    ]);
    expect(read('a.json', text).lines).toEqual([`${asked} → shelf:renew_loan`]);
  });

  /** `acceptable` says which tools are as good as each other; a list of lists, which answers. */
  test.each<[shape: string, record: object, cases: string[], map?: ColumnMap]>([
    ['acceptable tools', { acceptable: ['find_book', 'list_loans'] }, [either]],
    ['one tool and others', { expected_tool: 'find_book', acceptable: ['list_loans'] }, [either]],
    ['a text', { expected_tool: 'find_book', acceptable: 'list_loans' }, [either]],
    ['nothing else', { expected_tool: 'find_book', acceptable: [] }, [find]],
    ['answers of one call', { acceptable_tools: [['find_book'], ['list_loans']] }, [either]],
    [
      'one answer of two calls in order',
      { acceptable_sequences: [['find_book', 'reserve_book']] },
      [`${both}; ordered`],
    ],
    [
      'one answer with arguments',
      { acceptable_calls: [[{ name: 'find_book', arguments: dune }]] },
      [exact],
    ],
    [
      'calls with equally good tools, by one correction',
      { expected_tools: [['find_book', 'list_loans'], ['reserve_book']] },
      [`${either} + shelf:reserve_book`],
      { expected_calls: 'expected_tools' },
    ],
    [
      'answers, by one correction',
      { expected_tools: [['find_book'], ['list_loans']] },
      [either],
      { acceptable_tools: 'expected_tools' },
    ],
  ])('reads alternatives: %s', (_shape, record, cases, map) => {
    const found = read('a.json', json([{ prompt: asked, ...record }]), { ...(map && { map }) });
    expect(found.problems).toEqual([]);
    expect(found.lines).toEqual(cases);
  });

  test.each([
    [{ expected_tools: ['find_book', 'reserve_book'], acceptable: ['list_loans'] }, /of which/],
    [{ acceptable_sequences: [['find_book', 'reserve_book'], ['list_loans']] }, /several right/],
    [{ expected_tools: [['find_book', 'reserve_book'], ['list_loans']] }, /\(acceptable_tools\)/],
    [{ acceptable_tools: [['find_book'], []] }, /is empty/],
  ])('takes no reading of %o', (record, why) => {
    const { lines: cases, report } = read('a.json', json([{ prompt: asked, ...record }]));
    expect(cases).toEqual([]);
    expect(report.skipped).toMatchObject([{ why: expect.stringMatching(why) }]);
  });
});
