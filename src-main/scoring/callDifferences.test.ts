import { describe, expect, it } from 'vitest';
import { callDifferences } from '../../src-shared/display/callDifferences.ts';
import { actualText, expectedText } from '../../src-shared/display/differenceTexts.ts';
import { callDifference } from '../../src-shared/domain/callDifference.ts';
import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import type { ActualCall } from '../../src-shared/domain/observation.ts';
import type { Expectation, ExpectedCall } from '../../src-shared/domain/testCase.ts';
import { judge } from '../testing/scoredRun.ts';
import { scoreRun } from './scoreRun.ts';

const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const schemas: Record<string, JsonObject> = {
  book: object(
    {
      day: { type: 'string' },
      address: { type: 'string' },
      kg: { type: 'number' },
      note: { type: 'string' },
      items: { type: 'array' },
      to: { type: 'object' },
    },
    ['address'],
  ),
  label: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    not: { required: ['a', 'b'] },
  },
  track: object({ id: { type: 'string' } }),
  cancel: object({ id: { type: 'string' } }),
};
const tools = Object.entries(schemas).map(([name, inputSchema]) => ({
  name,
  server: 'desk',
  toolId: `desk:${name}`,
  title: null,
  description: name,
  inputSchema,
  outputSchema: null,
  annotations: null,
}));

const want = (tool: string, parameters?: JsonObject): ExpectedCall => ({
  server: 'desk',
  tool,
  ...(parameters && { parameters }),
});
const made = (
  tool: string,
  args: JsonObject | null = {},
  text: string | null = null,
): ActualCall => ({
  id: tool,
  server: tool in schemas ? 'desk' : null,
  tool: tool in schemas ? tool : null,
  name: tool,
  arguments: args,
  argumentsText: text,
});

/** Scores a run with the real scorer, and reads its differences. */
function differences(
  expectedCalls: ExpectedCall[],
  calls: ActualCall[],
  more: Partial<Expectation> = {},
) {
  const expectation = { expectedCalls, orderDependent: false, allowedCalls: [], ...more };
  const score = scoreRun(
    {
      expectation,
      query: 'Collect a parcel',
      calls,
      tools,
      confidence: null,
      highConfidence: 0.7,
      modelReasoning: null,
    },
    judge,
  );
  const found = callDifferences({ case: { expectedCalls }, calls, score });
  for (const each of found) expect(callDifference.parse(each)).toEqual(each);
  return { score, found, texts: found.map(({ text }) => text) };
}

const address = '3 Oak Street';

