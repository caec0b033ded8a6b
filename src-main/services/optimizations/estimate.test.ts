import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  objectives,
  optimizationSettings,
  optimizationSpend,
} from '../../../src-shared/domain/optimization.ts';
import { runCommand } from '../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { estimateCalls, type Estimated } from './estimate.ts';

const answer = z.object({
  estimate: optimizationSpend,
  typical: optimizationSpend,
  spent: optimizationSpend,
});

describe('the estimate of an optimization', () => {
  // Proofs of one suite raise the bar for the next, but no proof changes how many calls are made.
  let workspace: TemporaryFolder;
  beforeAll(async () => {
    workspace = await temporaryFolder();
  });
  afterAll(() => workspace.remove());

  it.each(objectives)(
    'is within a factor of 2 of the calls made on the sample suite (%s)',
    async (objective) => {
      const { stdout, stderr } = await runCommand(
        [
          ...['optimize', '--suite', 'todo-sample', '--server', 'todo', '--provider', 'builtin'],
          ...['--objective', objective, '--steps', '16', '--json'],
        ],
        { workspace: workspace.path },
      );
      const { estimate, typical, spent } = answer.parse(JSON.parse(stdout));
      expect(spent.calls).toBeGreaterThan(0);
      expect(spent.calls / typical.calls).toBeGreaterThanOrEqual(0.5);
      expect(spent.calls / typical.calls).toBeLessThanOrEqual(2);
      expect(spent.calls).toBeLessThanOrEqual(estimate.calls);
      expect(stderr).toContain('Typical: ');
    },
    60_000,
  );

  it('counts every candidate on all search cases at most, and the proof, for each repetition', () => {
    const failures = ['a:one', 'a:two'].map((expected) => ({
      query: 'q',
      values: '',
      expected,
      called: null,
      wrongArguments: [],
    }));
    const given: Estimated = {
      settings: {
        objective: 'accuracy',
        maxSteps: 10,
        patience: 4,
        proposer: { kind: 'rules' },
        toolIds: null,
      },
      tools: 5,
      baseline: Array.from({ length: 20 }, (_, position) => ({
        position,
        share: position < 2 ? 0 : 1,
        failures: failures.slice(position, position + 1),
      })),
      proofCases: 15,
      repetitions: 3,
      callsPerRun: 1,
    };
    // 2 tools: 0.7 · 2, so 2 candidates, on 12 + 8 / 6 cases.
    expect(estimateCalls(given)).toEqual({ max: 3 * (10 * 20 + 15), typical: 125 });
    const one = { ...given, settings: { ...given.settings, toolIds: ['a:one'] } };
    expect(estimateCalls(one).typical).toBe(85);
    // With a model: 1.5 · 4 candidates and as many questions, on 12 + 8 / 3 cases.
    const { proposer } = optimizationSettings.parse({
      proposer: { kind: 'model', model: { provider: 'openai', model: 'any' } },
    });
    const asked = { ...given, settings: { ...given.settings, proposer } };
    expect(estimateCalls(asked)).toEqual({
      max: 3 * (10 * 20 + 15) + 10,
      typical: 3 * (6 * 12 + 16 + 15) + 6,
    });
    expect(estimateCalls({ ...asked, callsPerRun: 2 }).max).toBe(2 * 3 * (10 * 20 + 15) + 10);
    const none = given.baseline.map((score) => ({ ...score, failures: [] }));
    expect(estimateCalls({ ...given, baseline: none }).typical).toBe(3 * 15);
  });
});
