import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../domain/labels.ts';
import { outcomes, type OutcomeCounts } from '../domain/outcome.ts';
import type { CauseGroup, PreviousChange, Verdict } from '../domain/verdict.ts';
import {
  biggestCause,
  causeLabel,
  causeSentence,
  causeTitle,
  changeText,
  failureParts,
  headlineOf,
  plainText,
  previousText,
  verdictLines,
  withoutAnswer,
} from './verdictTexts.ts';

const counts = (some: Partial<OutcomeCounts>): OutcomeCounts => ({
  ...(Object.fromEntries(outcomes.map((each) => [each, 0])) as OutcomeCounts),
  ...some,
});

const missed: CauseGroup = {
  outcome: 'no_tool_called',
  expected: 'todo:add_task',
  called: NO_TOOL,
  runs: 4,
  cases: 4,
};

const sample: Verdict = {
  unit: 'cases',
  cases: 61,
  counts: counts({ passed: 39, no_tool_called: 12, wrong_tool: 9, unneeded_call: 1 }),
  passRate: { value: 39 / 61, low: 0.514, high: 0.748, n: 61 },
  models: [],
  casesPassedByAll: null,
  causes: [missed],
  missingWords: ['put', 'remember'],
  severalServers: false,
  previous: {
    evaluationId: 'e',
    number: 13,
    model: null,
    sharedCases: 61,
    fixed: 4,
    broken: 1,
    passedDifference: 3,
    withinNoise: true,
  },
};

describe('the verdict in words', () => {
  it('leads with passed cases, rate, failures, cause and change', () => {
    expect(verdictLines(sample, (name) => `\`${name}\``)).toEqual([
      '39 of 61 cases passed  64%  (95% CI 51–75%)',
      '22 failed: 12 no tool called · 9 wrong tool · 1 unneeded call · 0 wrong arguments',
      'Biggest cause: `add_task` was not called in 4 cases. ' +
        'Requests say “put” and “remember”, but the description of `add_task` doesn’t.',
      '+3 cases vs. previous (#13) over 61 shared cases, within noise',
    ]);
  });

  it('says all where all passed, and nothing of failures', () => {
    const all = { ...sample, counts: counts({ passed: 3 }), causes: [], previous: null };
    expect(verdictLines({ ...all, passRate: { value: 1, low: 0.43, high: 1, n: 3 } })).toEqual([
      'All 3 cases passed  100%  (95% CI 43–100%)',
    ]);
  });

  it('counts runs where a case has several', () => {
    expect(headlineOf({ counts: counts({ passed: 1, wrong_tool: 1 }), unit: 'runs' })).toBe(
      '1 of 2 runs passed',
    );
  });

  it('says that nothing was scored where every run has trouble', () => {
    const none = counts({ not_scored: 2, not_run: 5 });
    expect(headlineOf({ counts: none, unit: 'cases' })).toBe('No case was scored');
    expect(withoutAnswer(none)).toBe('2 not scored, 5 not run');
  });

  it('orders failures by count and keeps wrong arguments at zero', () => {
    expect(failureParts(counts({ unneeded_call: 2, wrong_tool: 1 }))).toEqual([
      { outcome: 'unneeded_call', count: 2, label: 'unneeded call' },
      { outcome: 'wrong_tool', count: 1, label: 'wrong tool' },
      { outcome: 'wrong_arguments', count: 0, label: 'wrong arguments' },
    ]);
  });

  it('names the server of a tool where several servers appear', () => {
    const cause = { ...missed, outcome: 'wrong_tool' as const, called: 'mail:search' };
    expect(plainText(causeSentence(cause, { unit: 'runs', severalServers: true }))).toBe(
      'mail:search was called instead of todo:add_task in 4 runs',
    );
    expect(plainText(causeTitle(cause, false))).toBe('add_task → search');
  });

  it('names the alternatives of an expectation by tool', () => {
    const cause = { ...missed, expected: 'todo:add_task | todo:create' };
    expect(plainText(causeTitle(cause, false))).toBe('add_task | create → no tool called');
    expect(biggestCause({ ...sample, causes: [cause] })?.tool).toBeNull();
  });

  it('says when another cause is as big as the first', () => {
    const causes = [missed, { ...missed, expected: 'todo:list' }, { ...missed, runs: 1 }];
    expect(biggestCause({ ...sample, causes })?.label).toBe('Among the biggest causes');
  });

  it('calls no cause big if each has a single run', () => {
    expect(causeLabel([{ runs: 1 }, { runs: 1 }, { runs: 1 }])).toBe('One of 3 causes');
    expect(causeLabel([{ runs: 2 }, { runs: 1 }])).toBe('Biggest cause');
    expect(causeLabel([{ runs: 1 }])).toBe('Biggest cause');
  });

  it('fixes the tool that was called where no call was due', () => {
    const cause: CauseGroup = {
      outcome: 'unneeded_call',
      expected: NO_TOOL,
      called: 'todo:delete_task',
      runs: 1,
      cases: 1,
    };
    const found = biggestCause({ ...sample, causes: [cause] });
    expect(found?.tool).toBe('todo:delete_task');
    expect(plainText(found?.text ?? [])).toBe(
      'delete_task was called in 1 case that needs no such call.',
    );
  });

  it('offers no tool to fix where the model made one up and none was due', () => {
    const cause: CauseGroup = {
      outcome: 'made_up_tool',
      expected: NO_TOOL,
      called: PHANTOM,
      runs: 2,
      cases: 2,
    };
    expect(biggestCause({ ...sample, causes: [cause] })).toEqual({
      label: 'Biggest cause',
      text: ['A tool that was not offered was called in 2 cases', '.'],
      tool: null,
    });
  });

  it('says how many cases both share, which model, and that nothing changed only if nothing did', () => {
    const previous = {
      evaluationId: 'e',
      number: 7,
      model: null,
      sharedCases: 40,
      fixed: 0,
      broken: 0,
      passedDifference: 0,
      withinNoise: true,
    };
    expect(changeText({ previous })).toEqual({
      change: '',
      rest: 'Same as previous (#7) over 40 shared cases',
    });
    expect(
      changeText({ previous: { ...previous, fixed: 3, broken: 3, model: 'openai · m' } }),
    ).toEqual({
      change: '3 fixed, 3 broken',
      rest: 'vs. previous (#7, m) over 40 shared cases, within noise',
    });
  });
});

describe('the change since the previous result in short', () => {
  const change = (part: Partial<PreviousChange>): string => {
    const {
      what,
      change: n,
      rest,
    } = previousText({
      ...{ evaluationId: 'e', number: 4, model: null, sharedCases: 20 },
      ...{ fixed: 5, broken: 2, passedDifference: 3, withinNoise: true },
      ...part,
    });
    return `${what} ${n}${rest}`;
  };

  it('says how many cases both share, and whether it is noise', () => {
    expect(change({})).toBe('vs. #4: +3 of 20 shared cases, within noise');
    expect(change({ withinNoise: false, model: 'm' })).toBe('m vs. #4: +3 of 20 shared cases');
    expect(change({ fixed: 2, passedDifference: 0 })).toBe(
      'vs. #4: 2 fixed, 2 broken over 20 shared cases, within noise',
    );
    expect(change({ fixed: 0, broken: 0, passedDifference: 0 })).toBe(
      'vs. #4: no change over 20 shared cases',
    );
  });
});
