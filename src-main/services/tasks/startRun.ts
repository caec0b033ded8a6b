import { formatCount } from '../../../src-shared/display/numbers.ts';
import { readsBefore, readsServer } from '../../../src-shared/domain/checkKinds.ts';
import { isNumber } from '../../../src-shared/domain/exactNumber.ts';
import {
  fillRunValues,
  localDate,
  MissingRunValue,
  runValueNames,
  type RunValues,
} from '../../../src-shared/domain/runValues.ts';
import { resetCalls } from '../../../src-shared/domain/fixtureParts.ts';
import type {
  ReadingCheck,
  StateCheck,
  TaskContent,
  TaskEnd,
  TaskResult,
  Trajectory,
} from '../../../src-shared/domain/task.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { unlessAborted } from '../../runtime/deadline.ts';
import { detectLanguage } from '../../analysis/language/detectLanguage.ts';
import { readPart } from '../../scoring/tasks/readingPart.ts';
import { isExecuted, type CallAnswering } from './answerCall.ts';
import { broken } from './brokenRun.ts';
import { maxKeptReading, maxReadingBytes } from './reduceReading.ts';
import { renderResult, wholeResult } from './renderResult.ts';
import type { TaskEnvironment } from './taskEnvironment.ts';

/** What preparing the servers and reading their state needs of a run. */
export type ReadingRun = Pick<CallAnswering, 'mode' | 'environment' | 'known' | 'judge'> &
  Pick<TaskContent, 'setup' | 'checks' | 'before' | 'reset'>;

/** Prepares the servers; null if that worked. Stubs need no preparation. */
export async function setUp(run: ReadingRun, signal: AbortSignal): Promise<TaskEnd | null> {
  if (run.mode === 'stub') return null;
  for (const { server, tool, arguments: args } of [...resetCalls(run), ...run.setup]) {
    if (run.environment === null || !isExecuted({ server, tool }, run))
      return broken(
        'setup',
        `${tool} isn't read-only, so execution mode ${run.mode} doesn't execute it.`,
      );
    try {
      const called = await run.environment.call(server, tool, args, signal);
      if (called.isError)
        return broken('setup', `${tool} returned an error: ${renderResult(called, 300).text}`);
    } catch (error) {
      signal.throwIfAborted();
      return broken('setup', errorText(error));
    }
  }
  return null;
}

/** What the tool of a check returns: whole, or what the check compares of it. */
async function readForCheck(
  { judge }: Pick<ReadingRun, 'judge'>,
  environment: Pick<TaskEnvironment, 'read'>,
  check: StateCheck | ReadingCheck,
  signal: AbortSignal,
): Promise<TaskResult> {
  const called = await environment.read(check.server, check.tool, check.arguments, signal);
  // Of an error, the beginning says what is wrong.
  if (called.isError) return renderResult(called, maxKeptReading);
  const whole = wholeResult(called);
  if (whole.length <= maxKeptReading) return renderResult(called, maxKeptReading);
  const bytes = Buffer.byteLength(whole);
  if (bytes > maxReadingBytes)
    throw new Error(
      `The result of ${check.tool} has ${formatCount(bytes)} bytes, and a check compares at most ` +
        `${formatCount(maxReadingBytes)}. Read less of it, with arguments of the tool.`,
    );
  return unlessAborted(judge.reduce(check, whole), signal);
}

/** Why no run could have passed a check whose reading failed: its own arguments are wrong. */
async function refusalOf(
  { known, judge }: Pick<ReadingRun, 'known' | 'judge'>,
  { id, server, tool, arguments: args }: StateCheck | ReadingCheck,
): Promise<string | null> {
  const schema = known.find((each) => each.server === server && each.name === tool)?.inputSchema;
  const reason = schema === undefined ? null : await judge.refusal(schema, args);
  return reason === null
    ? null
    : `${tool} refuses the arguments of the check ${id}: ${reason}. Correct the check.`;
}

