import { describe, expect, it, test } from 'vitest';
import { json, lines, read } from './shapes.fixture.ts';

const asked = 'What is the weather in Oslo?';
const mailed = 'Send Bob the report by mail';
const joked = 'Tell me a joke please';
/** Tools that no registered server has, so that only their names can tell. */
const weather = `${asked} → get_weather`;
const mail = `${mailed} → send_mail`;
const joke = `${joked} → no tool`;
const three = [weather, mail, joke];
/** As a case says them, without the server that the import assumes. */
const casesOf = (fileName: string, text: string): string[] =>
  read(fileName, text).lines.map((each) => each.replaceAll(/(?:jsonl|csv|shelf):(?=\w)/g, ''));
const rows = (query: string, tool: string, none: unknown) =>
  json([
    { [query]: asked, [tool]: 'get_weather' },
    { [query]: mailed, [tool]: 'send_mail' },
    { [query]: joked, [tool]: none },
  ]);

describe('records whose names say nothing of tools', () => {
  test.each([
    ['in German', rows('frage', 'erwartetes_werkzeug', null)],
    ['in Spanish', rows('pregunta', 'herramienta_esperada', 'ninguna')],
    ['in Chinese', rows('问题', '期望工具', '无')],
  ])('are read by their values %s', (_language, text) => {
    expect(casesOf('a.json', text)).toEqual(three);
  });

  it('are read where requests have no spaces between their words', () => {
    const text = lines(
      { 问题: '奥斯陆的天气怎么样？', 期望工具: 'get_weather' },
      { 问题: '把报告发给鲍勃', 期望工具: 'send_mail' },
    );
    expect(casesOf('a.jsonl', text)).toEqual([
      '奥斯陆的天气怎么样？ → get_weather',
      '把报告发给鲍勃 → send_mail',
    ]);
  });

  it('leave the choice to a person where two columns have names of tools', () => {
    const text = json([
      { question: asked, first: 'get_weather', second: 'find_city' },
      { question: mailed, first: 'send_mail', second: 'find_person' },
    ]);
    expect(read('a.json', text).problems).toEqual([
      expect.stringContaining('Which column has the expected tool?'),
    ]);
  });

  it('are not read by what they offer', () => {
    const text = json([
      { query: asked, candidate_tools: ['get_weather'] },
      { query: mailed, candidate_tools: ['send_mail'] },
    ]);
    expect(read('a.json', text).suite).toBeNull();
    const offered = json([
      { query: asked, tools: ['get_weather', 'find_city'] },
      { query: mailed, tools: ['send_mail', 'find_person'] },
    ]);
    expect(read('a.json', offered).suite).toBeNull();
  });

  it('are not read by switches that say something of the answer', () => {
    const text = json([
      { query: asked, expected: { no_error: true, has_weather: true } },
      { query: mailed, expected: { no_error: true, has_weather: false } },
    ]);
    expect(read('a.json', text).suite).toBeNull();
  });

  it('are not read by paths of documents', () => {
    const text = json([
      { question: asked, gold: ['guides/weather', 'start'] },
      { question: mailed, gold: ['guides/mail/send-events'] },
    ]);
    expect(read('a.json', text).problems).toEqual([
      expect.stringContaining('Which column has the expected tool?'),
    ]);
  });
});

