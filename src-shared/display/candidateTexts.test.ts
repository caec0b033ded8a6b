import { describe, expect, it } from 'vitest';
import type { ProofPlan, ProofResult, Candidate, ToolProblem } from '../domain/candidate.ts';
import {
  nextFixText,
  problemText,
  proofSentence,
  proofUseText,
  weakEstimateText,
} from './candidateTexts.ts';

describe('proofUseText', () => {
  const plan = { nextLevel: 0.001 } as ProofPlan;

  it.each([
    [0, 'Proof 1 on this half'],
    [20, 'Proof 21 on this half'],
    [1_110, 'Proof 1,111 on this half'],
  ])('counts the next proof after %d of them, without an ordinal', (proved, text) => {
    expect(proofUseText({ ...plan, proved })).toBe(`${text}; the next needs p ≤ 0.0010`);
  });
});

describe('proofSentence', () => {
  const search = { won: 9, lost: 0, cases: 88, notScored: 0, passedBefore: 70 };
  const proof = { ...search, won: 5 } as ProofResult;

  it.each([
    ['draft', null, null, 'Not estimated and not proven.'],
    [
      'searched',
      search,
      null,
      'Not proven: this is an estimate on cases that the candidate was written for.',
    ],
    ['proving', search, null, 'Not proven yet: the proof hasn’t finished.'],
    ['proving', null, null, 'Not proven yet: the proof hasn’t finished.'],
    ['accepted', search, proof, 'Proven: the candidate fixed 5 held-out cases and broke none.'],
    ['rejected', search, proof, 'Rejected: the candidate fixed 5 held-out cases and broke none.'],
    [
      'cannot_tell',
      search,
      proof,
      'Undecided: the candidate fixed 5 held-out cases and broke none, which could be chance.',
    ],
  ] as const)('says of a candidate that is %s what is known', (state, estimate, result, text) => {
    const one = { unit: 'case', state, search: estimate, proof: result } as Candidate;
    expect(proofSentence(one)).toBe(text);
  });
});

describe('weakEstimateText', () => {
  const plan = { proofCases: 92, canFlip: 10, level: 0.03, moreCases: 0 } as ProofPlan;
  const estimated = (won: number, lost = 0) =>
    ({ unit: 'case', proof: null, search: { won, lost, cases: 88 } }) as Candidate;

  it('warns when an edit would flip too few held-out cases at the rate of its estimate', () => {
    expect(weakEstimateText(plan, estimated(1))).toBe(
      'At the rate of the estimate, this candidate fixes about 1 held-out case. That is not enough to ' +
        'prove it: change the definition further and estimate again.',
    );
    expect(weakEstimateText(plan, estimated(0))).toMatch(
      /this candidate fixes no held-out case\./u,
    );
    expect(weakEstimateText(plan, estimated(8, 3))).toMatch(/8 held-out cases and breaks about 3/u);
  });

  it('stays silent when the proof can pass, when cases are missing, and after the proof', () => {
    expect(weakEstimateText(plan, estimated(9))).toBeNull();
    expect(weakEstimateText({ ...plan, moreCases: 4 }, estimated(1))).toBeNull();
    expect(weakEstimateText(plan, { ...estimated(1), search: null })).toBeNull();
    expect(weakEstimateText(plan, { ...estimated(1), proof: {} as Candidate['proof'] })).toBeNull();
  });
});

describe('problemText', () => {
  const failed = (outcome: ToolProblem['failing'][number]['outcome'], called: string | null) =>
    ({ outcome, called }) as ToolProblem['failing'][number];

  const tool = { server: 'hub', name: 'get_status' };

  it('counts what was called instead, or how the request ended, the most frequent first', () => {
    const failing = [
      failed('no_tool_called', null),
      failed('wrong_tool', 'hub:get_pull'),
      failed('wrong_tool', 'hub:get_pull'),
      failed('limit', null),
    ];
    expect(problemText({ failing, tool })).toBe(
      'get_pull called in 2, no tool called in 1, limit reached in 1',
    );
  });

  it('says where the tool itself was called by mistake, and where a task lacks its call', () => {
    const failing = [failed('wrong_tool', 'hub:get_status'), failed('check_failed', null)];
    expect(problemText({ failing, tool })).toBe(
      'get_status called by mistake in 1, needed call missing in 1',
    );
  });

  it('says nothing of a tool that fails in no request', () => {
    expect(problemText({ failing: [], tool })).toBeNull();
  });
});