/** Reads what the state checks compare. A tool that the mode doesn't execute has no state. */
export async function readStates(
  run: ReadingRun,
  signal: AbortSignal,
): Promise<{ states: Trajectory['states']; end: TaskEnd | null }> {
  const states: Trajectory['states'] = {};
  for (const check of run.checks) {
    if (!readsServer(check) || run.environment === null || !isExecuted(check, run)) continue;
    try {
      const read = await readForCheck(run, run.environment, check, signal);
      const refusal = read.isError ? await refusalOf(run, check) : null;
      if (refusal !== null) return { states, end: broken('state', refusal) };
      states[check.id] = read;
    } catch (error) {
      signal.throwIfAborted();
      return { states, end: broken('state', errorText(error)) };
    }
  }
  return { states, end: null };
}

/** A value of a reading that can be filled in: an object could be read as a matcher. */
function valueOf(name: string, reading: StateCheck, result: TaskResult): RunValues[string] {
  const where = `The reading before.${name}`;
  if (result.isError)
    throw new MissingRunValue(`${where} returned an error: ${result.text.slice(0, 300)}`);
  const part = readPart(reading, result);
  const value = part.is === 'value' ? part.value : [];
  const isPlain = value === null || ['string', 'boolean'].includes(typeof value) || isNumber(value);
  if (value !== undefined && isPlain) return value;
  throw new MissingRunValue(
    `${where}: There is ${value === undefined ? 'nothing' : 'a list or an object'} at ` +
      `${JSON.stringify(reading.at)} of the result. Point "at" to a text or a number in it.`,
  );
}

async function readBefore(
  run: ReadingRun,
  start: RunValues,
  signal: AbortSignal,
): Promise<RunValues> {
  const values: RunValues = {};
  for (const [name, reading] of Object.entries(run.before ?? {})) {
    const { server, tool, arguments: args = {}, at = '' } = fillRunValues(reading, start);
    if (run.environment === null || !isExecuted({ server, tool }, run))
      throw new MissingRunValue(
        `Execution mode ${run.mode} doesn't execute ${tool}, which before.${name} reads.`,
      );
    const read = { server, tool, arguments: args, at };
    const asked: StateCheck = { id: name, kind: 'state', ...read, test: 'matches', expected: null };
    const result = await readForCheck(run, run.environment, asked, signal);
    values[`before.${name}`] = valueOf(name, asked, result);
  }
  return values;
}

type Filled = Pick<TaskContent, 'turns' | 'setup' | 'checks' | 'before' | 'reset'> &
  Partial<Record<'stubs' | 'user' | 'solution', unknown>>;

interface StartedRun<Run> {
  /** With the values filled in. */
  run: Run;
  values: Trajectory['values'];
  /** Readings before the first turn, by id of the check that compares with them. */
  before: Trajectory['states'];
}

/**
 * Brings a run to the moment before its first turn: resets and prepares the servers, reads what the
 * task needs to know, and fills the values in. Returns why that failed in place of the run.
 */
export async function startRun<Run extends ReadingRun & Filled>(
  given: Run,
  signal: AbortSignal,
  today = localDate(new Date()),
): Promise<StartedRun<Run> | { end: TaskEnd }> {
  const { turns, setup, checks, before, reset, stubs, user, solution } = given;
  const parts = { turns, setup, checks, before, reset, stubs, user, solution };
  const names = new Set(runValueNames(parts));
  const start: RunValues = {
    ...(names.has('today') && { today }),
    ...(names.has('user_language') && { user_language: detectLanguage(given.turns.join('\n')) }),
    ...(names.has('run_dir') && given.environment && { run_dir: given.environment.folder }),
  };
  try {
    const prepared = { ...given, ...fillRunValues({ setup, reset }, start) };
    const failed = await setUp(prepared, signal);
    if (failed !== null) return { end: failed };
    const values = { ...start, ...(await readBefore(prepared, start, signal)) };
    const { reset: _reset, before: _before, setup: _setup, ...rest } = parts;
    const there = Object.fromEntries(
      Object.entries(rest).filter(([, value]) => value !== undefined),
    );
    const run: Run = { ...prepared, ...fillRunValues(there, values) };
    const read = await readStates({ ...run, checks: run.checks.filter(readsBefore) }, signal);
    if (read.end !== null) return { end: read.end };
    return {
      run,
      values: Object.keys(values).length === 0 ? undefined : values,
      before: read.states,
    };
  } catch (error) {
    signal.throwIfAborted();
    return { end: broken('setup', errorText(error)) };
  }
}
