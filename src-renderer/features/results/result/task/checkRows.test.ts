import { describe, expect, it } from 'vitest';
import type { TaskRunRow } from '../../../../../src-shared/domain/taskEvaluation.ts';
import { checkRows } from './checkRows.ts';

const run = (runId: string, position: number, checks: [string, boolean | null][]): TaskRunRow => ({
  runId,
  taskId: `t${position}`,
  taskKey: `key-${position}`,
  taskName: `Task ${position}`,
  modelSettingsId: 'm',
  position,
  repetition: 1,
  attempt: 1,
  status: 'completed',
  outcome: 'succeeded',
  reason: null,
  failedCheck: null,
  cause: null,
  checks: checks.map(([id, passed]) => ({ id, kind: 'answer', passed, reason: '' })),
  differences: [],
  failure: null,
  facts: null,
  toolUse: null,
});

describe('checkRows', () => {
  it('counts the verdicts of each check over the runs of its task', () => {
    const rows = checkRows([
      run('a', 0, [
        ['said', true],
        ['kept', null],
      ]),
      run('b', 0, [
        ['said', false],
        ['kept', true],
      ]),
      run('c', 0, []),
    ]);
    expect(rows).toMatchObject([
      { taskKey: 'key-0', id: 'said', passed: 1, failed: 1, unjudged: 0, failedRunId: 'b' },
      { taskKey: 'key-0', id: 'kept', passed: 1, failed: 0, unjudged: 1, failedRunId: null },
    ]);
  });

  it('keeps checks of the same name apart by task, the one that failed most first', () => {
    const rows = checkRows([run('a', 0, [['said', true]]), run('b', 1, [['said', false]])]);
    expect(rows.map(({ taskKey, failed }) => [taskKey, failed])).toEqual([
      ['key-1', 1],
      ['key-0', 0],
    ]);
  });
});
