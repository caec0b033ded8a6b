import { Stack, Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { formatCount } from '../../../../../src-shared/display/numbers.ts';
import { failedTasks } from '../../../../../src-shared/display/taskTexts.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import classes from '../../evaluations.module.css';
import { JudgeNotice } from './JudgeNotice.tsx';
import { TaskCauses } from './TaskCauses.tsx';
import { TaskChecksTable } from './TaskChecksTable.tsx';
import { TaskNumbers } from './TaskNumbers.tsx';
import { TaskRuns } from './TaskRuns.tsx';
import { TaskTools } from './TaskTools.tsx';

const tabs = ['failures', 'tools', 'runs', 'checks', 'numbers'] as const;
const names = {
  failures: 'Failures',
  tools: 'Tools',
  runs: 'All runs',
  checks: 'Checks',
  numbers: 'Numbers',
};

/** Everything behind the verdict of a task evaluation. */
export function TaskTabs({ report }: { report: TaskReport }) {
  const [params, setParams] = useSearchParams();
  const { outcomes } = report.evaluation;
  const counts = {
    failures: failedTasks(outcomes) + outcomes.not_scored,
    tools: null,
    runs: report.runs.length,
    checks: null,
    numbers: null,
  };
  return (
    <Tabs
      value={tabs.find((tab) => tab === params.get('tab')) ?? 'failures'}
      onChange={(tab) => {
        setParams(tab === null || tab === 'failures' ? {} : { tab }, { replace: true });
      }}
      keepMounted={false}
    >
      <div className={classes.tabRow}>
        <Tabs.List aria-label="Result" className={classes.tabs ?? ''}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {names[tab]}
              {counts[tab] !== null && (
                <span className={classes.tabCount}>{formatCount(counts[tab])}</span>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </div>
      <div className={classes.panelBody}>
        <Tabs.Panel value="failures">
          <TaskCauses report={report} />
        </Tabs.Panel>
        <Tabs.Panel value="tools">
          <TaskTools report={report} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <TaskRuns report={report} />
        </Tabs.Panel>
        <Tabs.Panel value="checks">
          <Stack gap="sm">
            {report.judge !== null && <JudgeNotice agreement={report.judge} />}
            <TaskChecksTable report={report} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="numbers">
          <TaskNumbers report={report} />
        </Tabs.Panel>
      </div>
    </Tabs>
  );
}
