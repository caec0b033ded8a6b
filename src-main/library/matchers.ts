import { callDifferences } from '../../src-shared/display/callDifferences.ts';
import { differenceText } from '../../src-shared/display/differenceTexts.ts';
import { isJsonObject } from '../../src-shared/domain/json.ts';
import {
  casesOfFile,
  type SuiteFile,
  type SuiteFileCase,
} from '../../src-shared/domain/suiteFile.ts';
import { AjvJudge } from '../scoring/ajvJudge.ts';
import { scoreRun } from '../scoring/scoreRun.ts';
import { readRecorded } from '../services/evaluations/score/scoreRecorded.ts';
import { sendableInput, sendableTools } from '../services/evaluations/score/sendable.ts';
import { readTextFileSync } from '../services/files/readTextFile.ts';
import { readSuiteFile } from '../services/suites/suiteFile.ts';
import type {
  ExpectedArguments,
  ExpectedToolCall,
  RecordedExpectation,
  RecordedRun,
  ToolReference,
} from './recordedTypes.ts';

export type { ExpectedArguments, ExpectedToolCall, RecordedRun } from './recordedTypes.ts';

/** What is right besides the expected calls. */
export type MatchOptions = Omit<RecordedExpectation, 'expected_calls'>;

/** A test case of a suite file, with what it takes from its suite. */
export interface SuiteCase {
  id: string;
  name: string;
  query: string;
  tags: string[];
  /** The servers whose tools the model should be offered. */
  servers: string[];
  /** The system prompt and the messages before the query. */
  system: string | null;
  messages: { role: string; content: string }[];
  expectation: RecordedExpectation;
}

interface MatchResult {
  pass: boolean;
  message: () => string;
}

/** The signatures of the matchers in a test, such as `expect(run).toCallTool('add_task')`. */
export interface ToolMatchers<Result = void> {
  /**
   * The run calls this tool and, besides allowed ones, no other. Of several names, any is right.
   * Arguments may have matchers such as `{ $regex: … }`; left out, the schema of the tool decides.
   */
  toCallTool(
    tool: string | readonly string[],
    args?: ExpectedArguments,
    options?: MatchOptions,
  ): Result;
  /** The run makes these calls and, besides allowed ones, no others. */
  toCallTools(calls: readonly ExpectedToolCall[], options?: MatchOptions): Result;
  /** The run calls no tool that isn't allowed. */
  toCallNoTool(options?: MatchOptions): Result;
  /** The run does what this case of a suite expects. */
  toPassCase(suiteCase: SuiteCase): Result;
}

/** What each matcher expects of a run. */
export const expectations = {
  toCallTool: (
    run: RecordedRun,
    tool: string | readonly string[],
    args?: ExpectedArguments,
    options?: MatchOptions,
  ) => judged(run, { ...options, expected_calls: [callOf([tool].flat(), args)] }),
  toCallTools: (run: RecordedRun, calls: readonly ExpectedToolCall[], options?: MatchOptions) =>
    judged(run, { ...options, expected_calls: calls }),
  toCallNoTool: (run: RecordedRun, options?: MatchOptions) =>
    judged(run, { ...options, expected_calls: [] }),
  toPassCase: (run: RecordedRun, suiteCase: SuiteCase) =>
    judged(onServers(run, suiteCase), suiteCase.expectation),
};

export type JudgedRun = RecordedRun & RecordedExpectation;
const judged = (run: RecordedRun, expectation: RecordedExpectation): JudgedRun => {
  // A test in JavaScript may expect anything of anything.
  if (!isJsonObject(run)) throw new TypeError('A run needs tools and actual_calls.');
  return { query: '', ...run, ...expectation };
};

/** For `expect.extend` of Vitest and Jest. */
export const matchers = {
  toCallTool: (...args: Parameters<typeof expectations.toCallTool>) =>
    match(expectations.toCallTool(...args)),
  toCallTools: (...args: Parameters<typeof expectations.toCallTools>) =>
    match(expectations.toCallTools(...args)),
  toCallNoTool: (...args: Parameters<typeof expectations.toCallNoTool>) =>
    match(expectations.toCallNoTool(...args)),
  toPassCase: (...args: Parameters<typeof expectations.toPassCase>) =>
    match(expectations.toPassCase(...args)),
};

