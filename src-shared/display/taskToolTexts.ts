import type { TaskReport } from '../domain/taskReport.ts';
import type { FirstWrongStep } from '../domain/taskTools.ts';
import { counted, formatCount } from './numbers.ts';
import type { RichText } from './verdictTexts.ts';

type Summary = TaskReport['summary'];

/** The tool of a pair, where one side may be none. */
const toolOrNone = (tool: string | null, none = 'no tool'): RichText[number] =>
  tool === null ? none : { code: tool };

/** "Step 2 calls `update_task`; `complete_task` is expected." */
export function firstWrongText({ step, expected, called, by }: FirstWrongStep): RichText {
  const source = by === 'reference' ? ', as in a run that succeeded' : '';
  // The step itself may call a tool that is needed after the one that was left out.
  if (called === null)
    return [
      toolOrNone(expected),
      step === 0
        ? ` is expected first${source}; it is never called.`
        : ` is expected no later than step ${step + 1}${source}; it isn’t called there or later.`,
    ];
  const start: RichText = [`Step ${step + 1} calls `, { code: called }];
  return expected === null
    ? [...start, ', which the checks forbid.']
    : [...start, '; ', { code: expected }, ` is expected${source}.`];
}

/** "`update_task` is called where `complete_task` is expected": a pair of first wrong steps. */
function taskConfusionText({
  expected,
  called,
}: Pick<Summary['confusions'][number], 'expected' | 'called'>): RichText {
  if (called === null) return ['No tool is called where ', toolOrNone(expected), ' is expected'];
  if (expected === null) return [{ code: called }, ' is called although the checks forbid it'];
  return [{ code: called }, ' is called where ', { code: expected }, ' is expected'];
}

/** Which tools fail, in one sentence: the most frequent pair of first wrong steps. */
export function taskToolFinding({ firstWrong: { known, wrong }, confusions }: Summary): RichText {
  const [first] = confusions;
  const all = counted(known, 'run');
  if (first !== undefined)
    return [
      ...taskConfusionText(first),
      ` in ${formatCount(first.runs)} of ${all}`,
      confusions.length === 1 ? '.' : `; ${formatCount(wrong)} runs have a wrong step.`,
    ];
  return [
    known === 0
      ? 'Wrong steps are not known: no check says which tools to call in which order.'
      : `No wrong step in ${all}.`,
  ];
}

export const taskToolsNote =
  'A wrong step is the first call of a run that is not the tool that its checks, or a run of the ' +
  'task that succeeded, expect there. A look-up before a change is not wrong.';

export const taskToolColumns = {
  needed: { title: 'Needed', meaning: 'Runs whose checks require a call of the tool.' },
  called: { title: 'Called', meaning: 'Runs that call the tool.' },
  missed: { title: 'Missed', meaning: 'Runs whose first wrong step should call the tool.' },
  wrong: { title: 'Wrongly called', meaning: 'Runs whose first wrong step calls the tool.' },
  errors: {
    title: 'Errors',
    meaning: 'Calls whose result is an error or that got no answer, of all calls of all runs.',
  },
  unanswered: {
    title: 'No answer',
    meaning: 'Calls that were sent and got no answer, of all runs. Each may have taken effect.',
  },
  crashes: {
    title: 'Server ended',
    meaning: 'Calls during which the server or its connection ended, of all runs.',
  },
  time: {
    title: 'Time per call',
    meaning: 'Average over calls that were sent, with the wait for answers that never came.',
  },
  success: { title: 'Success', meaning: 'Succeeded runs ÷ scored runs that call the tool.' },
} as const;
