import { describe, expect, it } from 'vitest';
import type { ProofResult } from '../../../src-shared/domain/candidate.ts';
import type { StoredCandidate } from '../../store/evaluations/candidates.ts';
import { patchFile } from './patchFile.ts';

const tool = {
  server: 'harbor',
  name: 'get_tides',
  title: null,
  description: 'Gets something.',
  inputSchema: { type: 'object' },
  outputSchema: null,
  annotations: null,
};
const proof: ProofResult = {
  cases: 20,
  notScored: 0,
  passedBefore: 10,
  won: 0,
  lost: 0,
  others: [],
  otherCalls: { expected: 0, before: 0, after: 0 },
  pValue: 1,
  level: 0.03,
  recallBefore: null,
  recallAfter: null,
  losing: [],
  reasons: [],
  moreCases: null,
};
const candidate: StoredCandidate = {
  id: 'one',
  unit: 'case',
  baseEvaluationId: 'base',
  baseNumber: 3,
  modelSettingsId: 'model',
  modelName: 'builtin',
  toolId: 'harbor:get_tides',
  source: 'hand',
  name: '',
  edits: [
    {
      toolId: 'harbor:get_tides',
      path: '/description',
      oldText: tool.description,
      newText: 'Gets the tides.',
    },
  ],
  state: 'cannot_tell',
  searchEvaluationId: null,
  proofEvaluationId: null,
  proofRank: 1,
  search: null,
  proof: null,
  stopped: null,
  createdAt: '2025-11-03T10:00:00Z',
  decidedAt: '2025-11-03T10:00:00Z',
};
const exported = (
  state: StoredCandidate['state'],
  over: Partial<ProofResult> | null,
  format: Parameters<typeof patchFile>[1] = 'markdown',
): string => {
  const given = { ...candidate, state, proof: over && { ...proof, ...over } };
  return patchFile({ candidate: given, tools: [tool], places: [], unread: [] }, format).text;
};

describe('the headline of an exported candidate', () => {
  it.each<[StoredCandidate['state'], Partial<ProofResult> | null, string, string]>([
    [
      'accepted',
      { won: 8 },
      '## Fix 8 held-out cases of `harbor:get_tides`',
      'Proven: the candidate fixed 8 held-out cases and broke none.',
    ],
    [
      'cannot_tell',
      {},
      '## Change `harbor:get_tides`, not proven',
      'Undecided: the candidate fixed 0 held-out cases and broke none, which could be chance.',
    ],
    [
      'rejected',
      { lost: 2 },
      '## Change `harbor:get_tides`, not proven',
      'Rejected: the candidate fixed 0 held-out cases and broke 2.',
    ],
    ['draft', null, '## Change `harbor:get_tides`, not proven', 'Not estimated and not proven.'],
  ])('says what was proved, for one that is %s with %j', (state, over, headline, sentence) => {
    const lines = exported(state, over).split('\n');
    expect([lines[0], lines[2]]).toEqual([headline, sentence]);
  });

  it.each(['diff', 'json_patch', 'tools_file'] as const)(
    'claims nothing as %s where none is fixed',
    (format) => {
      expect(exported('cannot_tell', {}, format)).not.toMatch(/\b(?:fix|improve|better|prove)/iu);
    },
  );
});
