import type { CallDifference, CheckDifference, RunDifference } from '../domain/callDifference.ts';
import type { JsonValue } from '../domain/json.ts';
import { toolId } from '../domain/labels.ts';
import { groupsOf } from '../domain/expectedCalls.ts';
import {
  type AnswerCheck,
  type CallsCheck,
  type CheckResult,
  type TaskCheck,
} from '../domain/task.ts';
import { commandText } from '../domain/commandText.ts';
import { cut, kept, maxValueLength, valueText } from './callDifferences.ts';
import { argumentTexts, inWords, numberTexts, requiredText, useText } from './expectedUses.ts';

/** Longer calls and values are cut in a line. */
const maxLineLength = 300;

/** The expected call on one line: `desk:book(day: "monday", note: any value)`; matchers in words. */
function expectedCall({ expected }: CallDifference): string {
  if (expected === null) return 'no call';
  const names = expected.tools.join(' or ');
  if (expected.parameters === null) return names;
  return cut(`${names}(${argumentTexts(expected.parameters)})`, maxLineLength);
}

function actualCall({ called }: CallDifference): string {
  if (called === null) return 'no call';
  const given =
    called.arguments === null
      ? 'unreadable arguments'
      : argumentTexts(called.arguments, (value) => JSON.stringify(value));
  return cut(`${called.tool}(${given})`, maxLineLength);
}

/** What an answer check looks at, where it isn't the text of the last message. */
function answerPlace({ message, read, at, unit }: AnswerCheck): Pick<CheckDifference, 'place'> {
  if (message === undefined && read === undefined) return {};
  const what =
    read === undefined
      ? ''
      : read === 'language'
        ? 'the language of '
        : read === 'json'
          ? `JSON${at === undefined || at === '' ? '' : ` at ${at}`} in `
          : `a number${unit === undefined ? '' : ` with the unit ${unit}`} in `;
  return { place: `${what}${message === 'any' ? 'any message' : 'the last message'}` };
}

/** What a check expected, apart from its result. */
function expectationOf(check: TaskCheck): Pick<CheckDifference, 'place' | 'test' | 'expected'> {
  switch (check.kind) {
    case 'state': {
      const { server, tool, at, test, expected } = check;
      const place = `${toolId(server, tool)}${at === '' ? '' : ` at ${at}`}`;
      return { place, test, expected: kept(expected) };
    }
    case 'end_state':
    case 'unchanged': {
      const { server, tool, at } = check;
      return {
        place: `${toolId(server, tool)}${at === '' ? '' : ` at ${at}`}`,
        expected:
          check.kind === 'unchanged' ? 'as before the run' : 'as after the reference solution',
      };
    }
    case 'answer':
      return { ...answerPlace(check), expected: kept(check.expected) };
    case 'calls': {
      const { must, ordered, any, never } = check;
      return { expected: { must, ordered, ...(any && { any }), never } };
    }
    case 'program':
      return { expected: 'to pass', place: commandText(check) };
    case 'judge':
      return { expected: kept(check.rubric) };
  }
}

/**
 * What each failed check of a run of a task expected and found, in the order of the task: those that
 * decide, not what a judge says that isn't calibrated (docs/rules.md, "What differs").
 */
export function checkDifferences(
  checks: readonly TaskCheck[],
  results: readonly CheckResult[],
): CheckDifference[] {
  return results.flatMap(({ id, passed, advisory, actual, reason }): CheckDifference[] => {
    const check = checks.find((each) => each.id === id);
    if (passed !== false || advisory === true || check === undefined) return [];
    const found = {
      kind: `${check.kind}_check` as const,
      check: id,
      ...expectationOf(check),
      ...(actual !== undefined && { actual }),
    };
    return [{ ...found, text: `${nameOfCheck(id)}: ${checkRest(found, reason)}` }];
  });
}

/** Checks without an id of their own are called check-1, check-2 and so on. */
const nameOfCheck = (id: string): string => (/^check\b/iu.test(id) ? id : `check ${id}`);

function checkRest(
  { kind, place, test, actual, expected }: Omit<CheckDifference, 'text'>,
  reason: string,
): string {
  if (test !== undefined && test !== 'matches' && actual !== undefined)
    return `${place}: expected ${test === 'contains' ? '' : 'not '}to contain ${cut(inWords(expected), maxValueLength)}, got ${valueText(actual)}`;
  const rest = reason.replace(/\.$/, '').replace(/^The(?=(re)? )/, 'the');
  return kind === 'calls_check' && isList(actual) ? `${rest}; called ${calledText(actual)}` : rest;
}

/** Names of tools: a calls check has nothing else in its lists. */
const isList = (value: JsonValue | undefined): value is string[] => Array.isArray(value);
const calledText = (calls: readonly string[]): string =>
  calls.length === 0 ? 'no tool' : calls.join(', ');

function expectedOfCheck({ kind, place, test, expected }: CheckDifference): string {
  if (kind === 'calls_check') {
    const { must, ordered, any = [], never, ...more } = expected as unknown as CallsCheck;
    return cut(
      [
        ...(must.length === 0
          ? []
          : [`${requiredText(groupsOf({ must }))}${ordered ? ' in this order' : ''}`]),
        ...(any.length === 0 ? [] : [any.map(useText).join(' or ')]),
        ...(never.length === 0 ? [] : [`never ${never.map(useText).join(', ')}`]),
        ...numberTexts(more),
      ].join('; '),
      maxLineLength,
    );
  }
  const relation = { contains: ' contains', excludes: ' does not contain', matches: '' };
  const subject = place === undefined ? '' : `${place}${relation[test ?? 'matches']}: `;
  const value =
    kind === 'judge_check' && typeof expected === 'string' ? expected : inWords(expected);
  return cut(`${subject}${value}`, maxLineLength);
}

function actualOfCheck({ kind, actual }: CheckDifference): string {
  if (kind === 'judge_check') return 'a judge said no';
  if (kind === 'program_check') return 'the program said no';
  if (actual === undefined) return 'nothing';
  if (kind === 'calls_check' && isList(actual)) return cut(calledText(actual), maxLineLength);
  return cut(JSON.stringify(actual), maxLineLength);
}

const isOfCheck = (difference: RunDifference): difference is CheckDifference =>
  'check' in difference;

/** What was expected on one line: the call, or what a check looks for; matchers in words. */
export const expectedText = (difference: RunDifference): string =>
  isOfCheck(difference) ? expectedOfCheck(difference) : expectedCall(difference);

/** What there was on one line: the call, or what a check found. */
export const actualText = (difference: RunDifference): string =>
  isOfCheck(difference) ? actualOfCheck(difference) : actualCall(difference);

export const differenceText = (difference: RunDifference): string =>
  `${difference.text}\n  expected ${expectedText(difference)}\n  ${isOfCheck(difference) ? 'got' : 'called'} ${actualText(difference)}`;
