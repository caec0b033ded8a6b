import { describe, expect, it } from 'vitest';
import { runCauseText } from '../../../src-shared/display/runCauseTexts.ts';
import { plainText } from '../../../src-shared/display/verdictTexts.ts';
import type {
  CheckResult,
  TaskCheck,
  TaskEnd,
  TaskOutcome,
} from '../../../src-shared/domain/task.ts';
import type { MadeCall } from '../../../src-shared/domain/taskTools.ts';
import { causeOfRun } from './runCause.ts';
import { findFirstWrongStep, knownSteps, stepsOfReference, type MadeStep } from './toolUse.ts';

const reading = new Set(['todo:list_tasks', 'todo:get_task']);
const idOf = (name: string) => (name.includes(':') ? name : `todo:${name}`);
const isReadOnly = (tool: string) => reading.has(tool);

/** `add_task` or `add_task {"title":"milk"}`; `!` in front: its result is an error. */
function callOf(text: string): MadeCall {
  const [name = '', ...given] = text.replace('!', '').split(' ');
  const isMadeUp = name.startsWith('?');
  return {
    server: isMadeUp ? null : 'todo',
    tool: isMadeUp ? null : name,
    name: name.replace('?', ''),
    given: given.join(' ') || '{}',
    answeredBy: 'executed',
    isError: text.startsWith('!'),
    durationMs: 1,
  };
}
/** Steps by their calls; the model answers after them. */
const stepsOf = (calls: readonly string[]): MadeStep[] => [
  ...calls.map((text) => [callOf(text)]),
  [],
];

const must = (names: string[], ordered = true, never: string[] = []): TaskCheck => ({
  id: 'calls',
  kind: 'calls',
  must: names,
  ordered,
  never,
});
const failed = (kind: CheckResult['kind']): CheckResult => ({
  id: kind,
  kind,
  passed: false,
  reason: '',
});

interface Given {
  checks?: TaskCheck[];
  fails?: CheckResult['kind'][];
  outcome?: TaskOutcome;
  end?: TaskEnd;
  /** The calls of a run of the task that succeeded. */
  reference?: string[];
  /** The tools that the client hides. */
  hidden?: string[];
}

/** The cause of a run with these calls, from the same parts that an evaluation has. */
function causeOf(calls: readonly string[], given: Given = {}) {
  const { checks = [], fails = ['state'], outcome = 'check_failed' } = given;
  const steps = stepsOf(calls);
  const reference = given.reference === undefined ? null : stepsOf(given.reference);
  const known = knownSteps(checks);
  const byReference = known?.expected.length || reference === null ? null : reference;
  const steering = {
    expected: byReference === null ? (known?.expected ?? []) : stepsOfReference(byReference),
    isReadOnly,
    idOf,
  };
  return causeOfRun(
    {
      outcome,
      end: given.end ?? { by: 'answered' },
      checks,
      results: fails.map(failed),
      steps,
      firstWrong: findFirstWrongStep(steps, {
        ...steering,
        never: known?.never ?? [],
        by: byReference === null ? 'check' : 'reference',
      }),
    },
    { ...steering, reference, hidden: new Set(given.hidden?.map(idOf)) },
  );
}

const bought = 'add_task {"title":"Buy milk"}';
const both = { checks: [must(['add_task', 'complete_task'])] };
const anyOrder = { checks: [must(['add_task', 'complete_task'], false)] };