describe('what is expected, written in another way', () => {
  test.each<[how: string, fileName: string, text: string, cases: string[]]>([
    [
      'as a call in a text',
      'a.json',
      json([
        { query: asked, expected: 'get_weather(city="Oslo")' },
        { query: mailed, expected: 'send_mail(to="Bob")' },
      ]),
      [`${weather}{"city":"Oslo"}; exact`, `${mail}{"to":"Bob"}; exact`],
    ],
    [
      'as JSON in cells',
      'a.csv',
      `prompt,expected\n"${asked}","[{""tool"":""get_weather"",""args"":{""city"":""Oslo""}}]"\n"${mailed}","[{""tool"":""send_mail"",""args"":{}}]"\n"${joked}",[]\n`,
      [`${weather}{"city":"Oslo"}; exact`, `${mail}{}; exact`, joke],
    ],
    [
      'in objects in objects',
      'a.json',
      json([
        {
          input: { user: { text: asked } },
          expectation: { behaviour: { tool: { name: 'get_weather', args: { city: 'Oslo' } } } },
        },
        { input: { user: { text: joked } }, expectation: { behaviour: { tool: null } } },
      ]),
      [`${weather}{"city":"Oslo"}; exact`, joke],
    ],
    [
      'as a switch for each tool, also for one of a single word',
      'a.json',
      json([
        { query: asked, relevance: { get_weather: 1, send_mail: 0, search: 0 } },
        { query: mailed, relevance: { get_weather: 0, send_mail: 1, search: 0 } },
        { query: 'Find it', relevance: { get_weather: 0, send_mail: 0, search: 1 } },
      ]),
      [weather, mail, 'Find it → search'],
    ],
    [
      'in steps of actions with parameters',
      'a.json',
      json([
        {
          task: asked,
          steps: [
            { action: 'get_weather', params: { city: 'Oslo' } },
            { action: 'send_mail', params: { to: 'Bob' } },
          ],
        },
      ]),
      [`${weather}{"city":"Oslo"} + send_mail{"to":"Bob"}; ordered; exact`],
    ],
    [
      'in checks of one word',
      'a.json',
      json([
        {
          prompt: asked,
          assertions: [
            { kind: 'called', value: 'get_weather' },
            { kind: 'not_called', value: 'send_mail' },
          ],
        },
        { prompt: joked, assertions: [{ kind: 'no_tools' }] },
      ]),
      [weather, joke],
    ],
    [
      'as a route with synonyms',
      'a.json',
      json([
        { message: asked, route: 'weather_agent', synonyms: ['forecast_agent'] },
        { message: joked, route: 'none', synonyms: [] },
      ]),
      [`${asked} → weather_agent|forecast_agent`, joke],
    ],
    [
      'as preferred next to accepted ones',
      'a.py',
      `CASES = [\n    {"q": "${asked}", "preferred": "get_weather", "acceptable": {"find_weather"}},\n    {"q": "${mailed}", "preferred": "send_mail", "acceptable": set()},\n]\n`,
      [`${asked} → get_weather|find_weather`, mail],
    ],
    [
      'as tools of a constructor',
      'a.py',
      `CASES = [\n    Case(query="${asked}", tools=[ToolCall(name="get_weather", args={"city": "Oslo"})]),\n    Case(query="${mailed}", tools=[ToolCall(name="send_mail", args=dict(to="Bob"))]),\n    Case(query="${joked}", tools=[]),\n]\n`,
      [`${weather}{"city":"Oslo"}; exact`, `${mail}{"to":"Bob"}; exact`, joke],
    ],
  ])('is read %s', (_how, fileName, text, cases) => {
    expect(casesOf(fileName, text)).toEqual(cases);
  });

  it('is forbidden where a name says so in other words', () => {
    const text = json([
      { query: asked, must_include: ['get_weather'], must_exclude: ['send_mail'] },
      { query: mailed, must_include: ['send_mail'], must_exclude: ['get_weather'] },
      { query: joked, must_include: [], must_exclude: ['send_mail', 'get_weather'] },
    ]);
    const { columns } = read('a.json', text);
    expect(columns?.mapped).toMatchObject({
      expected_calls: 'must_include',
      forbidden_tools: 'must_exclude',
    });
  });

  it('may be called where a name says so', () => {
    const { columns } = read(
      'a.json',
      json([{ prompt: asked, must_call: 'get_weather', may_call: 'find_city' }]),
    );
    expect(columns?.mapped.allowed_calls).toBe('may_call');
  });

  it('is read by one choice where an object has a switch for the use of each tool', () => {
    const text = json([
      { input: asked, expected: { output: { used_weather: true, used_mail: false } } },
      { input: mailed, expected: { output: { used_weather: false, used_mail: true } } },
      { input: joked, expected: { output: { used_weather: false, used_mail: false } } },
    ]);
    const { lines: cases, report } = read('a.json', text, {
      map: { expected_calls: 'expected.output' },
    });
    expect(cases.map((each) => each.replace('jsonl:', ''))).toEqual([
      `${asked} → weather`,
      `${mailed} → mail`,
      joke,
    ]);
    expect(report.approximated.map(({ why }) => why)).toContain(
      'It is read as a switch for the tool weather.',
    );
  });

  it('says of an argument with a bound in its name that it may be a check', () => {
    const { report } = read(
      'a.json',
      json([{ query: asked, expected_tool: 'get_weather', expected_params: { limit_max: 20 } }]),
    );
    expect(report.approximated.map(({ why }) => why)).toContain(
      'It is read as an argument. Register the server of the tool if it is a check of limit.',
    );
  });
});

