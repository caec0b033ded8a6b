import { isDeepStrictEqual } from 'node:util';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { ArgumentsMode } from '../../../../src-shared/domain/testCase.ts';
import type { Change } from './suiteDraft.ts';
import { nonEmptyText, mapObject, toExactLiteral, toPartialLiteral } from './values.ts';

/** An expected call without its server, which is added later. */
export interface NamedCall {
  tool: string;
  parameters?: JsonObject;
  /** Left out if the source doesn't say whether other arguments are accepted. */
  mode?: ArgumentsMode | undefined;
}

/** The mode of a case with these calls: one decides all of them. */
export function modeOfCalls(
  calls: readonly NamedCall[],
  changes: Change[],
): ArgumentsMode | undefined {
  const judged = calls.filter(({ parameters }) => parameters !== undefined);
  const [mode, ...others] = new Set(judged.map((call) => call.mode));
  if (others.length === 0) return mode;
  changes.push({
    what: 'Additional arguments',
    why: 'The source rejects them for some calls only. Touchstone accepts them for all calls of the case.',
  });
  return 'at-least';
}

export interface Expectation {
  calls: NamedCall[];
  orderDependent: boolean;
  /** True if an assertion forbids any call. */
  none: boolean;
  changes: Change[];
  argumentsMode?: ArgumentsMode | undefined;
}

/** Assertion types whose value is a program. They are never run. */
const programTypes = /^(not-)?(javascript|python|ruby|webhook)$/;
const schemaCheckTypes = /^is-valid-(openai-)?(tools?|function)(s)?-call$/;
const isPlainName = (name: string): boolean => !/[*?]/.test(name);
/** `*` stands for any text and `?` for one character, without regard to case, as in promptfoo. */
const matchesGlob = (name: string, glob: string): boolean => {
  const escaped = glob.replace(/[\\^$.+()|[\]{}]/g, '\\$&');
  const source = escaped.replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'is').test(name);
};

/**
 * What the assertions of one test say of tools, or why they say nothing that can be judged here.
 * The shapes are those that promptfoo documents for `tool-call-f1` and `trajectory:*`; nothing is
 * evaluated.
 */
export function readAsserts(asserts: readonly JsonValue[]): Expectation | { reasons: string[] } {
  const reader = new AssertReader();
  for (const each of flatten(asserts)) reader.read(each);
  return reader.finish();
}

/** Unpacks sets of assertions. */
function flatten(asserts: readonly JsonValue[]): JsonValue[] {
  return asserts.flatMap((each) =>
    isJsonObject(each) && each['type'] === 'assert-set' && Array.isArray(each['assert'])
      ? flatten(each['assert'])
      : [each],
  );
}

/**
 * Collects what the assertions say. They are combined at the end, because one may name the tools
 * and another the arguments.
 */
class AssertReader {
  readonly #dropped: Change[] = [];
  readonly #refusals: string[] = [];
  readonly #changes: Change[] = [];
  readonly #counts = new Map<string, number>();
  readonly #arguments: (NamedCall & { parameters: JsonObject })[] = [];
  #sequence: string[] | null = null;
  #open = false;
  #closed = false;
  #expectsNoCall = false;
  #forbidsTools = false;