const callOf = (names: readonly string[], args?: ExpectedArguments): ExpectedToolCall => {
  const given = args === undefined ? {} : { arguments: args };
  const [name = ''] = names;
  return names.length === 1
    ? { name, ...given }
    : { any_of: names.map((each) => ({ name: each })), ...given };
};

// The schemas are the tester's own, so that no time limit, and no worker, stands between.
const judge = new AjvJudge();

/**
 * Scores a run as `touchstone score` does (docs/rules.md §3). Throws where nothing can be scored: that
 * is neither passed nor failed, also with `.not`.
 */
export function match(run: JudgedRun): MatchResult {
  const read = readRecorded(JSON.stringify({ ...run, id: 'run' }), run.arguments_mode);
  if ('problem' in read) throw new TypeError(`The run can't be read: ${read.problem}`);
  const { input } = read;
  const { tools, ...rest } = input;
  const score =
    read.notScored === null
      ? scoreRun({ ...sendableInput(rest), tools: sendableTools(tools) }, judge)
      : null;
  const reason = read.notScored ?? score?.undecided ?? null;
  if (score === null || reason !== null) throw new Error(`The run can't be scored: ${reason}`);
  const { expectedCalls } = input.expectation;
  const differences = callDifferences({ case: { expectedCalls }, calls: input.calls, score });
  return {
    pass: score.passed === true,
    message: () =>
      score.passed === true
        ? 'The run makes the expected calls, and it should not.'
        : differences.map(differenceText).join('\n') || 'The run makes other calls than expected.',
  };
}

/** A run whose tools name no server gets that of the case, if there is only one. */
function onServers(run: RecordedRun, { name, servers, expectation }: SuiteCase): RecordedRun {
  if (run.tools.every((tool) => tool.server !== undefined)) return run;
  const named = expectation.expected_calls.flatMap((call): ToolReference[] =>
    'any_of' in call ? call.any_of : [call],
  );
  const all = new Set([...servers, ...named.flatMap(({ server }) => server ?? [])]);
  const [server, ...others] = all;
  if (server === undefined || others.length > 0)
    throw new TypeError(
      `Case ${name}: It uses the servers ${[...all].join(', ') || '(none)'}, so each tool of the run needs its \`server\`.`,
    );
  return {
    ...run,
    tools: run.tools.map((tool) => ({ ...tool, server: tool.server ?? server })),
  };
}

/**
 * The test cases of a suite file, YAML or JSON. Throws an error with the line of its first problem.
 * Tasks, which need several turns, are run by `touchstone eval` alone and left out; a file without
 * any case, and a path that leads to a pipe, a device or a folder, is refused.
 */
export function readCases(path: string): SuiteCase[] {
  const { file, problems } = readSuiteFile(readTextFileSync(path));
  if (file === null) {
    const [{ line, message } = { line: null, message: 'It is not a suite.' }] = problems;
    throw new Error(`${path}${line === null ? '' : `:${line}`}: ${message}`);
  }
  const cases = casesOfFile(file);
  if (cases.length === 0)
    throw new Error(
      `${path}: It has no test cases. Tasks need several turns: run \`touchstone eval\`.`,
    );
  return cases.map((each) => caseOf(each, file));
}

const referenceOf = ({ server, tool }: { server: string; tool: string }) => ({
  server,
  name: tool,
});

const expectedOf = (call: Parameters<typeof referenceOf>[0] & { parameters?: object }) => ({
  ...referenceOf(call),
  ...(call.parameters && { arguments: call.parameters }),
});

function caseOf(each: SuiteFileCase, suite: SuiteFile): SuiteCase {
  const mode = each.arguments_mode ?? suite.arguments_mode;
  return {
    id: each.id,
    name: each.name,
    query: each.query,
    tags: each.tags ?? [],
    servers: (each.servers?.length ?? 0) > 0 ? (each.servers ?? []) : suite.servers,
    system: each.system ?? suite.system ?? null,
    messages: (each.messages ?? suite.messages ?? []).map(({ role, content }) => ({
      role,
      content,
    })),
    expectation: {
      expected_calls: each.expected_calls.map((call) =>
        'any_of' in call
          ? {
              any_of: call.any_of.map(expectedOf),
              ...(call.parameters && { arguments: call.parameters }),
            }
          : expectedOf(call),
      ),
      allowed_calls: (each.allowed_calls ?? []).map(referenceOf),
      order_dependent: each.order_dependent ?? false,
      ...(mode && { arguments_mode: mode }),
    },
  };
}
