import { counted, formatCount } from '../../../../../src-shared/display/numbers.ts';
import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { failureTexts } from '../../../../../src-shared/domain/failureTexts.ts';
import { isCorrectUnit, NO_TOOL } from '../../../../../src-shared/domain/labels.ts';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import { type RichText, toolText } from '../../../../../src-shared/display/verdictTexts.ts';
import { causeOf } from '../../../../../src-shared/metrics/outcomes.ts';
import { differentArguments } from './argumentRows.ts';

type SentenceFacts = Pick<RunDetail, 'row' | 'calls' | 'score' | 'offered'>;

/** At most this many arguments are named. */
const namedArguments = 3;

/** The cause of a failed run, as the result page groups it; null if it did not fail. */
export function causeOfRun({ row }: Pick<RunDetail, 'row'>): FailureCause | null {
  return row.classification === null
    ? null
    : causeOf({ classification: row.classification, passed: row.passed, units: row.units });
}

/** True if tools of several servers were offered, so that names need their server. */
export function hasSeveralServers({ offered }: Pick<RunDetail, 'offered'>): boolean {
  return new Set(offered.map((id) => id.slice(0, id.indexOf(':')))).size > 1;
}

/** What happened in a run, as the title of its page: "`a` was called instead of `b`". */
export function runSentence(detail: SentenceFacts): RichText {
  const { row, score } = detail;
  if (row.outcome === 'passed') return passedSentence(detail);
  if (row.outcome === 'not_run')
    return [
      row.failure === 'cancelled'
        ? 'Not run: the evaluation was canceled'
        : row.status === 'running'
          ? 'Running'
          : 'Not run yet',
    ];
  const cause = causeOfRun(detail);
  if (row.outcome === 'not_scored' || cause === null) {
    const reason =
      row.failure !== null
        ? failureTexts[row.failure]
        : score !== null
          ? 'the input schema could not check the arguments'
          : 'no reason is known';
    return [`Not scored: ${reason}`];
  }
  return failureSentence(detail, cause);
}

function passedSentence(detail: SentenceFacts): RichText {
  const { expected } = detail.row;
  const [first, ...others] = expected;
  if (first === undefined || first === NO_TOOL) return ['Passed: no tool was called, as expected'];
  if (others.length > 0)
    return [`Passed: all ${counted(expected.length, 'expected call')} were made`];
  return [
    'Passed: ',
    { code: toolText(calledOf(detail) ?? first, hasSeveralServers(detail)) },
    ' was called as expected',
  ];
}

/** The tool of the only correct call: of several allowed tools, the one that was called. */
function calledOf({ row }: SentenceFacts): string | undefined {
  return row.units.find(isCorrectUnit)?.selected;
}

function failureSentence(detail: SentenceFacts, cause: FailureCause): RichText {
  const { row, calls } = detail;
  const several = hasSeveralServers(detail);
  const expected = { code: toolText(cause.expected, several) };
  const called = { code: toolText(cause.called, several) };
  const expectsCalls = row.expected.some((label) => label !== NO_TOOL);
  switch (cause.outcome) {
    case 'wrong_tool':
      return [called, ' was called instead of ', expected];
    case 'no_tool_called':
      return ['No tool was called where ', expected, ' was expected'];
    case 'missing_call': {
      const made = row.units.filter(isCorrectUnit).length;
      const total = counted(row.expected.length, 'expected call');
      return [expected, ` was left out: ${formatCount(made)} of ${total} made`];
    }
    case 'wrong_arguments':
      return [expected, ' was called with wrong arguments', ...wrongArguments(detail)];
    case 'unneeded_call':
      return expectsCalls
        ? [called, ' was called in addition to the expected calls']
        : [called, ' was called where no tool was expected'];
    case 'made_up_tool': {
      const madeUp = { code: calls.find(({ tool }) => tool === null)?.name ?? 'a tool' };
      return cause.expected === NO_TOOL
        ? [madeUp, ' was called, but no such tool was offered']
        : [madeUp, ', which was not offered, was called instead of ', expected];
    }
  }
}

function wrongArguments({ score }: SentenceFacts): RichText {
  const names = differentArguments(score?.parameters ?? []);
  if (names.length === 0) return [];
  const shown = names.slice(0, namedArguments);
  const rest = names.length - shown.length;
  return [
    ': ',
    ...shown.flatMap((name, at) => (at === 0 ? [{ code: name }] : [', ', { code: name }])),
    ...(rest > 0 ? [` and ${counted(rest, 'more argument')}`] : []),
  ];
}
