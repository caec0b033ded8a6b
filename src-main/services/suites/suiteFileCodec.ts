import { stringify, type ScalarTag, type Tags } from 'yaml';
import { isNumber, numberText, readNumber } from '../../../src-shared/domain/exactNumber.ts';
import {
  casesOfFile,
  tasksOfFile,
  type SuiteFile,
  type SuiteFileCase,
} from '../../../src-shared/domain/suiteFile.ts';
import type { TaskContent } from '../../../src-shared/domain/task.ts';
import type { CaseContent, ExpectedCall, Suite } from '../../../src-shared/domain/testCase.ts';
import { fromFileTask, toFileTask } from './taskFileCodec.ts';

/** A suite with its cases and tasks, without ids and timestamps of the workspace. */
export interface SuiteContent extends Pick<
  Suite,
  'name' | 'system' | 'messages' | 'servers' | 'argumentsMode'
> {
  cases: (CaseContent & { key: string; note?: string | undefined })[];
  tasks: { key: string; content: TaskContent }[];
}

type FileCall = SuiteFileCase['expected_calls'][number];

/** Converts a suite to a file, the tasks after the cases. Empty values are left out. */
export function toSuiteFile(suite: SuiteContent): SuiteFile {
  return {
    version: 1,
    name: suite.name,
    servers: suite.servers,
    ...(suite.argumentsMode && { arguments_mode: suite.argumentsMode }),
    ...(suite.system !== null && { system: suite.system }),
    ...(suite.messages.length > 0 && { messages: suite.messages }),
    cases: [...suite.cases.map(toFileCase), ...suite.tasks.map(toFileTask)],
  };
}

function toFileCase(each: SuiteContent['cases'][number]): SuiteFileCase {
  return {
    id: each.key,
    name: each.name,
    query: each.query,
    ...(each.tags.length > 0 && { tags: each.tags }),
    ...(each.servers.length > 0 && { servers: each.servers }),
    expected_calls: each.expectedCalls.map(toFileCall),
    ...(each.orderDependent && { order_dependent: true }),
    ...(each.argumentsMode && { arguments_mode: each.argumentsMode }),
    ...(each.allowedCalls.length > 0 && { allowed_calls: each.allowedCalls }),
    ...(each.system !== undefined && { system: each.system }),
    ...(each.messages !== undefined && { messages: each.messages }),
    ...(each.note !== undefined && { note: each.note }),
    ...(each.stubResults.length > 0 && { stub_results: each.stubResults }),
  };
}

/** Converts a file to a suite; missing values become empty. */
export function fromSuiteFile(file: SuiteFile): SuiteContent {
  return {
    name: file.name,
    system: file.system ?? null,
    messages: file.messages ?? [],
    servers: file.servers,
    ...(file.arguments_mode && { argumentsMode: file.arguments_mode }),
    cases: casesOfFile(file).map((each) => ({
      key: each.id,
      name: each.name,
      query: each.query,
      tags: each.tags ?? [],
      servers: each.servers ?? [],
      expectedCalls: each.expected_calls.map(fromFileCall),
      orderDependent: each.order_dependent ?? false,
      allowedCalls: each.allowed_calls ?? [],
      ...(each.arguments_mode && { argumentsMode: each.arguments_mode }),
      ...(each.system !== undefined && { system: each.system }),
      ...(each.messages !== undefined && { messages: each.messages }),
      ...(each.note !== undefined && { note: each.note }),
      stubResults: each.stub_results ?? [],
    })),
    tasks: tasksOfFile(file).map(fromFileTask),
  };
}

function toFileCall(call: ExpectedCall): FileCall {
  if (!('anyOf' in call)) return call;
  const { anyOf, parameters } = call;
  // No call is compared with arguments for all if each has its own: a file with them is refused.
  const isRead = anyOf.some((each) => each.parameters === undefined);
  return { any_of: anyOf, ...(parameters !== undefined && isRead && { parameters }) };
}

function fromFileCall(call: FileCall): ExpectedCall {
  if (!('any_of' in call)) return call;
  const { any_of, ...rest } = call;
  return { anyOf: any_of, ...rest };
}

const exactNumberTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => typeof value === 'bigint',
  // Matches no text. Of several tags for a value, the library only takes those with a test.
  test: /(?!)/,
  resolve: (text) => readNumber(text),
  stringify: ({ value }) => (isNumber(value) ? numberText(value) : String(value)),
};

/** Writes numbers that no double holds with all their digits; the first tag that fits is used. */
export const withExactNumbers = (tags: Tags): Tags => [exactNumberTag, ...tags];

/**
 * Writes a suite file. The same suite always gives the same bytes, with one value per line, so that
 * changes are easy to read in a diff.
 */
export function writeSuiteText(file: SuiteFile, format: 'yaml' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(file, null, 2)}\n`;
  return stringify(file, {
    lineWidth: 0,
    // Multi-line text stays readable.
    blockQuote: 'literal',
    // Quotes words that YAML 1.1 readers take for other types (no, on, 2024-01-01).
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    customTags: withExactNumbers,
  });
}
