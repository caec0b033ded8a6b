import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { sampled } from '../../../testing/nightly.ts';
import { read } from './readBack.fixture.ts';
import { readToml } from './tomlTables.ts';
import { readXml, type XmlValue } from './xmlValues.ts';

const repeat = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('');

/** Longer than what is read whole. */
const many = 6000;

const record = (at: number): string =>
  `<case id="r${at}" note='a > b'><query>Is it ${at} &lt; 3?</query>\n<tool/><tag>x</tag><tag>y</tag></case>\n`;

const lineIn = (read: XmlValue, of: (value: never) => unknown): number | null => {
  if ('message' in read) throw new Error(read.message);
  return read.lineOf(of(read.value as never) as object);
};

it('reads a long list in XML as it reads a short one', () => {
  const noise = '<!-- <case> --><?a <case> ?>';
  const short = readXml(`<cases n="1">\n${noise}${record(7)}${record(8)}</cases>`);
  const long = readXml(
    `<?xml version="1.0"?>\n<cases n="1">${noise}${repeat(many, record)}</cases>`,
  );
  expect(short).toMatchObject({ value: { n: '1' } });
  if ('message' in long || 'message' in short) throw new Error('It was not read.');
  const cases = long.value['case'] as unknown[];
  expect(cases).toHaveLength(many);
  expect(cases.slice(7, 9)).toEqual(short.value['case']);
  expect(Object.keys(long.value)).toEqual(Object.keys(short.value));
});

it('knows the lines of a long list inside of other elements', () => {
  const text = `<all>\n<kind>a</kind>\n<cases>\n${repeat(many, record)}</cases>\n</all>`;
  type Root = { cases: { case: object[] } };
  const at = (index: number) => lineIn(readXml(text), (root: Root) => root.cases.case[index]);
  expect(at(0)).toBe(4);
  expect(at(10)).toBe(24);
  expect(readXml(text)).toMatchObject({ value: { kind: 'a' } });
});

it.each([
  ['a tag that isn’t closed', '<case>', '</cases>'],
  ['another end tag', '<case><a></b></case>', '</cases>'],
  ['a stray sign', '<case>a < b</case>', '</cases>'],
  ['text behind the end', '', '</cases>x'],
  ['an attribute twice', '<case a="1" a="2"/>', '</cases>'],
])('says where a long text in XML has %s', (_, broken, end) => {
  const text = `<cases>\n${repeat(many, record)}${broken}\n${end}`;
  const read = readXml(text);
  expect(read).toMatchObject({ message: expect.stringContaining('The XML can’t be read') });
  expect('line' in read && read.line).toBeGreaterThanOrEqual(2 * many + 2);
});

it.each(['<a>', '<!--', '<![CDATA[', '<?', '<a "', '<', '"', '<a b='])(
  'refuses two megabytes of %s in linear time',
  (part) => {
    const began = process.cpuUsage().user;
    expect(readXml(`<cases>${part.repeat(2_000_000 / part.length)}`)).toHaveProperty('message');
    expect(process.cpuUsage().user - began).toBeLessThan(5_000_000);
  },
);

it('keeps markup that is data apart from elements', () => {
  const data = '<case id="c"><query><![CDATA[a </case> <case> b]]></query><tool>t</tool></case>';
  const read = readXml(`<cases>${data}${repeat(many, record)}</cases>`);
  expect(read).toMatchObject({ value: { case: { 0: { id: 'c', tool: 't' }, length: many + 1 } } });
});

const table = (at: number): string =>
  `[[cases]]\nid = "r${at}"\nquery = "Is it ${at}?"\n[cases.arguments]\nn = ${at}\n\n`;

it.each([
  ['one list of tables', `name = "a"\n\n${repeat(many, table)}`],
  [
    'a header in a text',
    `${repeat(many, table)}[[cases]]\nq = '''\n[[cases]]\n'''\n${repeat(300, table)}`,
  ],
  ['two lists of tables', `${repeat(many, table)}[[others]]\na = 1\n${repeat(300, table)}`],
  ['a table behind its list', `${repeat(many, table)}[more]\na = 1\n`],
  ['lists in its tables', repeat(many, (at) => `${table(at)}[[cases.calls]]\ntool = "t"\n`)],
])('reads a long text in TOML with %s as its parser does', (_, text) => {
  expect(text.length).toBeGreaterThan(256 * 1024);
  expect(readToml(text)).toEqual(parse(text));
});

it('says where a long text in TOML is broken', () => {
  const text = `${repeat(many, table)}[[cases]]\nquery = \n`;
  expect(() => readToml(text)).toThrow(expect.objectContaining({ line: 6 * many + 2 }));
});