describe('records in another arrangement', () => {
  const queries = [asked, mailed, joked];
  const tools = ['get_weather', 'send_mail', 'none'];
  test.each<[how: string, fileName: string, text: string, cases: string[]]>([
    ['by columns', 'a.json', json({ queries, expected_tools: tools }), three],
    [
      'by columns with numbers',
      'a.json',
      json({
        query: Object.fromEntries(queries.entries()),
        expected_tool: Object.fromEntries(tools.entries()),
      }),
      three,
    ],
    [
      'by rows beside their names',
      'a.json',
      json({
        columns: ['query', 'expected_tool'],
        data: queries.map((each, at) => [each, tools[at]]),
      }),
      three,
    ],
    [
      'by rows below their names',
      'a.json',
      json([['query', 'expected_tool'], ...queries.map((each, at) => [each, tools[at]])]),
      three,
    ],
    ['by rows without names', 'a.json', json(queries.map((each, at) => [each, tools[at]])), three],
    [
      'by request',
      'a.json',
      json({
        [asked]: { tool: 'get_weather', args: { city: 'Oslo' } },
        [mailed]: { tool: 'send_mail', args: {} },
      }),
      [`${weather}{"city":"Oslo"}; exact`, `${mail}{}; exact`],
    ],
    [
      'by tool, with prompts below each',
      'a.json',
      json({ get_weather: { prompts: [asked] }, send_mail: { prompts: [mailed] } }),
      [weather, mail],
    ],
    [
      'below a row with its number',
      'a.json',
      json({
        rows: [
          { row_idx: 0, row: { query: asked, tool: 'get_weather' } },
          { row_idx: 1, row: { query: mailed, tool: 'send_mail' } },
        ],
      }),
      [weather, mail],
    ],
    [
      'with shared members of YAML',
      'a.yaml',
      `shared: &shared\n  order: any\n  prompt: Hi\ncases:\n  - <<: *shared\n    prompt: ${JSON.stringify(asked)}\n    expected_tools: [get_weather]\n  - prompt: ${mailed}\n    expected_tools: [send_mail]\n    <<: [*shared]\n`,
      [weather, mail],
    ],
    [
      'in a list of Markdown, also without a tool',
      'a.md',
      `1. **"${asked}"** → \`get_weather\`\n2. **"${mailed}"** → \`send_mail\`\n3. **"${joked}"** → no tool\n`,
      three,
    ],
  ])('are read %s', (_how, fileName, text, cases) => {
    expect(casesOf(fileName, text)).toEqual(cases);
  });

  it('names the entry of a list of Markdown that it can’t read', () => {
    const { report } = read('a.md', `- ${asked} → get_weather\n- ${mailed} → the one for mail\n`);
    expect(report.skipped).toEqual([expect.objectContaining({ line: 2 })]);
  });

  it('offer the lists of a document also where it is long enough to be read in parts', () => {
    const listsOf = (count: number) => {
      const query = `${asked} ${'And then? '.repeat(100)}`;
      const cases = Array.from({ length: count }, () => ({ query, expected_tool: 'get_weather' }));
      return read('a.json', json({ groups: [{ name: 'a' }, { name: 'b' }], cases })).columns;
    };
    const groups = { path: 'groups', entries: 2 };
    expect(listsOf(3)).toMatchObject({
      ...{ list: 'cases', lists: [groups, { path: 'cases', entries: 3 }] },
    });
    // How many entries it has, only reading all of it would tell.
    expect(listsOf(4500)).toMatchObject({
      ...{ list: 'cases', lists: [groups, { path: 'cases', entries: 0 }] },
    });
  });

  it('keeps lists of different lengths for one case', () => {
    const text = json({ prompts: [asked, mailed], expected_tools: ['get_weather'] });
    expect(casesOf('a.json', text)).toEqual([weather, `${mailed} → get_weather`]);
  });
});
