import { describe, expect, it } from 'vitest';
import { AjvJudge } from '../../../scoring/ajvJudge.ts';
import { scoreRun } from '../../../scoring/scoreRun.ts';
import { createScorer } from './scorer.ts';
import { readRecorded, ruleSets, scoreRecorded, scoreShape } from './scoreRecorded.ts';

const forecast = {
  name: 'forecast',
  description: 'Tells the weather.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const line = (change: object = {}) =>
  JSON.stringify({
    id: 'one',
    query: 'q',
    tools: [forecast, { name: 'other' }],
    expected_calls: [{ name: 'forecast', arguments: { city: 'Ulm' } }],
    actual_calls: [{ name: 'forecast', arguments: { city: 'Ulm' } }],
    ...change,
  });

function read(text: string) {
  const found = readRecorded(text);
  if ('problem' in found) throw new Error(found.problem);
  return found;
}
const problemOf = (text: string): string => {
  const found = readRecorded(text);
  return 'problem' in found ? found.problem : 'It was read.';
};

describe('a recorded exchange', () => {
  it('is read with its tools, expectation and calls', () => {
    expect(read(line())).toMatchObject({
      id: 'one',
      input: {
        query: 'q',
        tools: [
          { toolId: ':forecast', server: '', inputSchema: forecast.inputSchema },
          { toolId: ':other', inputSchema: {} },
        ],
        expectation: {
          expectedCalls: [{ server: '', tool: 'forecast', parameters: { city: 'Ulm' } }],
          orderDependent: false,
          allowedCalls: [],
        },
        calls: [
          {
            id: '0',
            server: '',
            tool: 'forecast',
            name: 'forecast',
            arguments: { city: 'Ulm' },
            argumentsText: null,
          },
        ],
        confidence: null,
      },
    });
  });

  it.each<[unknown, string, string]>([
    ['{"city":"Ulm"}', '{"city":"Ulm"}', '{"city":"Ulm"}'],
    // More digits than a double has.
    ['{"city": 9007199254740993}', '{"city":9007199254740993}', '{"city":9007199254740993}'],
    ['', 'null', '{}'],
    [' \n', 'null', '{}'],
    [null, 'null', '{}'],
    ['null', 'null', '{}'],
    [undefined, '{}', '{}'],
    ['{"city":', 'null', 'null'],
    ['[]', 'null', 'null'],
    [[], 'null', 'null'],
    [7, 'null', 'null'],
  ])('reads arguments %j where some are required, and where none are', (given, some, none) => {
    const argumentsOf = (name: string) =>
      JSON.stringify(
        read(line({ actual_calls: [{ name, arguments: given }] })).input.calls[0]?.arguments,
      );
    expect([argumentsOf('forecast'), argumentsOf('other')]).toEqual([some, none]);
  });

  it('reads expected arguments as JSON text', () => {
    const found = read(
      line({ expected_calls: [{ name: 'forecast', arguments: '{"city":"Ulm"}' }] }),
    );
    expect(found.input.expectation.expectedCalls).toMatchObject([{ parameters: { city: 'Ulm' } }]);
    expect(problemOf(line({ expected_calls: [{ name: 'forecast', arguments: '[1]' }] }))).toMatch(
      /expected_calls/,
    );
  });

  it('takes the server of a call from its tool, and matches a named server exactly', () => {
    const tools = [
      { ...forecast, server: 'a' },
      { ...forecast, server: 'b' },
    ];
    const { input } = read(
      line({
        id: 7,
        tools,
        expected_calls: [{ server: 'b', name: 'forecast' }],
        actual_calls: [
          { name: 'forecast' },
          { server: 'b', name: 'forecast' },
          { server: 'c', name: 'forecast' },
        ],
        allowed_calls: [{ name: 'forecast' }],
        order_dependent: true,
      }),
    );
    expect(input.expectation).toEqual({
      expectedCalls: [{ server: 'b', tool: 'forecast' }],
      orderDependent: true,
      allowedCalls: [{ server: 'a', tool: 'forecast' }],
    });
    expect(input.calls.map(({ server, tool }) => [server, tool])).toEqual([
      ['a', 'forecast'],
      ['b', 'forecast'],
      [null, null],
    ]);
  });

  it('keeps alternatives, and tells absent from empty expected arguments', () => {
    const { input } = read(
      line({
        expected_calls: [
          { any_of: [{ name: 'other' }, { name: 'forecast' }], arguments: {} },
          { name: 'other' },
        ],
      }),
    );
    expect(input.expectation.expectedCalls).toEqual([
      {
        anyOf: [
          { server: '', tool: 'other' },
          { server: '', tool: 'forecast' },
        ],
        parameters: {},
      },
      { server: '', tool: 'other' },
    ]);
  });

  it.each([
    ['"text"', 'text'],
    ['[1]', '[1]'],
    ['null', 'null'],
    ['5', '5'],
  ])('T42: keeps arguments that are not an object (%s) as text', (given, text) => {
    const { input } = read(
      line({
        actual_calls: [
          { name: 'forecast', arguments: JSON.parse(given) as unknown },
          { name: 'nobody' },
        ],
      }),
    );
    expect(input.calls).toMatchObject([
      { arguments: null, argumentsText: text },
      { server: null, tool: null, name: 'nobody', arguments: {} },
    ]);
  });

  it.each([
    ['', "It isn't valid JSON"],
    ['{"id":', "It isn't valid JSON"],
    ['[]', 'line: '],
    [line({ id: null }), 'id: '],
    [line({ tools: undefined }), 'tools: '],
    [line({ expected_calls: undefined }), 'expected_calls: '],
    [line({ actual_calls: [{}] }), 'actual_calls.0.name: '],
    [line({ tools: [forecast, { description: 'x' }] }), 'tools: tool 2: It has no name.'],
    [line({ tools: [forecast, forecast] }), 'tools: forecast: Another tool'],
    [
      line({ tools: [{ ...forecast, inputSchema: 'x' }] }),
      "tools: forecast: Its input schema isn't an object.",
    ],
  ])('rejects unreadable line %# with a reason', (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });

  it.each(['tools', 'actual_calls'])('T64: rejects extreme nesting in %s', (where) => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = line({
      [where]:
        where === 'tools'
          ? [{ ...forecast, inputSchema: { default: 'HERE' } }]
          : [{ name: 'forecast', arguments: { city: 'HERE' } }],
    });
    expect(problemOf(text.replace('"HERE"', deep))).toMatch(/deep|JSON/);
  });

  it.each([2_000, 5_000, 9_000])(
    'T64: keeps arguments %i levels deep as shortened text',
    (depth) => {
      const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      const text = line({ actual_calls: [{ name: 'forecast', arguments: 'HERE' }] }).replace(
        '"HERE"',
        deep,
      );
      expect(read(text).input.calls).toMatchObject([
        { arguments: null, argumentsText: expect.stringMatching(/^\[{256}/) },
      ]);
    },
  );

  it('names fields of the tools of a choice that nothing reads', () => {
    const read = readRecorded(
      line({ expected_calls: [{ any_of: [{ name: 'forecast', args: { city: 'Ulm' } }] }] }),
    );
    expect(read).toMatchObject({ unused: ['expected_calls[].any_of[].args'] });
  });

  it('is refused with an unknown matcher, or $absent on a required name', () => {
    const expecting = (args: object, call: object = { name: 'forecast' }) =>
      problemOf(line({ expected_calls: [{ ...call, arguments: args }] }));
    expect(expecting({ city: { $like: 'U' } })).toMatch(
      /^expected_calls\.0\.arguments\.city\.\$like: \$like isn't a matcher\./,
    );
    expect(expecting({ city: { $absent: true } })).toMatch(
      /^expected_calls\.0\.arguments\.city\.\$absent: \$absent on a name that the schema requires/,
    );
    // The other tool doesn't require it, so the expectation can hold.
    const either = { any_of: [{ name: 'forecast' }, { name: 'other' }] };
    expect(expecting({ city: { $absent: true } }, either)).toBe('It was read.');
    expect(expecting({ city: { $eq: { $like: 1 } } })).toBe('It was read.');
    const own = [{ name: 'other' }, { name: 'forecast', arguments: { city: { $absent: true } } }];
    expect(problemOf(line({ expected_calls: [{ any_of: own }] }))).toMatch(
      /^expected_calls\.0\.any_of\.1\.arguments\.city\.\$absent: \$absent on a name that the schema requires/,
    );
    const each = ['other', 'forecast'].map((name) => ({ name, arguments: {} }));
    expect(expecting({ city: 'Ulm' }, { any_of: each })).toMatch(
      /^expected_calls\.0\.arguments: Each alternative has arguments of its own, so no call is compared with these\./,
    );
  });

  it('says which schema could not decide it, and where', async () => {
    let deep: object = {};
    for (let level = 0; level < 150; level += 1) deep = { properties: { deeper: deep } };
    const undecidable = { ...forecast, inputSchema: { properties: { city: {}, when: deep } } };
    const scorer = createScorer();
    try {
      for (const rules of ruleSets)
        for (const actual of [
          [{ name: 'forecast', arguments: { city: 'Ulm' } }],
          [{ name: 'other' }],
          [],
        ])
          expect(
            await scoreRecorded(
              scorer,
              read(line({ tools: [undecidable, { name: 'other' }], actual_calls: actual })),
              rules,
            ),
          ).toMatchObject({
            passed: null,
            not_scored:
              "The input schema of :forecast can't decide these arguments. It is nested deeper than 256 levels at /properties/when.",
          });
      expect(await scoreRecorded(scorer, read(line()), 'touchstone')).not.toHaveProperty(
        'not_scored',
      );
    } finally {
      await scorer.close();
    }
  });

  it('has a score that survives JSON without losing a field', () => {
    const { id, input } = read(
      line({ actual_calls: [{ name: 'forecast', arguments: { town: 'Ulm' } }] }),
    );
    const shape = scoreShape(id, scoreRun(input, new AjvJudge()));
    expect(JSON.parse(JSON.stringify(shape))).toEqual(shape);
    expect(shape).toMatchObject({
      id: 'one',
      classification: 'TP',
      tool_selection_correct: true,
      parameter_completeness: 0,
      parameter_correctness: 0,
      hallucinated_parameters: ['town'],
      missing_parameters: ['city'],
      passed: false,
      parameters: [
        { name: 'city', expected: 'Ulm', actual: null, verdict: 'missing' },
        { name: 'town', expected: null, actual: 'Ulm', verdict: 'hallucinated' },
      ],
      matches: [{ expected_index: 0, actual_index: 0, tool_id: ':forecast', allowed: false }],
    });
  });
});

describe('a recorded answer that can’t be judged', () => {
  const reasonOf = (change: object) => read(line(change)).notScored;
  it('is a call as text, and an answer that was cut off', () => {
    expect(reasonOf({})).toBeNull();
    expect(reasonOf({ actual_calls: [], text: 'I know `forecast`.' })).toBeNull();
    expect(reasonOf({ actual_calls: [], text: '<tool_call>{"name":"forecast"}</tool_call>' })).toBe(
      'The endpoint returned a call of forecast as text (<tool_call>). Start it with its tool-call parser.',
    );
    expect(reasonOf({ finish_reason: 'length' })).toMatch(/cut off at a limit of the endpoint/);
    expect(reasonOf({ finish_reason: 'MAX_TOKENS' })).toMatch(/cut off at a limit/);
    expect(reasonOf({ finish_reason: 'content_filter' })).toMatch(/content filter ended/);
    for (const end of ['tool_calls', 'eos', '', null, 1])
      expect(reasonOf({ finish_reason: end })).toBeNull();
  });

  it('has no score, and says why', async () => {
    const scored = await scoreRecorded(
      { scoreInput: () => Promise.reject(new Error('It is not scored.')) },
      read(line({ finish_reason: 'length' })),
      'touchstone',
    );
    expect(scored).toMatchObject({
      id: 'one',
      classification: null,
      passed: null,
      not_scored: expect.stringMatching(/^The reply was cut off/),
    });
  });
});
