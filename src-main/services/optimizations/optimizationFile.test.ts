import { describe, expect, it } from 'vitest';
import {
  optimizationSettings,
  type OptimizationResult,
  type OptimizationSummary,
} from '../../../src-shared/domain/optimization.ts';
import { applyPatch } from '../../testing/jsonPatch.ts';
import { optimizationFile } from './optimizationFile.ts';

const tool = {
  server: 'harbor',
  name: 'get_tides',
  title: null,
  description: 'Gets something.',
  inputSchema: { type: 'object' },
  outputSchema: null,
  annotations: null,
};
const newText = 'Gets the tides.';
const result: OptimizationResult = {
  step: 1,
  edits: [{ toolId: 'harbor:get_tides', path: '/description', oldText: tool.description, newText }],
  test: 'superiority',
  cases: 20,
  notScored: 0,
  passedBefore: 10,
  passedAfter: 10,
  won: 0,
  lost: 0,
  pValue: 1,
  level: 0.03,
  reasons: [],
  tokensBefore: 60,
  tokensAfter: 50,
  tools: [],
};
const summary: OptimizationSummary = {
  id: 'one',
  suiteName: 'Harbor',
  baseEvaluationId: 'base',
  baseNumber: 3,
  modelSettingsId: 'model',
  modelName: 'builtin',
  settings: optimizationSettings.parse({}),
  state: 'cannot_tell',
  stopped: null,
  proofEvaluationId: null,
  proofRank: 1,
  result: null,
  createdAt: '2025-11-03T10:00:00Z',
  endedAt: null,
};
const exported = (
  state: OptimizationSummary['state'],
  over: Partial<OptimizationResult>,
  format: Parameters<typeof optimizationFile>[3] = 'markdown',
): string => optimizationFile({ ...summary, state }, { ...result, ...over }, [tool], format).text;
const claim = /\b(?:fix|improve|better|proves|shorten)/iu;

describe('the headline of an exported optimization', () => {
  it.each<[OptimizationSummary['state'], Partial<OptimizationResult>, string]>([
    ['accepted', { won: 8 }, '## Fix 8 held-out cases with other descriptions of 1 tool'],
    [
      'accepted',
      { won: 8, lost: 1 },
      '## Fix 8 held-out cases with other descriptions of 1 tool, 1 broken',
    ],
    ['accepted', { test: 'non_inferiority' }, '## Shorten the descriptions of 1 tool by 10 tokens'],
    [
      'accepted',
      { test: 'non_inferiority', lost: 1 },
      '## Shorten the descriptions of 1 tool by 10 tokens',
    ],
    ['cannot_tell', {}, '## Other descriptions of 1 tool, not proven'],
    ['cannot_tell', { won: 3 }, '## Other descriptions of 1 tool, not proven'],
    ['rejected', { lost: 2 }, '## Other descriptions of 1 tool, not proven'],
    ['rejected', { test: 'non_inferiority' }, '## Other descriptions of 1 tool, not proven'],
  ])('says what was proved, for one that is %s with %j', (state, over, headline) => {
    expect(exported(state, over).split('\n')[0]).toBe(headline);
  });

  it.each(['cannot_tell', 'rejected'] as const)(
    'claims nothing in any format where none is fixed and it is %s',
    (state) => {
      expect(exported(state, {}).replace(/\| fixed \|/u, '')).not.toMatch(claim);
      expect(exported(state, {})).toContain('**Not proven.**');
      expect(exported(state, {}, 'diff')).not.toMatch(claim);
      const patch = JSON.parse(exported(state, {}, 'json_patch')) as Parameters<
        typeof applyPatch
      >[1];
      expect(applyPatch({ tools: [tool] }, patch)).toMatchObject({
        tools: [{ description: newText }],
      });
      expect(exported(state, {}, 'tools_file')).not.toMatch(claim);
    },
  );
});
