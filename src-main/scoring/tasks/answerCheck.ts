import { isNumber, nearestDouble } from '../../../src-shared/domain/exactNumber.ts';
import { detectLanguage } from '../../analysis/language/detectLanguage.ts';
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { valueAtPointer } from '../../../src-shared/domain/jsonPointer.ts';
import type { AnswerCheck, CheckResult, Trajectory } from '../../../src-shared/domain/task.ts';
import { describe } from '../describe.ts';
import type { Judge } from '../judge.ts';
import { findDifference } from '../matchers.ts';
import { jsonInText, numbersInText } from './answerParts.ts';
import { found } from './found.ts';
import { brokenReason, isBroken } from './madeCalls.ts';

/** More numbers of a message are not named. */
const maxNamed = 5;

/** Why a message doesn't pass, what was found in it, and whether that could be decided. */
type Failed = { reason: string; actual: JsonValue | undefined; undecided?: true };

/** The messages that a check looks at, the last one last; null: the model wrote none. */
const messagesOf = (check: AnswerCheck, { steps }: Trajectory): (string | null)[] =>
  check.message === 'any' ? steps.flatMap(({ text }) => text ?? []) : [steps.at(-1)?.text ?? null];

/**
 * How a value differs from a schema; null if it conforms. The schema is that of a member, because
 * required and unknown names of a whole value are scored elsewhere for arguments.
 */
function schemaProblem(schema: JsonObject, value: JsonValue, judge: Judge): Failed | null {
  const checked = judge.validate(
    { type: 'object', properties: { answer: { ...schema, $id: 'answer:schema' } } },
    { answer: value },
  );
  if (checked.outcome === 'conforms') return null;
  return {
    reason: checked.reason.replace(/^\/answer(?=[ /])/u, 'The JSON'),
    actual: value,
    ...(checked.outcome === 'undecided' && { undecided: true }),
  };
}

function jsonProblem(check: AnswerCheck, message: string, judge: Judge): Failed | null {
  const { at = '', schema, expected } = check;
  let last: Failed = { reason: 'It has no JSON', actual: message };
  for (const value of jsonInText(message)) {
    const problem = schema === undefined ? null : schemaProblem(schema, value, judge);
    const part = valueAtPointer(value, at);
    const difference = findDifference(expected, part, judge);
    if (problem === null && difference === null) return null;
    const where = at === '' ? '' : `${at}: `;
    last = problem ?? { reason: `${where}${difference ?? ''}`, actual: part };
  }
  return last;
}

/** The number that a tolerance allows on each side: a share of the expected one, or a number. */
function allowed(tolerance: AnswerCheck['tolerance'], expected: number): number {
  if (typeof tolerance !== 'string') return tolerance ?? 0;
  return (Math.abs(expected) * Number(tolerance.replace('%', ''))) / 100;
}

function numberProblem(check: AnswerCheck, message: string, judge: Judge): Failed | null {
  const { expected, unit, tolerance } = check;
  const numbers = numbersInText(message, unit ?? null);
  const named = unit === undefined ? '' : ` ${unit}`;
  if (numbers.length === 0)
    return {
      reason: unit === undefined ? 'It has no number' : `It has no number with the unit ${unit}`,
      actual: message,
    };
  const wanted = isNumber(expected) ? nearestDouble(expected) : null;
  const margin = wanted === null ? 0 : allowed(tolerance, wanted);
  const passes = (value: number): boolean =>
    wanted === null
      ? findDifference(expected, value, judge) === null
      : Math.abs(value - wanted) <= margin * (1 + 1e-12);
  if (numbers.some(passes)) return null;
  const got = numbers.slice(0, maxNamed).join(', ') + (numbers.length > maxNamed ? ', …' : '');
  const range = margin === 0 ? '' : ` ± ${Number(margin.toPrecision(6))}`;
  return {
    reason: `expected ${describe(expected)}${range}${named}, got ${got}`,
    actual: numbers.length === 1 ? (numbers[0] ?? null) : numbers,
  };
}

/** A language that isn't clear decides nothing: neither that of the message nor that of the user. */
function languageProblem({ expected }: AnswerCheck, message: string, judge: Judge): Failed | null {
  const language = detectLanguage(message);
  const undecided = (reason: string): Failed => ({ reason, actual: message, undecided: true });
  if (expected === null) return undecided('the language of the user is not clear');
  if (language === null) return undecided('its language is not clear');
  const difference = findDifference(expected, language, judge);
  return difference === null ? null : { reason: difference, actual: language };
}

function problemOf(check: AnswerCheck, message: string | null, judge: Judge): Failed | null {
  if (check.read === 'json' && message !== null) return jsonProblem(check, message, judge);
  if (check.read === 'number' && message !== null) return numberProblem(check, message, judge);
  if (check.read === 'language' && message !== null) return languageProblem(check, message, judge);
  const difference =
    check.read !== undefined && message === null
      ? 'there is none'
      : findDifference(check.expected, message ?? undefined, judge);
  return difference === null ? null : { reason: difference, actual: message ?? undefined };
}

/**
 * Compares what the model wrote: its last message, or any of its messages. A message is compared as a
 * text, or by the JSON in it (that of its code blocks, or within its text), by the numbers in it, or by
 * its language. One message, JSON value, or number that passes is enough.
 */
export function judgeAnswer(check: AnswerCheck, run: Trajectory, judge: Judge): CheckResult {
  const { id, kind } = check;
  if (isBroken(run)) return { id, kind, passed: null, reason: brokenReason };
  const which = check.message === 'any' ? 'No message matches' : 'The last message';
  let last: Failed = { reason: 'the model wrote none', actual: undefined };
  for (const message of messagesOf(check, run)) {
    const problem = problemOf(check, message, judge);
    if (problem === null)
      return {
        ...{ id, kind, passed: true },
        reason: check.message === 'any' ? 'A message matches.' : 'The last message matches.',
      };
    // One that can't be decided may be the one that passes.
    if (last.undecided !== true || problem.undecided === true) last = problem;
  }
  const reason = `${which}: ${last.reason}.`;
  return last.undecided === true
    ? { id, kind, passed: null, reason }
    : { id, kind, passed: false, reason, ...found(last.actual) };
}
