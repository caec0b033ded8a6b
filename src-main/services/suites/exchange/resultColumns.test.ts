import { expect, test } from 'vitest';
import { guessFormat } from '../../../../src-shared/display/guessFormat.ts';
import { casesOfFile } from '../../../../src-shared/domain/suiteFile.ts';
import { readCases } from './readCases.ts';

function read(fileName: string, given: unknown) {
  const text = typeof given === 'string' ? given : JSON.stringify(given, null, 1);
  const format = guessFormat(fileName, text);
  const { suite, problems, columns } = readCases(
    { fileName, text, format, server: 'srv' },
    () => null,
  );
  const cases = casesOfFile(suite ?? { cases: [] }).map(({ query, expected_calls: calls }) => [
    query,
    calls.map((call) => ('tool' in call ? call.tool : 'any')),
  ]);
  return { cases, problems, columns };
}

test('reads a table of results by what is expected, not by whether it was met', () => {
  const { cases, columns } = read(
    'results.csv',
    'prompt,should_call,expected_tool,correct_tool\nRain in Rome?,True,get_weather,False\nSay hi,False,,True\n',
  );
  expect(cases).toEqual([
    ['Rain in Rome?', ['get_weather']],
    ['Say hi', []],
  ]);
  expect(columns?.mapped.tool).toBe('expected_tool');
});

test('reads a record that says in words, by list and by call that it needs a tool', () => {
  const { cases } = read('items.json', {
    items: ['Rome', 'Oslo'].map((city) => ({
      prompt: `Rain in ${city}?`,
      expected_call: { function: 'get_weather', arguments: { city } },
      expected: { requires_tool_use: true, tools_expected: ['get_weather'] },
    })),
  });
  expect(cases).toEqual([
    ['Rain in Rome?', ['get_weather']],
    ['Rain in Oslo?', ['get_weather']],
  ]);
});

test('finds the request among the input data of a case', () => {
  const { cases } = read('cases.json', [
    {
      input_data: { place: 'Rome', question: 'Does it rain?' },
      expected_tool_calls: ['get_weather'],
    },
    { input_data: { question: 'Is it late?' }, expected_tool_calls: ['get_time'] },
  ]);
  expect(cases).toEqual([
    ['Does it rain?', ['get_weather']],
    ['Is it late?', ['get_time']],
  ]);
});

test('takes expected actions for expected tools', () => {
  const { cases } = read(
    'spec.yaml',
    'name: Desk\ntestCases:\n  - utterance: Who is at the desk today?\n    expectedTopic: staff\n    expectedActions:\n      - find_shift\n  - utterance: Hello\n    expectedTopic: none\n    expectedActions: []\n',
  );
  expect(cases).toEqual([
    ['Who is at the desk today?', ['find_shift']],
    ['Hello', []],
  ]);
});

test('takes no record with expected calls for a task of τ-bench because of its criteria', () => {
  const { cases } = read('task.json', {
    instruction: 'Chart the report',
    tools: ['query', 'chart'],
    expected_tool_calls: ['query', 'chart'],
    evaluation_criteria: { completeness: 'all' },
  });
  expect(cases).toEqual([['Chart the report', ['query', 'chart']]]);
});

test('gives each tool the arguments that a record names for it', () => {
  const text = JSON.stringify([
    {
      question: 'Who is it, and is it late?',
      must_call: ['find_contact', 'get_time'],
      expect_args: { find_contact: { phone: '12' } },
    },
    { question: 'Is it late?', must_call: ['get_time'], expect_args: {} },
  ]);
  const { suite } = readCases(
    { fileName: 'cases.json', text, format: 'jsonl', server: 'srv' },
    () => null,
  );
  const [first] = casesOfFile(suite ?? { cases: [] });
  expect(first?.expected_calls).toEqual([
    { server: 'srv', tool: 'find_contact', parameters: { phone: '12' } },
    { server: 'srv', tool: 'get_time' },
  ]);
});
