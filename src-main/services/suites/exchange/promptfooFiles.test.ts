import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { pathsIn } from './promptfooFiles.ts';
import { read } from './readBack.fixture.ts';

const asked = (tool: string) => [{ type: 'tool-call-f1', value: [tool] }];
const config = {
  prompts: ['file://prompts.txt'],
  defaultTest: 'file://defaults.yaml',
  tests: [
    { vars: { city: 'Rome' }, assert: asked('get_weather') },
    'file://more.yaml',
    'file://table.csv',
    { vars: 'file://vars.json', assert: asked('get_weather') },
    'file://gone.yaml',
    'file://make.py',
  ],
};
const one = (name: string, text: string) => ({ [name]: [{ name, text }] });
const files = {
  ...one('prompts.txt', 'Is it {{when}} in {{city}}?\n---\nTell me: {{city}} {{when}}\n'),
  ...one('defaults.yaml', stringify({ vars: { when: 'warm' } })),
  ...one(
    'more.yaml',
    stringify([
      { vars: { city: '{{town}}', town: 'Oslo' }, assert: asked('get_weather') },
      {
        description: 'Notes',
        vars: { city: 'file://notes.txt', when: ['cold', 'file://when.yaml'] },
        assert: [{ type: 'tool-call-f1', value: 'file://tools.json' }],
      },
    ]),
  ),
  ...one('notes.txt', 'Paris\n'),
  ...one('when.yaml', '- dry\n'),
  ...one('tools.json', '["find_city", "get_weather"]'),
  ...one('table.csv', 'city,__expected\nBern,tool-call-f1:get_weather\n'),
  ...one('vars.json', '{"city": "Kyiv"}'),
};

describe('files of a configuration of promptfoo', () => {
  test('are named by their references, and no program is', () => {
    expect(pathsIn(config)).toEqual(
      [
        'file://more.yaml',
        'file://table.csv',
        'file://gone.yaml',
        'file://prompts.txt',
        'file://defaults.yaml',
        'file://vars.json',
      ].map((each) => each.slice('file://'.length)),
    );
    expect(
      pathsIn({
        prompts: ['Summarize the notes of today.md', 'prompt.py', 'own.txt'],
        tests: 'tests.csv',
      }),
    ).toEqual(['tests.csv', 'own.txt']);
  });

  test('give prompts, variables, assertions and tests in the place of their references', () => {
    const { suite, report } = read('promptfoo', stringify(config), { server: 's', files });
    expect(suite?.cases.map(({ query }) => query)).toEqual([
      'Is it warm in Rome?',
      'Tell me: Rome warm',
      'Is it warm in Oslo?',
      'Tell me: Oslo warm',
      'Is it cold in Paris?',
      'Tell me: Paris cold',
      'Is it ["dry"] in Paris?',
      'Tell me: Paris ["dry"]',
      'Is it warm in Bern?',
      'Tell me: Bern warm',
      'Is it warm in Kyiv?',
      'Tell me: Kyiv warm',
    ]);
    expect(suite?.cases.find(({ name }) => name === 'Notes')?.expected_calls).toEqual([
      { server: 's', tool: 'find_city' },
      { server: 's', tool: 'get_weather' },
    ]);
    expect(report.skipped).toEqual([
      {
        case: 'tests[4]',
        line: 18,
        why: 'It refers to file://gone.yaml, and other files aren’t opened.',
      },
      {
        case: 'tests[5]',
        line: 19,
        why: 'It refers to file://make.py, and other files aren’t opened.',
      },
    ]);
    expect(report.unreadFields).toEqual([]);
  });

  test('hold all of the tests', () => {
    const text = 'prompts: ["{{q}}"]\ntests: file://all/*.yaml\n';
    const list = (name: string, q: string) => ({
      name,
      text: stringify([{ vars: { q }, assert: asked('find') }, { vars: { q: 'x' } }]),
    });
    const all = { 'all/*.yaml': [list('all/a.yaml', 'Find it'), list('all/b.yaml', 'And this')] };
    const { suite, report, problems } = read('promptfoo', text, { server: 's', files: all });
    expect(problems).toEqual([]);
    expect(suite?.cases.map(({ query }) => query)).toEqual(['Find it', 'And this']);
    expect(report.skipped.map((each) => each.case)).toEqual(['all/a.yaml[1]', 'all/b.yaml[1]']);
    expect(read('promptfoo', text, { server: 's' }).problems).toMatchObject([
      { line: 2, message: expect.stringContaining('file://all/*.yaml, which isn’t opened') },
    ]);
  });
});
