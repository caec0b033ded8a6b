import { Tabs } from '@mantine/core';
import { useCallback } from 'react';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { failedOf } from '../../../../../src-shared/display/verdictTexts.ts';
import { formatCount } from '../../../../ui/estimate/format.ts';
import { useEscape } from '../../../../ui/keyboard/useEscape.ts';
import classes from '../../evaluations.module.css';
import { CasesTab } from './CasesTab.tsx';
import { ConfidenceTab } from './ConfidenceTab.tsx';
import { DetailsTab } from './DetailsTab.tsx';
import { FailuresTab } from './FailuresTab.tsx';
import { LatencyChart } from './LatencyChart.tsx';
import { CostFacts } from './FactTabs.tsx';
import { ModelPicker } from './ModelPicker.tsx';
import { MatrixTab } from './MatrixTab.tsx';
import { ModelTable } from './ModelTable.tsx';
import { ParametersTab } from './ParametersTab.tsx';
import { PerToolTab } from './PerToolTab.tsx';
import { RepetitionsTab } from './RepetitionsTab.tsx';
import { type ResultAddress, type ResultTab, resultTabs } from './resultAddress.ts';
import type { EvaluationActions } from '../useEvaluationActions.ts';
import type { useResultNumbers } from './useResultNumbers.ts';

interface ResultTabsProps {
  evaluation: Evaluation;
  result: ReturnType<typeof useResultNumbers>;
  verdict: Verdict;
  address: ResultAddress;
  acts: EvaluationActions;
  onChange: (part: Partial<ResultAddress>) => void;
}

const tabNames: Record<ResultTab, string> = {
  failures: 'Failures',
  cases: 'All cases',
  matrix: 'Matrix',
  tools: 'Tools',
  arguments: 'Arguments',
  confidence: 'Confidence',
  repetitions: 'Repetitions',
  cost: 'Cost',
  details: 'Details',
};

/** Everything behind the verdict, in one row of tabs. */
export function ResultTabs(props: ResultTabsProps) {
  const { evaluation, result, verdict, address, acts, onChange } = props;
  const { numbers, snapshot, waiting } = result;
  const ended = hasEnded(evaluation.state);
  const showCell = useCallback(
    (cell: { expected: string; selected: string }) => {
      onChange({ tab: 'cases', outcomes: [], cause: null, search: '', cell });
    },
    [onChange],
  );
  const showCause = useCallback(
    (cause: FailureCause) => {
      onChange({ tab: 'cases', outcomes: [], cell: null, search: '', cause });
    },
    [onChange],
  );
  useEscape(
    () => {
      onChange({ cell: null, cause: null });
    },
    address.cell !== null || address.cause !== null,
  );
  const shown = resultTabs.filter(
    (tab) => tab !== 'repetitions' || evaluation.settings.repetitions > 1 || address.tab === tab,
  );
  return (
    <Tabs
      value={address.tab}
      onChange={(tab) => {
        onChange({ tab: resultTabs.find((one) => one === tab) ?? 'failures' });
      }}
      keepMounted={false}
    >
      <div className={classes.tabRow}>
        <Tabs.List aria-label="Result" className={classes.tabs ?? ''}>
          {shown.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {tab === 'cases' && verdict.unit === 'runs' ? 'All runs' : tabNames[tab]}
              <TabCount tab={tab} verdict={verdict} total={numbers.counts.total} />
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <ModelPicker
          models={evaluation.models}
          chosen={address.model}
          onChoose={(model) => {
            onChange({ model });
          }}
        />
      </div>
      <div className={classes.panelBody}>
        <Tabs.Panel value="failures">
          <FailuresTab
            evaluation={evaluation}
            verdict={verdict}
            confusion={numbers.confusion}
            address={address}
            onCause={showCause}
            onCell={showCell}
            onAll={() => {
              onChange({ tab: 'matrix' });
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="cases">
          <CasesTab
            evaluation={evaluation}
            numbers={numbers}
            verdict={verdict}
            address={address}
            onChange={onChange}
          />
        </Tabs.Panel>
        <Tabs.Panel value="matrix">
          <MatrixTab
            evaluation={evaluation}
            numbers={numbers}
            outcomes={verdict.counts}
            waiting={waiting}
            address={address}
            onCell={showCell}
            onChange={onChange}
          />
        </Tabs.Panel>
        <Tabs.Panel value="tools">
          <PerToolTab rows={numbers.perTool} anyOf={numbers.anyOf} micro={numbers} />
        </Tabs.Panel>
        <Tabs.Panel value="arguments">
          <ParametersTab evaluationId={evaluation.id} model={address.model} />
        </Tabs.Panel>
        <Tabs.Panel value="confidence">
          <ConfidenceTab
            evaluationId={evaluation.id}
            model={address.model}
            numbers={numbers}
            high={evaluation.settings.highConfidence}
          />
        </Tabs.Panel>
        <Tabs.Panel value="repetitions">
          <RepetitionsTab evaluation={evaluation} model={address.model} acts={acts} />
        </Tabs.Panel>
        <Tabs.Panel value="cost">
          <CostFacts numbers={numbers} />
          {ended && <LatencyChart evaluation={evaluation} />}
          {ended && <ModelTable evaluation={evaluation} />}
        </Tabs.Panel>
        <Tabs.Panel value="details">
          <DetailsTab
            evaluation={evaluation}
            numbers={numbers}
            outcomes={verdict.counts}
            snapshot={snapshot}
          />
        </Tabs.Panel>
      </div>
    </Tabs>
  );
}

function TabCount({ tab, verdict, total }: { tab: ResultTab; verdict: Verdict; total: number }) {
  const count = tab === 'failures' ? failedOf(verdict.counts) : tab === 'cases' ? total : null;
  if (count === null) return null;
  return <span className={classes.tabCount}>{formatCount(count)}</span>;
}