describe('nextFixText', () => {
  const plan = {
    searchCases: 30,
    searchPassed: 20,
    proofCases: 32,
    proved: 0,
    level: 0.03,
    flipsNeeded: 7,
    canFlip: 20,
    moreCases: 0,
  } as ProofPlan;
  const problem = {
    unit: 'case',
    plan,
    failing: [{}],
    hiddenFailing: 3,
    advice: [],
  } as unknown as ToolProblem;
  const search = { won: 9, lost: 0, cases: 30, notScored: 0, passedBefore: 20 };
  const one = (changed: Partial<Candidate>): Candidate =>
    ({
      unit: 'case',
      state: 'searched',
      now: 'searched',
      search,
      proof: null,
      ...changed,
    }) as Candidate;
  const proof = {} as ProofResult;
  const edited = { toWrite: null, isEdited: true, isAgreed: true };

  it.each([
    ['a change', { isEdited: false }, 'change the description.'],
    ['an estimate', {}, 'estimate what the change fixes in 30 cases.'],
    ['consent', { isAgreed: false }, 'agree to what the runs change, then estimate.'],
    ['the running estimate', { candidate: one({ state: 'searching' }) }, 'wait for the estimate.'],
    ['a proof', { candidate: one({}) }, 'prove it on 32 held-out cases.'],
    [
      'a better change',
      { candidate: one({ search: { ...search, won: 1 } }) },
      'change the definition further and estimate again: this fixes too little for a proof.',
    ],
    ['the running proof', { candidate: one({ state: 'proving' }) }, 'wait for the proof.'],
    [
      'the patch',
      { candidate: one({ state: 'accepted', proof }) },
      'export the patch and apply it to the server.',
    ],
    [
      'another candidate',
      { candidate: one({ state: 'rejected', proof }) },
      'write another candidate: this one is rejected.',
    ],
    [
      'more cases after a proof without a decision',
      { candidate: one({ state: 'cannot_tell', proof }) },
      'add cases, or write a candidate that fixes more.',
    ],
    [
      'another result once it is applied',
      { candidate: one({ state: 'accepted', now: 'applied', proof }) },
      'run the suite again to see what the new text does.',
    ],
  ])('asks for %s', (_, state, text) => {
    expect(nextFixText({ problem, candidate: null, ...edited, ...state })).toBe(text);
  });

  it('asks to insert a suggestion where there is one', () => {
    const advised = { ...problem, advice: [{ edits: [{ type: 'text' }] }] } as ToolProblem;
    expect(nextFixText({ problem: advised, candidate: null, ...edited, isEdited: false })).toBe(
      'insert the suggestion, or change the description yourself.',
    );
    const named = { ...problem, advice: [{ edits: [{ type: 'write' }] }] } as ToolProblem;
    expect(nextFixText({ problem: named, candidate: null, ...edited, isEdited: false })).toBe(
      'change the description.',
    );
  });

  it('asks for the words of an empty description, whatever was edited or estimated', () => {
    const toWrite = 'Say what it does beyond its name and when to use it.';
    const empty = { problem, ...edited, toWrite };
    const text = `write the description. ${toWrite}`;
    expect(nextFixText({ ...empty, candidate: null })).toBe(text);
    expect(nextFixText({ ...empty, isEdited: false, candidate: null })).toBe(text);
    expect(nextFixText({ ...empty, candidate: one({}) })).toBe(text);
    // It can be written without seeing a request.
    const hidden = { ...problem, failing: [] };
    expect(nextFixText({ ...empty, problem: hidden, candidate: null })).toBe(text);
    const advised = { ...problem, advice: [{ edits: [{ type: 'text' }] }] } as ToolProblem;
    expect(nextFixText({ ...empty, problem: advised, candidate: null })).toBe(
      `insert the suggestion, or ${text}`,
    );
    expect(nextFixText({ ...empty, candidate: one({ state: 'accepted', proof }) })).toBe(
      'export the patch and apply it to the server.',
    );
  });

  it('asks for cases where too few can decide a proof, or all that fail are held out', () => {
    const few = { ...problem, plan: { ...plan, moreCases: 12 } };
    expect(nextFixText({ problem: few, ...edited, candidate: one({}) })).toBe(
      'add 12 cases: too few held-out ones can decide a proof.',
    );
    // More cases prove nothing of a candidate that fixes none.
    const idle = one({ search: { ...search, won: 0 } });
    expect(nextFixText({ problem: few, ...edited, candidate: idle })).toBe(
      'change the definition further and estimate again: this fixes too little for a proof.',
    );
    const hidden = { ...problem, failing: [] };
    expect(nextFixText({ problem: hidden, ...edited, isEdited: false, candidate: null })).toBe(
      'add 8 cases that need this tool, and run the suite again.',
    );
  });
});
