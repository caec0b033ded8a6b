import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { read } from './readBack.fixture.ts';

const assert = [{ type: 'tool-call-f1', value: ['get_weather'] }];

function readTest(prompt: string, vars: JsonValue, more: JsonObject = {}) {
  const config = {
    prompts: [prompt],
    tests: [{ vars, assert, ...more }],
    ...(more['config'] as object),
  };
  const { suite, report } = read('promptfoo', JSON.stringify(config), { server: 's' });
  return {
    queries: suite?.cases.map(({ query }) => query) ?? [],
    names: suite?.cases.map(({ name }) => name) ?? [],
    tools: suite?.cases.map(({ expected_calls: calls }) => calls) ?? [],
    notes: report.approximated.map(({ what, why }) => `${what}: ${why}`),
    skipped: report.skipped.map(({ why }) => why),
    unread: report.unreadFields,
  };
}

describe('the variables of a promptfoo prompt', () => {
  // What renderPrompt and resolveVariables of promptfoo make of them (src/evaluatorHelpers.ts).
  test.each<[string, string, JsonObject, string]>([
    [
      'a variable in a variable',
      '{{sentence}}',
      { sentence: 'weather in {{topic}}', topic: 'Paris' },
      'weather in Paris',
    ],
    [
      'a raw block in a variable',
      '{{sentence}}',
      { sentence: '{% raw %}{{topic}}{% endraw %}', topic: 'Paris' },
      'Paris',
    ],
    ['three levels', '{{a}}', { a: 'A {{b}}', b: 'B {{ c }}', c: 'C' }, 'A B C'],
    ['a member', 'Hi {{user.name}}', { user: { name: 'Ada' } }, 'Hi Ada'],
    ['a member in a variable', '{{q}}', { q: 'Hi {{user.name}}', user: { name: 'Ada' } }, 'Hi Ada'],
    ['an element', '{{user.cities[1]}}', { user: { cities: ['Rome', 'Oslo'] } }, 'Oslo'],
    ['an element of a list in a list', '{{pair[0]}}', { pair: [['Rome', 'Oslo']] }, 'Rome'],
    ['a member in brackets', '{{ user["first name"] }}', { user: { 'first name': 'Ada' } }, 'Ada'],
    ['a member of an element', "{{trips[0]['to']}}", { trips: [[{ to: 'Rome' }]] }, 'Rome'],
    ['a number', 'For {{days}} days', { days: 3 }, 'For 3 days'],
    ['null', 'For {{days}} days', { days: null }, 'For  days'],
    ['an object', '{{o}}', { o: { a: 1 } }, '{"a":1}'],
    ['space that is trimmed', 'a  {{- b -}}  c', { b: 'B' }, 'aBc'],
    ['a comment', 'a{# not said #}b', { x: 1 }, 'ab'],
    ['a literal', '{{ "x" }}', { x: 1 }, 'x'],
    ['a line break at the end', '[{{q}}]', { q: 'x\n' }, '[x]'],
    ['a name of every object', '{{q}}', { q: 'x', constructor: 'y' }, 'x'],
  ])('are replaced: %s', (_title, prompt, vars, query) => {
    expect(readTest(prompt, vars)).toMatchObject({ queries: [query], notes: [], skipped: [] });
  });

  test.each<[string, string, JsonObject, RegExp]>([
    ['a filter', '{{ city | upper }}', { city: 'Rome' }, /the filter upper, which isn’t evaluated/],
    [
      'a filter in a variable',
      '{{q}}',
      { q: '{{ city|default("a | b") }}', city: 'Rome' },
      /the filter default/,
    ],
    ['a tag', '{% if city %}x{% endif %}', { city: 'Rome' }, /the tag if/],
    ['a call', '{{ f(city) }}', { city: 'Rome' }, /the expression f\(city\)/],
    ['a sum', '{{ 1 + 2 }}', { city: 'Rome' }, /the expression 1 \+ 2/],
    [
      'a file',
      'Read {{doc}}',
      { doc: 'file://notes.txt' },
      /variable doc is in file:\/\/notes\.txt, which isn’t opened/,
    ],
    ['a file in a list', 'Read {{doc}}', { doc: ['file://a.txt'] }, /file:\/\/a\.txt/],
  ])('are refused by name: %s', (_title, prompt, vars, why) => {
    const { queries, skipped } = readTest(prompt, vars);
    expect(queries).toEqual([]);
    expect(skipped.join()).toMatch(why);
  });

  test('stay as written without a value, and are named', () => {
    expect(readTest('{{q}} {{user.name}} {{env.X}}', { q: 'Hi', user: {} })).toMatchObject({
      queries: ['Hi {{user.name}} {{env.X}}'],
      notes: [
        'Variable user.name of the prompt: It has no value, and stays as written.',
        'Variable env.X of the prompt: It has no value, and stays as written.',
      ],
    });
  });

  test('reach no member that every object inherits', () => {
    expect(readTest('{{q.constructor.name}}', { q: { a: 1 } }).queries).toEqual([
      '{{q.constructor.name}}',
    ]);
  });

  test('as lists make a case for each combination, unless that is switched off', () => {
    const vars = { city: ['Rome', 'Oslo'], days: [1, 2], q: '{{city}} {{days}}' };
    expect(readTest('{{q}}', vars).queries).toEqual(['Rome 1', 'Rome 2', 'Oslo 1', 'Oslo 2']);
    const whole = { options: { disableVarExpansion: true } };
    expect(readTest('{{city[1]}}', { city: ['Rome', 'Oslo'] }, whole).queries).toEqual(['Oslo']);
    expect(
      readTest('{{city[1]}}', { city: ['Rome', 'Oslo'] }, { config: { defaultTest: whole } })
        .queries,
    ).toEqual(['Oslo']);
  });

  test('of defaultTest are shared, and those of a test win', () => {
    const config = { defaultTest: { vars: { city: 'Rome', lead: 'Weather in' } } };
    expect(readTest('{{lead}} {{city}}', { city: 'Oslo' }, { config }).queries).toEqual([
      'Weather in Oslo',
    ]);
  });

  test('are replaced in the system prompt and the messages before the query, which a case keeps', () => {
    const chat = (...messages: object[]): string => JSON.stringify(messages);
    const prompts = [
      chat(
        { role: 'system', content: 'You know {{city}}.' },
        { role: 'user', content: 'I like {{city}}' },
        { role: 'assistant', content: 'Good.' },
        { role: 'user', content: '{{q}}' },
      ),
    ];
    const tests = [{ vars: { city: 'Rome', q: 'Is it warm?' }, assert }];
    const { suite, report } = read('promptfoo', JSON.stringify({ prompts, tests }), {
      server: 's',
    });
    expect(suite?.cases).toMatchObject([
      {
        query: 'Is it warm?',
        system: 'You know Rome.',
        messages: [
          { role: 'user', content: 'I like Rome' },
          { role: 'assistant', content: 'Good.' },
        ],
      },
    ]);
    expect(report).toMatchObject({ exact: 1, approximated: [] });
    const called = chat(
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'user', content: '{{q}}' },
    );
    const other = read('promptfoo', JSON.stringify({ prompts: [called], tests }), { server: 's' });
    expect(other.report.approximated.map(({ why }) => why)).toEqual([
      'Only texts before the query are imported.',
    ]);
  });

  test('in files are named', () => {
    expect(readTest('{{q}}', 'file://vars.yaml').skipped).toEqual([
      'Its variables are in file://vars.yaml, which isn’t opened.',
    ]);
    const { unread } = readTest(
      '{{q}}',
      { q: 'x' },
      { config: { defaultTest: 'file://defaults.yaml' } },
    );
    expect(unread.join()).toContain('defaultTest (file://defaults.yaml, which isn’t opened)');
  });

  test('are replaced in assertions and descriptions too', () => {
    const more = {
      description: 'Ask {{tool}}',
      assert: [
        { type: 'tool-call-f1', value: '{{tool}}' },
        {
          type: 'trajectory:tool-args-match',
          value: { name: '{{tool}}', args: { city: '{{city}}' }, mode: 'exact' },
        },
      ],
    };
    const { names, tools } = readTest(
      '{{city}}',
      { tool: 'get_weather', city: ['Rome', 'Oslo'] },
      more,
    );
    expect(names).toEqual(['Ask get_weather', 'Ask get_weather']);
    expect(tools).toEqual(
      ['Rome', 'Oslo'].map((city) => [
        { server: 's', tool: 'get_weather', parameters: { city: { $exact: city } } },
      ]),
    );
    const filtered = { assert: [{ type: 'tool-call-f1', value: '{{ tool | lower }}' }] };
    expect(readTest('{{q}}', { q: 'x', tool: 'A' }, filtered).skipped.join()).toContain(
      'the filter lower',
    );
  });
});
