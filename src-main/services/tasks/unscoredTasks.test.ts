import { expect, it } from 'vitest';
import type { TaskReport } from '../../../src-shared/domain/taskReport.ts';
import { unscoredTasks } from './unscoredTasks.ts';

/** As much of a report as the groups are read from. */
const reportOf = (reasons: readonly (readonly [string | null, string])[]) =>
  ({
    evaluation: { reason: 'todo: connect ECONNREFUSED 127.0.0.1:4001', settings: { shard: null } },
    runs: reasons.map(([failure, reason], position) => ({
      outcome: failure === null ? null : 'not_scored',
      taskKey: `t${position}`,
      ...{ failure, reason, position },
    })),
  }) as unknown as TaskReport;

it('says one cause of tasks once, whatever it quotes, with the runs that it kept from starting', () => {
  const refused = (port: number) => `todo: connect ECONNREFUSED 127.0.0.1:${port}`;
  expect(
    unscoredTasks(
      reportOf([
        ['environment', refused(4001)],
        ['environment', refused(4002)],
        ['setup', 'No user "a"'],
        ['setup', "No user 'b'"],
        ['setup', 'No user `c`'],
        ['setup', 'No user “d”'],
        ['setup', 'No user «e»'],
        ['tool', 'It ended: /tmp/run-1/server.mjs'],
        ['tool', 'It ended: /tmp/run-2/server.mjs'],
        [null, ''],
      ]),
    ),
  ).toEqual([
    {
      ...{ failure: 'setup', message: 'No user "a"', runs: 5 },
      cases: ['t2', 't3', 't4', 't5', 't6'],
    },
    {
      ...{ failure: 'environment', runs: 3, cases: ['t0', 't1', 't9'] },
      message: `${refused(4001)} 1 of these runs were not asked after that.`,
    },
    {
      ...{ failure: 'tool', message: 'It ended: /tmp/run-1/server.mjs', runs: 2 },
      cases: ['t7', 't8'],
    },
  ]);
});
