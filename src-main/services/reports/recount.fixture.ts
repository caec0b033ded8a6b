import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Observation } from '../../../src-shared/domain/observation.ts';
import { alternatives } from '../../../src-shared/domain/testCase.ts';
import { createRandom } from '../../../src-shared/metrics/random.ts';
import { call, createEngine, type Engine, type FakeCase } from '../../testing/engine.ts';

/** Names that sort differently by code units and by code points, and that JSON escapes. */
const names = ['add', 'remove', 'list', 'Add "it"', '\u{1f600}', '\uff5e'];
const schemas: (JsonObject | undefined)[] = [
  {
    type: 'object',
    properties: { title: { type: 'string' }, n: { type: 'integer' } },
    required: ['title'],
  },
  undefined,
  { type: 'object', properties: { x: { $ref: '#/nowhere' } } },
  { type: 'object', properties: { title: { type: 'string' } }, additionalProperties: false },
];
const messages = ['The model is away.', 'The answer is too long.', 'Der Server ist \u{1f600} weg.'];

/**
 * An evaluation in which everything is drawn: expectations with alternatives, order, allowed calls
 * and arguments, calls with right, wrong, invented and unreadable arguments, made-up tools, errors,
 * tokens, times and confidence. Equal seeds give equal evaluations.
 */
export async function openDrawn(seed: number, cases: number): Promise<Engine> {
  const random = createRandom(seed);
  const draw = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const chance = (share: number): boolean => random() < share;
  const reference = () => ({ server: draw(['s', 'r']), tool: draw(names) });
  const expectedCall = () => {
    const parameters = chance(0.5)
      ? { parameters: draw<JsonObject>([{ title: 'x' }, { title: { $ignore: true } }, { n: 1 }]) }
      : {};
    return chance(0.3)
      ? { anyOf: [reference(), reference()], ...parameters }
      : { ...reference(), ...parameters };
  };
  const planned = Array.from({ length: cases }, (_, at): FakeCase => ({
    query: `case ${at}`,
    expected: Array.from({ length: draw([0, 1, 1, 2, 3]) }, expectedCall),
    orderDependent: chance(0.3),
    allowedCalls: chance(0.3) ? [reference()] : [],
    tags: chance(0.5) ? ['tag'] : [],
  }));
  const byQuery = new Map(planned.map((one) => [one.query, one.expected ?? []]));
  const answered = (expected: NonNullable<FakeCase['expected']>): Observation['calls'] => {
    const made = expected.flatMap((one) => {
      if (chance(0.15)) return [];
      const wanted = chance(0.2) ? reference() : draw(alternatives(one));
      const args = chance(0.6)
        ? (one.parameters ?? {})
        : draw<JsonObject>([{}, { title: 'y' }, { more: 1 }]);
      const done = call(wanted.server, wanted.tool, args);
      if (chance(0.1)) return [{ ...done, server: null, tool: null }];
      return [chance(0.15) ? { ...done, arguments: null, argumentsText: '{"title": "x' } : done];
    });
    return chance(0.1) ? [...made, call('s', draw(names))] : made;
  };
  return createEngine({
    servers: Object.fromEntries(
      ['s', 'r'].map((server) => [
        server,
        names.map((name, at) => {
          const inputSchema = schemas[at % schemas.length];
          return { name, ...(inputSchema && { inputSchema }) };
        }),
      ]),
    ),
    cases: planned,
    script: async ({ query }) => {
      if (chance(0.1)) throw new Error(draw(messages));
      return {
        calls: answered(byQuery.get(query) ?? []),
        confidence: chance(0.2)
          ? null
          : {
              score: draw([0, 0.3, 0.7, 1, random()]),
              method: draw(['margin', 'self_report'] as const),
            },
        usage: chance(0.1)
          ? null
          : {
              input: draw([10, 20]),
              output: draw([1, 2, 3]),
              source: draw(['measured', 'estimated'] as const),
            },
      };
    },
  });
}