  read(assert: JsonValue): void {
    const type = isJsonObject(assert) ? nonEmptyText(assert['type']) : null;
    if (!isJsonObject(assert) || type === null)
      return this.#drop('An assertion', 'It has no type.');
    const value = assert['value'];
    const reference = typeof value === 'string' && value.startsWith('file://');
    if (programTypes.test(type) || reference)
      return this.#drop(
        type,
        reference
          ? 'It refers to a file, which is never run.'
          : 'It is a program, which is never run.',
      );
    if (type === 'tool-call-f1') return this.#readF1(assert, value);
    if (type === 'trajectory:tool-used') return this.#readToolUsed(value);
    if (type === 'not-trajectory:tool-used') return this.#readToolNotUsed(value);
    if (type === 'trajectory:tool-sequence') return this.#readSequence(value);
    if (type === 'trajectory:tool-args-match') return this.#readArguments(value);
    if (
      type === 'trajectory:step-count' &&
      isJsonObject(value) &&
      value['type'] === 'tool' &&
      value['max'] === 0
    )
      return void (this.#expectsNoCall = true);
    // Nothing to do: arguments are always checked against the tool's schema here.
    if (schemaCheckTypes.test(type)) return;
    return this.#drop(
      type,
      type.includes('trajectory:') || type.startsWith('not-')
        ? 'Touchstone has no such check.'
        : 'It checks the text of the answer. Only tool calls are scored.',
    );
  }

  finish(): Expectation | { reasons: string[] } {
    if (this.#refusals.length > 0) return { reasons: this.#refusals };
    const calls = this.#buildCalls();
    const argumentsMode = modeOfCalls(calls, this.#changes);
    const hasExpectation = calls.length > 0 || this.#expectsNoCall;
    if (calls.length > 0 && this.#expectsNoCall)
      this.#drop('The assertions', 'They require a tool and no tool at the same time.');
    if (!hasExpectation || (calls.length > 0 && this.#expectsNoCall)) {
      const reasons = this.#dropped.map(({ what, why }) => `${what}: ${why}`);
      if (reasons.length === 0)
        reasons.push(
          this.#forbidsTools
            ? 'It forbids tools, but doesn’t say which one is correct.'
            : 'No assertion says which tool is correct.',
        );
      return { reasons };
    }
    if (this.#open && !this.#closed && calls.length > 0)
      this.#changes.push({
        what: 'Other calls',
        why: 'promptfoo accepts other calls. Touchstone counts them as unneeded unless they are also allowed.',
      });
    return {
      calls,
      orderDependent: this.#sequence !== null && this.#sequence.length > 1,
      none: this.#expectsNoCall,
      changes: [...this.#changes, ...this.#dropped],
      argumentsMode,
    };
  }

  #buildCalls(): NamedCall[] {
    const names = this.#sequence === null ? [] : [...this.#sequence];
    const minCallsByTool = new Map(this.#counts);
    for (const { tool } of this.#arguments)
      if (!minCallsByTool.has(tool)) minCallsByTool.set(tool, 0);
    for (const [tool, minCalls] of minCallsByTool) {
      const own = this.#arguments.filter((each) => each.tool === tool).length;
      const there = names.filter((name) => name === tool).length;
      for (let missing = Math.max(minCalls, own) - there; missing > 0; missing -= 1)
        names.push(tool);
    }
    if (this.#sequence !== null && names.length > this.#sequence.length) {
      this.#sequence = null;
      this.#changes.push({
        what: 'The order of the calls',
        why: 'The order isn’t imported, because other assertions require calls that the sequence lacks.',
      });
    }
    const left = [...this.#arguments];
    return names.map((tool) => {
      const at = left.findIndex((each) => each.tool === tool);
      const [found] = at < 0 ? [] : left.splice(at, 1);
      return found ?? { tool };
    });
  }

  #readF1(assert: JsonObject, value: JsonValue | undefined): void {
    const given: readonly JsonValue[] =
      typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
    const names = given
      .filter((name) => typeof name === 'string')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (given.some((name) => typeof name !== 'string'))
      return this.#refuse('tool-call-f1', 'One of its values isn’t the name of a tool.');
    if (names.length === 0) return this.#drop('tool-call-f1', 'It names no tool.');
    for (const name of names) this.#requireCalls(name, 1);
    const threshold = assert['threshold'];
    if (typeof threshold === 'number' && threshold < 1)
      this.#changes.push({
        what: 'tool-call-f1',
        why:
          `Its threshold of ${threshold} isn’t imported: every call must be made, and no ` +
          'other.',
      });
    this.#closed = true;
  }

  #readToolUsed(value: JsonValue | undefined): void {
    if (isJsonObject(value)) {
      const name = nonEmptyText(value['pattern']) ?? nonEmptyText(value['name']);
      if (name === null) return this.#drop('trajectory:tool-used', 'It names no tool.');
      const { min, max } = value;
      if (name === '*' && max === 0) return void (this.#expectsNoCall = true);
      if (max === 0) return void (this.#forbidsTools = true);
      if (!isPlainName(name))
        return this.#drop(
          'trajectory:tool-used',
          `The pattern ${JSON.stringify(name)} matches several tools.`,
        );
      const minCalls = typeof min === 'number' ? Math.floor(min) : 1;
      if (minCalls < 1 || minCalls > 100)
        return this.#drop(
          'trajectory:tool-used',
          'A case can’t expect an optional call or more than 100 calls.',
        );
      this.#requireCalls(name, minCalls);
      if (typeof max === 'number' && max > minCalls)
        this.#changes.push({
          what: `trajectory:tool-used ${name}`,
          why: `promptfoo accepts up to ${max} calls. Touchstone expects ${minCalls}.`,
        });
      this.#open = true;
      return;
    }
    const names =
      typeof value === 'string'
        ? [value]
        : Array.isArray(value)
          ? value.filter((each) => typeof each === 'string')
          : [];
    if (Array.isArray(value) && names.length < value.length)
      return this.#refuse('trajectory:tool-used', 'One of its values isn’t the name of a tool.');
    if (names.length === 0) return this.#drop('trajectory:tool-used', 'It names no tool.');
    for (const name of names) {
      if (isPlainName(name)) this.#requireCalls(name, 1);
      else
        this.#drop(
          'trajectory:tool-used',
          `The pattern ${JSON.stringify(name)} matches several tools.`,
        );
    }
    this.#open = true;
  }

  #readToolNotUsed(value: JsonValue | undefined): void {
    const name = isJsonObject(value)
      ? (nonEmptyText(value['pattern']) ?? nonEmptyText(value['name']))
      : Array.isArray(value)
        ? value[0]
        : value;
    // If other calls are expected, a forbidden call is an unneeded one and fails the case anyway.
    if (name === '*') this.#expectsNoCall = true;
    else this.#forbidsTools = true;
  }

  #readSequence(value: JsonValue | undefined): void {
    const steps = Array.isArray(value)
      ? value
      : isJsonObject(value) && Array.isArray(value['steps'])
        ? value['steps']
        : [];
    const names = steps.map((step) =>
      isJsonObject(step)
        ? (nonEmptyText(step['pattern']) ?? nonEmptyText(step['name']))
        : nonEmptyText(step),
    );
    const usable = names.filter((name) => name !== null && isPlainName(name)) as string[];
    if (usable.length === 0 || usable.length < names.length || names.length > 100)
      return this.#drop('trajectory:tool-sequence', 'Some of its steps aren’t tool names.');
    if (this.#sequence !== null)
      return this.#drop(
        'trajectory:tool-sequence',
        'Only the first of several sequences is imported.',
      );
    this.#sequence = usable;
    if (isJsonObject(value) && value['mode'] === 'exact') this.#closed = true;
    else this.#open = true;
  }

  #readArguments(value: JsonValue | undefined): void {
    const what = 'trajectory:tool-args-match';
    const name = isJsonObject(value)
      ? (nonEmptyText(value['pattern']) ?? nonEmptyText(value['name']))
      : null;
    const args = isJsonObject(value) ? (value['args'] ?? value['arguments']) : undefined;
    if (!isJsonObject(value) || name === null || !isPlainName(name) || !isJsonObject(args))
      return this.#drop(what, 'It doesn’t say which arguments of which tool it checks.');
    const { mode = 'partial', defaults = {} } = value;
    if (mode !== 'partial' && mode !== 'exact')
      return this.#drop(what, `Its mode ${JSON.stringify(mode)} isn’t partial or exact.`);
    const isExact = mode === 'exact';
    const parameters = mapObject(args, isExact ? toExactLiteral : toPartialLiteral);
    // An argument with its default counts as absent there. Without `exact`, others are accepted anyway.
    if (isExact && isJsonObject(defaults))
      for (const [each, standard] of Object.entries(defaults)) {
        if (!Object.hasOwn(parameters, each))
          parameters[each] = { $optional: toExactLiteral(standard) };
        else if (isDeepStrictEqual(standard, args[each]))
          this.#changes.push({
            what: `${what} ${name}`,
            why: `promptfoo takes ${each} for absent, because it equals its default. Touchstone expects it.`,
          });
      }
    const ignored = (Array.isArray(value['ignore']) ? value['ignore'] : [value['ignore']]).filter(
      (each) => typeof each === 'string',
    );
    for (const each of ignored) {
      const isPlain = isPlainName(each);
      const meant = isPlain
        ? [each]
        : Object.keys(parameters).filter((parameter) => matchesGlob(parameter, each));
      for (const parameter of meant)
        if (isExact || Object.hasOwn(parameters, parameter))
          parameters[parameter] = { $ignore: true };
      if (isExact && !isPlain)
        this.#changes.push({
          what: `${what} ${name}`,
          why: `Of the pattern ${JSON.stringify(each)}, only the listed arguments are ignored.`,
        });
    }
    // A mode that isn't written leaves the choice to the suite and the evaluation.
    const written = isExact ? 'exact' : value['mode'] === undefined ? undefined : 'at-least';
    this.#arguments.push({ tool: name, parameters, mode: written });
    this.#open = true;
  }

  #requireCalls(name: string, minCalls: number): void {
    this.#counts.set(name, Math.max(minCalls, this.#counts.get(name) ?? 0));
  }

  /** An expectation that can't be read refuses the whole test: the others would say too little. */
  #refuse(what: string, why: string): void {
    this.#refusals.push(`${what}: ${why}`);
  }

  #drop(what: string, why: string): void {
    this.#dropped.push({ what, why });
  }
}
