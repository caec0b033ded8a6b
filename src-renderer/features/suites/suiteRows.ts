import { argumentsText } from '../../../src-shared/display/matcherWords.ts';
import { failedLast } from '../../../src-shared/display/lastOutcomeTexts.ts';
import { checksText } from '../../../src-shared/display/taskTexts.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { LastOutcome, LastOutcomes } from '../../../src-shared/domain/lastOutcomes.ts';
import { toolsToCall } from '../../../src-shared/domain/expectedCalls.ts';
import { type SuiteTask } from '../../../src-shared/domain/task.ts';
import { alternatives, type TestCase } from '../../../src-shared/domain/testCase.ts';
import { expectationText, nameFrom } from './caseForm.ts';

/** A case or a task of a suite, as one table lists them. */
export interface SuiteRow {
  unit: EvaluationUnit;
  id: string;
  /** What the user says, and the name where it says something else. */
  request: string;
  name: string | null;
  /** The calls in one line; empty for a task whose checks name none. */
  expected: string;
  /** Of a case; of a task, its checks. */
  arguments: string;
  tags: readonly string[];
  last: readonly LastOutcome[];
  /** What a search looks in: key, name, request, tags and tools. Built once, for long lists. */
  text: string;
}

/** What rows are shown: all, those that failed last, or those of one unit. */
export const rowChoices = ['all', 'failed', 'cases', 'tasks'] as const;
export type RowChoice = (typeof rowChoices)[number];

const search = (...parts: readonly string[]): string => parts.join('\n').toLowerCase();
const otherName = (name: string, request: string): string | null =>
  name === nameFrom(request) || name === request ? null : name;

function rowOfCase(testCase: TestCase, last: readonly LastOutcome[]): SuiteRow {
  const { id, key, name, query, tags, expectedCalls } = testCase;
  const tools = expectedCalls.flatMap((call) =>
    alternatives(call).map(({ server, tool }) => `${server}:${tool}`),
  );
  return {
    unit: 'case',
    id,
    request: query,
    name: otherName(name, query),
    expected: expectationText(testCase),
    arguments: expectedCalls
      .map(({ parameters }) => argumentsText(parameters ?? {}))
      .filter((text) => text !== '')
      .join('; '),
    tags,
    last,
    text: search(key, name, query, ...tags, ...tools),
  };
}

function rowOfTask({ id, key, content }: SuiteTask, last: readonly LastOutcome[]): SuiteRow {
  const { name, turns, tags, checks } = content;
  const calls = checks.flatMap(toolsToCall);
  const tools = checks.flatMap((check) => (check.kind === 'state' ? [check.tool] : []));
  const [first = ''] = turns;
  const [call = ''] = calls;
  return {
    unit: 'task',
    id,
    request: first,
    name: otherName(name, first),
    expected: calls.length > 1 ? `${call} +${calls.length - 1}` : call,
    arguments: checksText(checks),
    tags,
    last,
    text: search(key, name, ...turns, ...tags, ...calls, ...tools),
  };
}

/** The cases of a suite, then its tasks, each with its last outcomes. */
export function suiteRows(
  cases: readonly TestCase[],
  tasks: readonly SuiteTask[],
  outcomes: Pick<LastOutcomes, 'entries'> | undefined,
): SuiteRow[] {
  const last = new Map(outcomes?.entries.map((entry) => [entry.id, entry.last]));
  return [
    ...cases.map((one) => rowOfCase(one, last.get(one.id) ?? [])),
    ...tasks.map((one) => rowOfTask(one, last.get(one.id) ?? [])),
  ];
}

export const isChosen = ({ unit, last }: SuiteRow, choice: RowChoice): boolean =>
  choice === 'all' ||
  (choice === 'failed' ? last.some(failedLast) : unit === (choice === 'cases' ? 'case' : 'task'));

export function filterRows(
  rows: readonly SuiteRow[],
  { search: typed, tags }: { search: string; tags: readonly string[] },
): SuiteRow[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.filter(
    (row) =>
      tags.every((tag) => row.tags.includes(tag)) && words.every((word) => row.text.includes(word)),
  );
}

export function tagsOf(rows: readonly Pick<SuiteRow, 'tags'>[]): string[] {
  return [...new Set(rows.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b, 'en'));
}