const evaluation = (at: number): object => ({
  eval_id: `e${at}`,
  conversation: [
    {
      user_content: { role: 'user', parts: [{ text: `Is Dune ${at} there? ${'x'.repeat(3000)}` }] },
      intermediate_data: { tool_uses: [{ name: 'find_book', args: { title: `Dune ${at}` } }] },
    },
  ],
});
const evaluations = Array.from({ length: 1400 }, (_, at) => evaluation(at));

const lists = [
  ['on one line', JSON.stringify({ eval_set_id: 's', name: 'all', eval_cases: evaluations })],
  ['on many lines', JSON.stringify({ name: 'all', eval_cases: evaluations, other: 1 }, null, 2)],
  ['in a list alone', `\ufeff${JSON.stringify(evaluations)}`],
] as const;
it.each(sampled(lists, ([how]) => how !== 'on one line'))(
  'reads a long list in JSON %s as it reads a short one',
  (_, text) => {
    expect(text.length).toBeGreaterThan(4 * 1024 * 1024);
    const { suite, report, problems } = read('adk', text, { server: 'shelf' });
    const short = read('adk', JSON.stringify({ eval_cases: evaluations.slice(1000, 1002) }), {
      server: 'shelf',
    });
    expect(problems).toEqual([]);
    expect(suite?.cases).toHaveLength(evaluations.length);
    expect(suite?.cases.slice(1000, 1002)).toEqual(short.suite?.cases);
    expect(suite?.name).toBe(text.includes('"all"') ? 'all' : short.suite?.name);
    expect(report.unreadFields.includes('other')).toBe(text.includes('"other"'));
  },
);

it('says which record of a long list in JSON it left out, and in which line', () => {
  const lines = evaluations.map((each) => JSON.stringify(each));
  lines[1200] = JSON.stringify({ eval_id: 'e', conversation: [], query: '' });
  const { suite, report } = read('adk', `[\n${lines.join(',\n')}\n]`, { server: 'shelf' });
  expect(suite?.cases).toHaveLength(evaluations.length - 1);
  expect(report.skipped).toEqual([expect.objectContaining({ line: 1202 })]);
});

const yaml = (at: number): string =>
  `  - vars: { query: "Is Dune ${at} there? ${'x'.repeat(300)}" }\n    assert:\n      - type: trajectory:tool-used\n        value: find_book\n`;

it('reads the long list of tests of promptfoo in YAML as it reads a short one', () => {
  const [head, tail] = ['description: all\ntests:\n', 'prompts: ["{{query}}"]\n'];
  const tests = Array.from({ length: 3000 }, (_, at) => yaml(at));
  const text = `${head}${tests.join('')}${tail}`;
  expect(text.length).toBeGreaterThan(1024 * 1024);
  const { suite, problems } = read('promptfoo', text, { server: 'shelf' });
  const short = `${head}${tests.slice(2000, 2002).join('')}${tail}`;
  const few = read('promptfoo', short, { server: 'shelf' });
  expect([problems, suite?.name, suite?.cases.length]).toEqual([[], 'all', tests.length]);
  const calls = (cases: readonly object[] | undefined) =>
    cases?.map((each) => ({ ...each, id: '', name: '' }));
  expect(calls(suite?.cases.slice(2000, 2002))).toEqual(calls(few.suite?.cases));
});

it('says which test of a long list in YAML it left out, and in which line', () => {
  const tests = Array.from({ length: 3000 }, (_, at) => yaml(at));
  tests[2000] = '  - file://more.yaml\n';
  const { suite, report } = read('promptfoo', `tests:\n${tests.join('')}`, { server: 'shelf' });
  expect(suite?.cases).toHaveLength(tests.length - 1);
  expect(report.skipped).toEqual([
    expect.objectContaining({ case: 'tests[2000]', line: 1 + 4 * 2000 + 1 }),
  ]);
});

it('reads a long list of records in YAML as it reads a short one', () => {
  const record = (at: number): string =>
    `- query: "Is Dune ${at} there? ${'x'.repeat(300)}"\n  expected_tool: find_book\n`;
  const text = repeat(4000, record);
  expect(text.length).toBeGreaterThan(1024 * 1024);
  const { suite } = read('jsonl', text, { server: 'shelf' });
  const short = read('jsonl', `${record(3000)}${record(3001)}`, { server: 'shelf' });
  expect(suite?.cases).toHaveLength(4000);
  expect(suite?.cases.slice(3000, 3002)).toEqual(short.suite?.cases);
});