describe('causeOfRun', () => {
  it.each<[calls: string[], given: Given, kind: string, tool: string | null, text: string]>([
    // Nothing was called.
    [[], both, 'called_nothing', 'add_task', 'Called nothing where add_task is needed'],
    [[], anyOrder, 'called_nothing', 'add_task', 'Called nothing where add_task is needed'],
    [
      [],
      { reference: [bought] },
      'called_nothing',
      'add_task',
      'Called nothing where add_task is needed',
    ],
    [[], {}, 'called_nothing', null, 'Called nothing'],
    [[], { fails: ['answer'] }, 'called_nothing', null, 'Called nothing'],
    [[], { fails: ['answer'], reference: [] }, 'wrong_answer', null, 'Wrong answer'],
    // No model could call what the client hides.
    ...(['check_failed', 'no_answer', 'limit', 'loop', 'refused'] as const).map(
      (outcome): [string[], Given, string, string, string] => [
        [bought],
        { ...both, outcome, hidden: ['complete_task'] },
        'hidden_tool',
        'complete_task',
        'Couldn’t call complete_task, which the client hides',
      ],
    ),
    [
      [],
      { ...anyOrder, hidden: ['list_tasks'] },
      'called_nothing',
      'add_task',
      'Called nothing where add_task is needed',
    ],
    // A needed call is missing.
    [
      [bought],
      both,
      'stopped_early',
      'complete_task',
      'Stopped after add_task, never called complete_task',
    ],
    [
      [bought],
      anyOrder,
      'stopped_early',
      'complete_task',
      'Stopped after add_task, never called complete_task',
    ],
    [
      [bought, 'list_tasks'],
      both,
      'stopped_early',
      'complete_task',
      'Stopped after list_tasks, never called complete_task',
    ],
    [
      [bought],
      { reference: [bought, 'complete_task'] },
      'stopped_early',
      'complete_task',
      'Stopped after add_task, never called complete_task',
    ],
    [
      ['list_tasks'],
      { checks: [must(['complete_task'])] },
      'stopped_early',
      'complete_task',
      'Stopped after list_tasks, never called complete_task',
    ],
    [['complete_task'], both, 'missed_call', 'add_task', 'Never called add_task'],
    [
      [bought],
      { checks: [must(['add_task', 'add_task'])] },
      'missed_call',
      'add_task',
      'Didn’t call add_task often enough',
    ],
    [
      ['complete_task', bought],
      both,
      'wrong_order',
      'complete_task',
      'Called complete_task too early',
    ],
    [
      [bought],
      { checks: [must(['add_task', 'get_task'])], fails: ['answer'] },
      'answered_without',
      'get_task',
      'Answered without calling get_task',
    ],
    // Another tool was called.
    [
      [bought, 'update_task'],
      both,
      'wrong_tool',
      'complete_task',
      'Called update_task instead of complete_task',
    ],
    [
      [bought, 'update_task'],
      anyOrder,
      'wrong_tool',
      'complete_task',
      'Called update_task instead of complete_task',
    ],
    [
      ['update_task'],
      { reference: [bought] },
      'wrong_tool',
      'add_task',
      'Called update_task instead of add_task',
    ],
    [
      [bought, '?finish'],
      both,
      'wrong_tool',
      'complete_task',
      'Called finish instead of complete_task',
    ],
    [
      ['delete_task'],
      { checks: [must([], false, ['delete_task'])], fails: ['calls'] },
      'forbidden_call',
      'delete_task',
      'Called delete_task, which a check forbids',
    ],
    [
      ['delete_task'],
      { checks: [must(['complete_task'], true, ['delete_task'])] },
      'wrong_tool',
      'complete_task',
      'Called delete_task instead of complete_task',
    ],
    // Every needed call was made.
    [
      ['add_task {"title":"bread"}'],
      { checks: [must(['add_task'])] },
      'wrong_arguments',
      'add_task',
      'Wrong arguments of add_task',
    ],
    [
      ['add_task {"title":"bread"}', 'complete_task'],
      { reference: [bought, 'complete_task'] },
      'wrong_arguments',
      'add_task',
      'Wrong arguments of add_task',
    ],
    [
      ['list_tasks', '!complete_task {"id":9}'],
      { checks: [must(['complete_task'])] },
      'wrong_arguments',
      'complete_task',
      'Wrong arguments of complete_task',
    ],
    [
      [bought, 'complete_task', 'delete_task'],
      both,
      'unneeded_call',
      'delete_task',
      'Called delete_task, which the task doesn’t need',
    ],
    [
      [bought, 'complete_task'],
      { ...both, fails: ['answer'] },
      'wrong_answer',
      null,
      'Wrong answer after complete_task',
    ],
    [[bought, 'complete_task'], { ...both, fails: ['judge'] }, 'judged', null, 'The judge says no'],
    // Nobody knows what is needed.
    [['list_tasks'], {}, 'stopped_early', null, 'Stopped after list_tasks'],
    [
      [bought],
      {},
      'wrong_result',
      'add_task',
      'Stopped after add_task with another result than expected',
    ],
    [['list_tasks'], { fails: ['answer'] }, 'wrong_answer', null, 'Wrong answer after list_tasks'],
    // The run ended otherwise than with an answer.
    [
      [bought, bought, bought],
      { ...both, outcome: 'loop' },
      'loop',
      'add_task',
      'Repeated the same call of add_task',
    ],
    [
      [bought],
      { ...both, outcome: 'limit', end: { by: 'limit', limit: 'steps' } },
      'limit',
      'complete_task',
      'Reached the limit of steps, never called complete_task',
    ],
    [
      [],
      { outcome: 'limit', end: { by: 'limit', limit: 'seconds' } },
      'limit',
      null,
      'Reached the limit of time',
    ],
    [[], { ...both, outcome: 'refused' }, 'refused', 'add_task', 'Refused to work on the task'],
    [[bought], { outcome: 'no_answer' }, 'no_answer', null, 'Gave no answer'],
  ])('reads %j with %j as %s of %s', (calls, given, kind, tool, text) => {
    const cause = causeOf(calls, given);
    expect(cause).toMatchObject({ kind, tool: tool === null ? null : idOf(tool) });
    expect(cause && plainText(runCauseText(cause))).toBe(text);
  });

  it.each<TaskOutcome>(['succeeded', 'not_scored'])(
    'has no cause for a run that is %s',
    (outcome) => {
      expect(causeOf([], { outcome })).toBeNull();
    },
  );

  it('compares arguments without the order of their names', () => {
    const reference = ['add_task {"title":"milk","day":1}', 'complete_task {"id":2}'];
    const calls = ['add_task {"day":1,"title":"milk"}', 'complete_task {"id":3}'];
    expect(causeOf(calls, { reference })).toMatchObject({ tool: 'todo:complete_task' });
  });
});
