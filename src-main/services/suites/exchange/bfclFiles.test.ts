import { describe, expect, test } from 'vitest';
import { joinBfclFiles } from './bfclFiles.ts';
import { read } from './readBack.fixture.ts';

const lines = (...values: readonly unknown[]): string =>
  values.map((each) => JSON.stringify(each)).join('\n');

const question = (id: string, name: string, parameters: object) => ({
  id,
  question: [[{ role: 'user', content: `Ask ${name}` }]],
  function: [{ name, description: `Does ${name}.`, parameters }],
});
const answer = (id: string, truth: readonly object[]) => ({ id, ground_truth: truth });

describe('joining the leaderboard’s files', () => {
  test('gives each question its answer and a server of its own', () => {
    const questions = lines(
      question('multiple_0', 'area', {
        type: 'dict',
        properties: { base: { type: 'float' }, unit: { type: 'string', default: 'm' } },
        required: ['base'],
      }),
      question('multiple_1', 'area', { type: 'dict', properties: {} }),
      question('irrelevance_0', 'weather', { type: 'dict', properties: {} }),
    );
    const { text, tools, unused } = joinBfclFiles(
      questions,
      lines(
        answer('multiple_1', [{ area: {} }]),
        answer('multiple_0', [{ area: { base: ['exact'], unit: ['m', ''] } }]),
        answer('multiple_9', []),
      ).replace('"exact"', '9007199254740993'),
      true,
    );
    expect(unused).toEqual(['multiple_9']);
    expect(tools.map(({ server, name }) => `${server}:${name}`)).toEqual([
      'multiple_0:area',
      'multiple_1:area',
      'irrelevance_0:weather',
    ]);
    expect(tools[0]).toEqual({
      server: 'multiple_0',
      name: 'area',
      description: 'Does area.',
      input_schema: {
        type: 'object',
        properties: { base: { type: 'number' }, unit: { type: 'string', default: 'm' } },
        required: ['base'],
      },
    });
    // A number that no double holds survives the join.
    expect(text).toContain('9007199254740993');
    const { suite, report, problems } = read('bfcl', text);
    expect([problems, report.skipped, report.assumedServer]).toEqual([[], [], null]);
    expect(
      suite?.cases.map(({ id, servers, expected_calls: calls }) => [id, servers, calls.length]),
    ).toEqual([
      ['multiple_0', ['multiple_0'], 1],
      ['multiple_1', ['multiple_1'], 1],
      ['irrelevance_0', ['irrelevance_0'], 0],
    ]);
  });

  test('without functions, leaves the server to be assumed', () => {
    const { text, tools } = joinBfclFiles(
      lines(question('simple_0', 'area', { type: 'dict', properties: {} })),
      lines(answer('simple_0', [{ area: {} }])),
      false,
    );
    expect(tools).toEqual([]);
    expect(read('bfcl', text).report.assumedServer).toBe('bfcl');
  });

  test('writes types of other languages as JSON Schema, at every depth', () => {
    const { tools } = joinBfclFiles(
      lines(
        question('java_0', 'f', {
          type: 'dict',
          properties: {
            map: { type: 'HashMap', properties: { n: { type: 'long' } } },
            list: { type: 'ArrayList', items: { type: 'char' } },
            any: { type: 'any', description: 'Anything.' },
            constructor: { type: 'constructor' },
          },
        }),
      ),
      null,
      true,
    );
    expect(tools[0]?.input_schema['properties']).toEqual({
      map: { type: 'object', properties: { n: { type: 'integer' } } },
      list: { type: 'array', items: { type: 'string' } },
      any: { description: 'Anything.' },
      constructor: { type: 'constructor' },
    });
  });

  test('leaves lines that can’t be read for the report, and refuses such answers by line', () => {
    const { text } = joinBfclFiles('{"id":\n\n[1]', null, true);
    expect(text).toBe('{"id":\n\n[1]');
    for (const [answers, message] of [
      ['{"id":"a","ground_truth":[]}\n{"id":', 'line 2: It isn’t valid JSON'],
      ['{"id":"a"}', 'line 1: It isn’t an answer'],
      ['{"id":"a","ground_truth":[]}\n\n{"id":"a","ground_truth":[]}', 'line 3: a has an answer'],
    ] as const)
      expect(() => joinBfclFiles('', answers, false)).toThrow(message);
  });
});
