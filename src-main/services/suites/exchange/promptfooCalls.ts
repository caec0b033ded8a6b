import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { argumentsMode } from '../../../../src-shared/domain/testCase.ts';
import type { Expectation, NamedCall } from './promptfooAsserts.ts';
import { mapObject, nonEmptyText, toExactLiteral } from './values.ts';

/** By its first line, an assertion is recognized as ours when it is read back. */
const firstLine = '// Touchstone: compares the returned calls with metadata.expected_calls.';

/**
 * The assertion of every exported test, run by promptfoo. It reads the calls of an answer as the
 * providers of promptfoo return them (OpenAI's two APIs, Anthropic, Google), needs no trace, and
 * assigns them to the expected calls. It contains no `{{`, which promptfoo would expand.
 */
const callsProgram = `${firstLine}
const parse = (text) => { try { return JSON.parse(text); } catch { return undefined; } };
const callsIn = (value) => {
  if (typeof value === 'string') {
    const whole = parse(value);
    if (whole !== undefined && typeof whole !== 'string') return callsIn(whole);
    return value.split('\\n').flatMap((line) => (/^\\s*[\\[{]/.test(line) ? callsIn(parse(line)) : []));
  }
  if (Array.isArray(value)) return value.flatMap(callsIn);
  if (value === null || typeof value !== 'object') return [];
  const call = value.functionCall ?? value.function ?? value;
  const args = call.arguments ?? call.args ?? call.input;
  const isCall = value.functionCall || value.function || ['function_call', 'tool_use'].includes(value.type);
  if (isCall && typeof call.name === 'string')
    return [ { tool: call.name, args: (typeof args === 'string' ? parse(args) : args) ?? null } ];
  return callsIn(value.tool_calls ?? value.content ?? value.output ?? value.parts ?? null);
};
const equal = (a, b) =>
  a === b || (a !== null && b !== null && typeof a === 'object' && typeof b === 'object' &&
    Array.isArray(a) === Array.isArray(b) && Object.keys(a).length === Object.keys(b).length &&
    Object.keys(a).every((key) => Object.hasOwn(b, key) && equal(a[key], b[key])));
const listed = (wanted, name) => wanted.args === undefined || Object.hasOwn(wanted.args, name);
const fits = (wanted, made) =>
  wanted.tool === made.tool &&
  (metadata.arguments_mode !== 'exact' || Object.keys(made.args ?? {}).every((name) => listed(wanted, name))) &&
  Object.entries(wanted.args ?? {}).every(([name, value]) =>
    (wanted.ignore ?? []).includes(name) ||
      (made.args !== null && Object.hasOwn(made.args, name) && equal(value, made.args[name])));
const metadata = context.test.metadata ?? {};
const expected = metadata.expected_calls ?? [];
const made = callsIn(output);
const assign = (index, left) => index === expected.length || left.some((call, at) =>
  (!metadata.order_dependent || at === 0) && fits(expected[index], call) &&
    assign(index + 1, left.filter((_, other) => other !== at)));
const pass = made.length === expected.length && assign(0, made);
const text = (calls) => JSON.stringify(calls.map(({ tool, args }) => ({ tool, args })));
return { pass, score: pass ? 1 : 0, reason: pass ? 'The calls are as expected.' : 'Expected ' + text(expected) + ', but got ' + text(made) };
`;

export const callsAssertion = () => ({ type: 'javascript', value: callsProgram });

const isOurs = (assert: JsonValue): boolean =>
  isJsonObject(assert) &&
  assert['type'] === 'javascript' &&
  typeof assert['value'] === 'string' &&
  assert['value'].startsWith(`${firstLine}\n`);

/**
 * What a test that this program exported expects, from its metadata; null for any other test. The
 * assertion itself is never run.
 */
export function readExportedCalls(
  asserts: readonly JsonValue[],
  metadata: JsonObject,
): Expectation | null {
  const listed = metadata['expected_calls'];
  if (!asserts.some(isOurs) || !Array.isArray(listed)) return null;
  const calls = listed.map(readCall);
  if (!calls.every((call) => call !== null)) return null;
  return {
    calls,
    orderDependent: metadata['order_dependent'] === true,
    none: calls.length === 0,
    argumentsMode: argumentsMode.safeParse(metadata['arguments_mode']).data,
    changes: asserts
      .filter((assert) => !isOurs(assert))
      .map((assert) => ({
        what: (isJsonObject(assert) && nonEmptyText(assert['type'])) || 'An assertion',
        why: 'It was added to an exported test, whose expected calls are imported alone.',
      })),
  };
}

function readCall(value: JsonValue): NamedCall | null {
  const tool = isJsonObject(value) ? nonEmptyText(value['tool']) : null;
  if (!isJsonObject(value) || tool === null) return null;
  const { args } = value;
  if (!isJsonObject(args)) return { tool };
  const parameters = mapObject(args, toExactLiteral);
  for (const name of Array.isArray(value['ignore']) ? value['ignore'] : [])
    if (typeof name === 'string' && Object.hasOwn(parameters, name))
      parameters[name] = { $ignore: true };
  return { tool, parameters };
}
