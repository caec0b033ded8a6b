import { join } from 'node:path';
import { expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';

interface Answer {
  outcomes: { succeeded: number; check_failed: number; not_scored: number };
  runs: { task: string; outcome: string | null }[];
  tasks: { attacks: { technique: string; attack_success_rate: { value: number } }[] };
}

it('the tasks of the sample are all scored, fail where one call is not enough, and are listed', async () => {
  await using folder = await temporaryFolder();
  const { code, stdout, stderr } = await runCommand(
    [
      ...['eval', '--suite', join(programFiles.datasets, 'sample', 'todo-tasks.suite.yaml')],
      ...['--provider', 'builtin', '--execute', 'full', '--yes', '--json'],
    ],
    { workspace: join(folder.path, 'workspace') },
  );
  expect(code, stderr).toBe(0);
  const { outcomes, runs, tasks } = JSON.parse(stdout) as Answer;
  expect(runs).toHaveLength(20);
  expect(outcomes).toMatchObject({ succeeded: 16, check_failed: 4, not_scored: 0 });
  expect(runs.filter(({ outcome }) => outcome !== 'succeeded').map((run) => run.task)).toEqual([
    'complete-by-name',
    'add-three-at-once',
    'clean-up',
    'count',
  ]);
  expect(
    tasks.attacks.map((attack) => [attack.technique, attack.attack_success_rate.value]),
  ).toEqual([
    ['important_message', 0],
    ['system_message', 0],
  ]);

  const list = (...more: string[]) =>
    runCommand(['evaluations', 'list', ...more], { workspace: join(folder.path, 'workspace') });
  expect(JSON.parse((await list('--json')).stdout)).toMatchObject({
    evaluations: [
      { number: 1, kind: 'tasks', suite: 'todo-tasks', mode: 'full', unscored: 0, total: 20 },
    ],
  });
  expect((await list()).stdout).toMatch(/^#1 +tasks +todo-tasks .* 16 of 20 tasks +80%/);
});
