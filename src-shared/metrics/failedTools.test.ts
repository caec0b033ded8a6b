import { describe, expect, it } from 'vitest';
import type { TaskReport } from '../domain/taskReport.ts';
import type { Failures } from '../domain/verdict.ts';
import { failedInCases, failedInTasks } from './failedTools.ts';

describe('tools that failed', () => {
  it('lists those of one model, the most failures first, without passed and unknown ones', () => {
    const tools = [
      { tool: 's:a', models: [{ modelSettingsId: 'm', failed: 1, scored: 2 }] },
      {
        tool: 's:b',
        models: [
          { modelSettingsId: 'm', failed: 3, scored: 4 },
          { modelSettingsId: 'other', failed: 9, scored: 9 },
        ],
      },
      { tool: 's:c', models: [{ modelSettingsId: 'm', failed: 0, scored: 4 }] },
      { tool: null, models: [{ modelSettingsId: 'm', failed: 5, scored: 5 }] },
    ] as unknown as Failures['tools'];
    expect([...failedInCases({ tools }, 'm')]).toEqual([
      ['s:b', { failed: 3, of: 4 }],
      ['s:a', { failed: 1, of: 2 }],
    ]);
  });

  it('counts failed tasks of the runs that require the tool, else of all scored runs', () => {
    const run = (modelSettingsId: string, tool: string | null) =>
      ({ modelSettingsId, cause: { kind: 'missed_call', tool, called: null } }) as const;
    const report = {
      runs: [
        run('m', 's:a'),
        run('m', 's:a'),
        run('m', 's:b'),
        run('m', null),
        run('other', 's:b'),
        { modelSettingsId: 'm', cause: null },
      ],
      models: [{ id: 'm', summary: { scored: 6, tools: [{ tool: 's:a', needed: 3 }] } }],
    } as unknown as Pick<TaskReport, 'runs' | 'models'>;
    expect([...failedInTasks(report, 'm')]).toEqual([
      ['s:a', { failed: 2, of: 3 }],
      ['s:b', { failed: 1, of: 6 }],
    ]);
  });
});
