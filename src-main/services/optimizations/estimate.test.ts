import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  objectives,
  optimizationSettings,
  optimizationSpend,
  type Objective,
} from '../../../src-shared/domain/optimization.ts';
import { toolDefinitions } from '../../servers/todo/toolSchemas.ts';
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

  const optimized = async (objective: Objective, suite: readonly string[]) => {
    const { stdout, stderr } = await runCommand(
      [
        ...['optimize', '--suite', ...suite, '--provider', 'builtin'],
        ...['--objective', objective, '--steps', '16', '--json'],
      ],
      { workspace: workspace.path },
    );
    return { ...answer.parse(JSON.parse(stdout)), stderr };
  };

  it.each(objectives)(
    'is within a factor of 2 of the calls made (%s), where two tools have each other’s text, or all say something twice',
    async (objective) => {
      const file = join(workspace.path, 'repeating.tools.json');
      const textOf = (of: string): string =>
        toolDefinitions.find(({ name }) => name === of)?.description ?? expect.fail();
      const exchanged: Readonly<Record<string, string>> = {
        add_task: textOf('list_tasks'),
        list_tasks: textOf('add_task'),
      };
      const tools = toolDefinitions.map(({ name, description, inputSchema }) => ({
        server: 'todo',
        name,
        description:
          objective === 'accuracy'
            ? (exchanged[name] ?? description)
            : `${description} It is nice to use. It is nice to use.`,
        input_schema: inputSchema,
      }));
      await writeFile(file, JSON.stringify({ tools }));
      const { estimate, typical, spent, stderr } = await optimized(objective, [
        'todo-sample',
        '--tools',
        file,
      ]);
      expect(spent.calls).toBeGreaterThan(0);
      expect(spent.calls / typical.calls).toBeGreaterThanOrEqual(0.5);
      expect(spent.calls / typical.calls).toBeLessThanOrEqual(2);
      expect(spent.calls).toBeLessThanOrEqual(estimate.calls);
      expect(stderr).toContain('Typical: ');
    },
  );

  it('is nothing, as what is used, where tools say nothing twice and only tokens are wanted', async () => {
    const { typical, spent, stderr } = await optimized('tokens', [
      'todo-sample',
      '--server',
      'todo',
    ]);
    expect({ typical: typical.calls, spent: spent.calls }).toEqual({ typical: 0, spent: 0 });
    expect(stderr).toContain('Typical: ');
  });

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
      cuts: 2,
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
    // No failure and nothing to cut: nothing is tried, so nothing is proved.
    expect(estimateCalls({ ...given, baseline: none }).typical).toBe(0);
    const shorter = { ...given, settings: { ...given.settings, objective: 'tokens' as const } };
    // 2 tools with something to cut: 2 candidates, on 12 + 8 · 0.9 cases.
    expect(estimateCalls(shorter).typical).toBe(Math.round(3 * (2 * 19.2 + 15)));
    expect(estimateCalls({ ...shorter, cuts: 0 }).typical).toBe(0);
  });
});