describe('callDifferences', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'another text',
      { day: '2026-11-28' },
      { day: 'saturday' },
      'day: expected "2026-11-28", got "saturday"',
    ],
    ['another number', { kg: 2 }, { kg: 20 }, 'kg: expected 2, got 20'],
    ['another type', { kg: 2 }, { kg: '2 kg' }, 'kg: expected 2, got "2 kg"'],
    ['null', { day: 'monday' }, { day: null }, 'day: expected "monday", got null'],
    ['one that is left out', { day: 'monday' }, {}, 'day: missing, expected "monday"'],
    [
      'a made-up name',
      {},
      { when: 'monday' },
      'when: the input schema has no such parameter, got "monday"',
    ],
    [
      'a member of an object',
      { to: { city: 'Ghent', zip: '9000' } },
      { to: { city: 'Lyon', zip: '9000' } },
      'to.city: expected "Ghent", got "Lyon"',
    ],
    [
      'a missing member',
      { to: { city: 'Ghent' } },
      { to: {} },
      'to.city: expected "Ghent", got nothing',
    ],
    [
      'an extra member',
      { to: { city: 'Ghent' } },
      { to: { city: 'Ghent', zip: '1' } },
      'to.zip: not expected, got "1"',
    ],
    [
      'an element of a list of objects',
      { items: [{ sku: 'A' }, { sku: 'B' }] },
      { items: [{ sku: 'A' }, { sku: 'C' }] },
      'items[1].sku: expected "B", got "C"',
    ],
    [
      'a shorter list',
      { items: ['a', 'b'] },
      { items: ['a'] },
      'items: expected 2 elements, got 1',
    ],
    [
      '$any',
      { day: { $any: ['mon', 'tue'] } },
      { day: 'sun' },
      'day: expected any of ["mon","tue"], got "sun"',
    ],
    ['$regex', { day: { $regex: '^\\d+$' } }, { day: 'sun' }, 'day: "sun" does not match /^\\d+$/'],
    [
      '$contains',
      { note: { $contains: 'glass' } },
      { note: 'wood' },
      'note: "wood" does not contain "glass"',
    ],
    ['$gte', { kg: { $gte: 5 } }, { kg: 3 }, 'kg: expected at least 5, got 3'],
    ['$absent', { note: { $absent: true } }, { note: 'x' }, 'note: expected to be absent, got "x"'],
    [
      '$exact',
      { day: { $exact: 'Monday' } },
      { day: 'monday' },
      'day: expected exactly "Monday", got "monday"',
    ],
    [
      'a member in $partial',
      { to: { $partial: { city: 'Ghent' } } },
      { to: { city: 'Lyon', zip: '1' } },
      'to.city: expected "Ghent", got "Lyon"',
    ],
    [
      '$unordered',
      { items: { $unordered: ['a', 'b'] } },
      { items: ['b', 'c'] },
      'items: no element is left for "a", and "c" is left over',
    ],
    [
      'a name that looks like a place',
      { to: { 'a: b': 1 } },
      { to: { 'a: b': 2 } },
      'to.a: b: expected 1, got 2',
    ],
  ])('says what differs in %s', (_what, expected, actual, text) => {
    const { found, score } = differences(
      [want('book', { address, ...expected })],
      [made('book', { address, ...actual })],
    );
    expect(score.passed).toBe(false);
    expect(found).toMatchObject([{ kind: 'arguments', text, parameters: [{ text }] }]);
  });

  it('gives both calls, with the parameter that differs first, and other ones in their order', () => {
    const [found] = differences(
      [want('book', { address, kg: 2, day: 'monday' })],
      [made('book', { kg: 2, address, day: 'saturday' })],
    ).found;
    if (found === undefined) throw new Error('There is no difference.');
    expect(Object.keys(found.expected?.parameters ?? {})).toEqual(['day', 'address', 'kg']);
    expect(Object.keys(found.called?.arguments ?? {})).toEqual(['day', 'kg', 'address']);
    expect(expectedText(found)).toBe('desk:book(day: "monday", address: "3 Oak Street", kg: 2)');
    expect(actualText(found)).toBe('desk:book(day: "saturday", kg: 2, address: "3 Oak Street")');
  });

  it('joins several parameters of one call, and lists the calls of one run', () => {
    const { texts } = differences(
      [want('book', { address, day: 'monday', kg: 1 }), want('track', { id: 'P1' })],
      [made('track', { id: 'P2' }), made('book', { address, day: 'friday', kg: 3 })],
    );
    expect(texts).toEqual([
      'day: expected "monday", got "friday"; kg: expected 1, got 3',
      'id: expected "P1", got "P2"',
    ]);
  });

  it.each<[string, ExpectedCall[], ActualCall[], [kind: string, text: string][]]>([
    [
      'another tool',
      [want('track', { id: 'P1' })],
      [made('cancel', { id: 'P1' })],
      [['wrong_tool', 'expected desk:track, called desk:cancel']],
    ],
    ['no call', [want('track')], [], [['not_called', 'expected desk:track, called no tool']]],
    [
      'a call that is left out',
      [want('track'), want('book')],
      [made('track')],
      [['not_called', 'desk:book was not called']],
    ],
    [
      'a call where none is expected',
      [],
      [made('track')],
      [['unneeded_call', 'called desk:track, expected no call']],
    ],
    [
      'a call in addition',
      [want('track')],
      [made('track'), made('cancel')],
      [['unneeded_call', 'called desk:cancel in addition to the expected calls']],
    ],
    [
      'a made-up tool',
      [want('track')],
      [made('find_parcel')],
      [['made_up_tool', 'expected desk:track, called find_parcel, which was not offered']],
    ],
    [
      'a made-up tool where none is expected',
      [],
      [made('find_parcel')],
      [['made_up_tool', 'called find_parcel, which was not offered']],
    ],
    [
      'another tool than all of several',
      [
        {
          anyOf: [
            { server: 'desk', tool: 'track' },
            { server: 'desk', tool: 'book' },
          ],
        },
      ],
      [made('cancel')],
      [['wrong_tool', 'expected desk:track or desk:book, called desk:cancel']],
    ],
    [
      'unreadable arguments',
      [want('track', { id: 'P1' })],
      [made('track', null, '{"id": P1')],
      [['arguments', 'id: unreadable, "{\\"id\\": P1"']],
    ],
  ])('names %s', (_what, expected, calls, wanted) => {
    const { found } = differences(expected, calls);
    expect(found.map(({ kind, text }) => [kind, text])).toEqual(wanted);
  });

  it('names a parameter that only the input schema requires', () => {
    expect(differences([want('book')], [made('book', {})]).texts).toEqual([
      'address: missing, the schema requires it',
    ]);
  });

  it('names an argument that only the mode exact refuses', () => {
    const { texts } = differences(
      [want('book', { address })],
      [made('book', { address, note: 'ring twice' })],
      { argumentsMode: 'exact' },
    );
    expect(texts).toEqual(['note: not expected, got "ring twice"']);
  });

  it('names an argument that the case does not mention and the input schema refuses', () => {
    const { texts } = differences(
      [want('book', { address })],
      [made('book', { address, kg: 'heavy' })],
    );
    expect(texts).toEqual(['kg: against the input schema, /kg must be number']);
  });

  it('says that arguments are against a schema that refuses them only together', () => {
    const { texts } = differences([want('label')], [made('label', { a: 1, b: 2 })]);
    expect(texts).toEqual(['the arguments are against the input schema']);
  });

  it('compares the tool that was called of several that are right', () => {
    const anyOf = [
      { server: 'desk', tool: 'track' },
      { server: 'desk', tool: 'cancel' },
    ];
    const { found } = differences(
      [{ anyOf, parameters: { id: 'B1' } }],
      [made('cancel', { id: 'B2' })],
    );
    expect(found).toMatchObject([
      {
        text: 'id: expected "B1", got "B2"',
        expected: { tools: ['desk:track', 'desk:cancel'] },
        called: { tool: 'desk:cancel' },
      },
    ]);
  });

  it('says nothing of a run that passed, of an allowed call, and of a call whose order does not matter', () => {
    const allowed = { allowedCalls: [{ server: 'desk', tool: 'track' }] };
    for (const [calls, more] of [
      [[made('book', { address })], {}],
      [[made('track'), made('book', { address })], allowed],
    ] as const)
      expect(differences([want('book', { address })], [...calls], more).found).toEqual([]);
    expect(
      differences([want('track'), want('cancel')], [made('cancel'), made('track')]).found,
    ).toEqual([]);
  });

  it('says that calls are out of order where their order matters', () => {
    const { texts, score } = differences(
      [want('track', { id: '1' }), want('cancel', { id: '2' })],
      [made('cancel', { id: '2' }), made('track', { id: '1' })],
      { orderDependent: true },
    );
    expect(score.passed).toBe(false);
    expect(texts.join('; ')).toContain('desk:');
  });

  it('cuts long values in sentences and calls, and keeps their beginning', () => {
    const long = 'x'.repeat(10_000);
    const [found] = differences(
      [want('book', { address, note: 'short' })],
      [made('book', { address, note: long })],
    ).found;
    if (found === undefined) throw new Error('There is no difference.');
    expect(found.text.length).toBeLessThan(150);
    expect(actualText(found).length).toBeLessThanOrEqual(300);
    expect(JSON.stringify(found).length).toBeLessThan(6_000);
    expect(found.called?.arguments?.['note'] as JsonValue).toMatch(/^"xxx.*…$/);
  });
});
