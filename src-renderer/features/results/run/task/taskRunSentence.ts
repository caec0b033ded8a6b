import { taskFailureTexts } from '../../../../../src-shared/display/taskTexts.ts';
import { plainText } from '../../../../../src-shared/display/verdictTexts.ts';
import { isJsonObject, type JsonValue } from '../../../../../src-shared/domain/json.ts';
import { byCheckKind } from '../../../../../src-shared/domain/task.ts';
import type { TaskRunDetail } from '../../../../../src-shared/domain/taskEvaluation.ts';
import { expectedWords } from '../../../../../src-shared/display/matcherWords.ts';

type Run = Pick<TaskRunDetail, 'outcome' | 'reason' | 'failure' | 'checks' | 'content'>;

/**
 * How a run of a task came out, in one sentence: its first failed check, its limit, or what kept it
 * from being scored. The whole error is at the end of the trajectory.
 */
export function taskRunSentence({ outcome, reason, failure, checks, content }: Run): string {
  if (outcome === null) return reason === null ? 'Not run' : `Not run: ${inSentence(reason)}`;
  if (outcome === 'succeeded') return 'The task was done';
  if (outcome === 'not_scored' && failure !== null)
    return `The run wasn’t scored: ${taskFailureTexts[failure]}`;
  const why = reason === null ? '' : `: ${inSentence(reason)}`;
  if (outcome === 'not_scored') return `The run wasn’t scored${why}`;
  const failed = checks.find(({ passed, advisory }) => passed === false && advisory !== true);
  const check = content.checks.find(({ id }) => id === failed?.id);
  const missed =
    outcome === 'check_failed' && check !== undefined && failed !== undefined
      ? missedText(check, failed.reason)
      : null;
  return `The task wasn’t done${missed === null ? why : `: ${missed}`}`;
}

/** What a failed check found, for a reader who doesn’t know it; null where its reason says it best. */
const missedText = byCheckKind<string | null, [reason: string]>({
  state({ expected, test, tool }, reason) {
    // A state that couldn’t be compared has a reason of its own, such as an error of the tool.
    if (!/, but should(?: not)?\.$/u.test(reason)) return null;
    return `${tool} ${test === 'excludes' ? 'still shows' : 'doesn’t show'} ${entryText(expected)}.`;
  },
  answer: ({ expected }) =>
    `the last answer isn’t what the check expects (${valueText(expected)}).`,
  calls: () => null,
  judge: (_check, reason) => `the judge says no. ${reason}`,
});

/** The members of an expected entry: `title "Buy milk", completed true`. */
function entryText(expected: JsonValue): string {
  if (!isJsonObject(expected) || Object.keys(expected).some((name) => name.startsWith('$')))
    return valueText(expected);
  return Object.entries(expected)
    .map(([name, value]) => {
      const text = valueText(value);
      return isJsonObject(value) ? `${name} (${text})` : `${name} ${text}`;
    })
    .join(', ');
}

const valueText = (value: JsonValue): string => plainText(expectedWords(JSON.stringify(value)));

/** A sentence after a colon. */
const inSentence = (reason: string): string =>
  reason.replace(/^(?:The|There|A|An|No) /u, (start) => start.toLowerCase());
