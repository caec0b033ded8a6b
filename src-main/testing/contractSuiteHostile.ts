import { isContractProcedure } from '@orpc/contract';
import { z } from 'zod';
import { contract } from '../../src-shared/contract/index.ts';
import { procedureNames } from '../rpc/router.ts';

export interface HostileInput {
  what: string;
  /** JSON text of the input; empty for no input. */
  text: string;
}

/** What the contract expects as input: nothing, possibly an empty object, or required fields. */
function wantedInput(call: string): 'nothing' | 'empty' | 'fields' {
  const [topic = '', name = ''] = call.split('.');
  const procedures = new Map<string, object>(Object.entries(contract)).get(topic) ?? {};
  const found = new Map<string, unknown>(Object.entries(procedures)).get(name);
  if (!isContractProcedure(found)) throw new Error(`The contract has no ${call}.`);
  const schema: unknown = found['~orpc'].inputSchema;
  if (schema === undefined) return 'nothing';
  return schema instanceof z.ZodType && schema.safeParse({}).success ? 'empty' : 'fields';
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Inputs of extreme depth and of this length. What refuses them doesn't depend on the procedure. */
export function extremeInputs(length: number): HostileInput[] {
  const large = 'a'.repeat(length);
  return [
    { what: 'nesting of 100,000 levels', text: `{"id":${nested(100_000)}}` },
    { what: 'a large string', text: `"${large}"` },
    { what: 'a large string as the id', text: `{"id":"${large}"}` },
  ];
}

/** Inputs that must not reach any procedure, by the name of the procedure. */
export function hostileInputs(call: string, extreme: readonly HostileInput[] = []): HostileInput[] {
  const always: HostileInput[] = [
    { what: 'a number', text: '7' },
    { what: 'a string', text: '"x"' },
    { what: 'a list', text: '[]' },
    { what: 'null', text: 'null' },
    { what: 'true', text: 'true' },
    { what: 'a list of objects', text: '[{"id":"x"}]' },
    { what: 'an own __proto__ key', text: '{"__proto__":{"polluted":true},"id":"x"}' },
    {
      what: 'an escaped __proto__ key deep inside',
      text: '{"id":"x","a":[{"b":{"\\u005f_proto__":{}}}]}',
    },
    { what: 'nesting of 1,000 levels', text: `{"id":${nested(1000)}}` },
    ...extreme,
  ];
  const wanted = wantedInput(call);
  if (wanted === 'nothing') return [...always, { what: 'an object', text: '{}' }];
  if (wanted === 'empty') return always;
  return [
    ...always,
    { what: 'nothing', text: '' },
    { what: 'an empty object', text: '{}' },
    { what: 'fields of wrong types', text: '{"id":{"a":1},"suiteId":[],"name":0}' },
  ];
}

/** All procedures are asked over one transport. */
export const hostileCalls: readonly string[] = procedureNames;

/** One procedure for each kind of input, and one that may be large: for extreme inputs. */
export const hostileSample: readonly string[] = [
  ...(['nothing', 'empty', 'fields'] as const).flatMap(
    (kind) => hostileCalls.find((call) => wantedInput(call) === kind) ?? [],
  ),
  'suites.import',
];

export const unknownPaths = [
  '/',
  '/servers',
  '/servers/nope',
  '/nope/list',
  '/servers/__proto__',
  '/__proto__/constructor',
  '/servers/list/x',
  '/../servers/list',
  '//servers/list',
  '/servers/list?x=1',
  '/SERVERS/LIST',
  'servers/list',
  'http://evil.test/servers/list',
];
