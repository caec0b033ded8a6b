import { useCallback, type ReactNode } from 'react';
import { Select } from '@mantine/core';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { failedOf } from '../../../../../src-shared/display/verdictTexts.ts';
import { useEscape } from '../../../../ui/keyboard/useEscape.ts';
import { ResultTabs } from '../../ResultTabs.tsx';
import { CasesTab } from './CasesTab.tsx';
import { ConfidenceTab } from './ConfidenceTab.tsx';
import { CostFacts, DetailsTab } from './FactTabs.tsx';
import { FailuresTab } from './FailuresTab.tsx';
import { LatencyChart } from './LatencyChart.tsx';
import { MatrixTab } from './MatrixTab.tsx';
import { ModelTable } from './ModelTable.tsx';
import { ParametersTab } from './ParametersTab.tsx';
import { PerToolTab } from './PerToolTab.tsx';
import { RepetitionsTab } from './RepetitionsTab.tsx';
import { resultTabs, type ResultAddress, type ResultTab } from './resultAddress.ts';
import type { CaseActs } from './useCaseActions.ts';
import type { useResultNumbers } from './useResultNumbers.ts';
import type { ModelSettings } from '../../../../../src-shared/domain/model.ts';
import { visibleText } from '../../../../ui/text/visibleText.ts';
import { nameModels } from '../../modelNames.ts';

interface CaseTabsProps {
  evaluation: Evaluation;
  result: ReturnType<typeof useResultNumbers>;
  verdict: Verdict;
  address: ResultAddress;
  acts: CaseActs;
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
export function CaseTabs(props: CaseTabsProps) {
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
  const panels: Record<ResultTab, ReactNode> = {
    failures: (
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
    ),
    cases: (
      <CasesTab
        evaluation={evaluation}
        numbers={numbers}
        verdict={verdict}
        address={address}
        onChange={onChange}
      />
    ),
    matrix: (
      <MatrixTab
        evaluation={evaluation}
        numbers={numbers}
        outcomes={verdict.counts}
        waiting={waiting}
        address={address}
        onCell={showCell}
        onChange={onChange}
      />
    ),
    tools: <PerToolTab rows={numbers.perTool} anyOf={numbers.anyOf} micro={numbers} />,
    arguments: <ParametersTab evaluationId={evaluation.id} model={address.model} />,
    confidence: (
      <ConfidenceTab
        evaluationId={evaluation.id}
        model={address.model}
        numbers={numbers}
        high={evaluation.settings.highConfidence}
      />
    ),
    repetitions: <RepetitionsTab evaluation={evaluation} model={address.model} acts={acts} />,
    cost: (
      <>
        <CostFacts numbers={numbers} />
        {ended && <LatencyChart evaluation={evaluation} />}
        {ended && <ModelTable evaluation={evaluation} />}
      </>
    ),
    details: (
      <DetailsTab
        evaluation={evaluation}
        numbers={numbers}
        outcomes={verdict.counts}
        snapshot={snapshot}
      />
    ),
  };
  const counts: Partial<Record<ResultTab, number>> = {
    failures: failedOf(verdict.counts),
    cases: numbers.counts.total,
  };
  return (
    <ResultTabs
      label="Result"
      tabs={resultTabs
        .filter(
          (tab) =>
            tab !== 'repetitions' || evaluation.settings.repetitions > 1 || address.tab === tab,
        )
        .map((tab) => ({
          value: tab,
          name: tab === 'cases' && verdict.unit === 'runs' ? 'All runs' : tabNames[tab],
          count: counts[tab] ?? null,
          panel: panels[tab],
        }))}
      shown={address.tab}
      onShow={(tab) => {
        onChange({ tab });
      }}
      aside={
        <ModelPicker
          models={evaluation.models}
          chosen={address.model}
          onChoose={(model) => {
            onChange({ model });
          }}
        />
      }
    />
  );
}

interface ModelPickerProps {
  models: readonly ModelSettings[];
  /** Null means all models. */
  chosen: string | null;
  onChoose: (model: string | null) => void;
}

/** Limits the page to one model. Nothing if there is only one. */
function ModelPicker({ models, chosen, onChoose }: ModelPickerProps) {
  if (models.length < 2) return null;
  return (
    <Select
      size="xs"
      w={200}
      aria-label="Model"
      data={[
        { value: '', label: 'All models' },
        ...[...nameModels(models)].map(([value, label]) => ({
          value,
          label: visibleText(label),
        })),
      ]}
      value={chosen ?? ''}
      onChange={(model) => {
        onChoose(model === null || model === '' ? null : model);
      }}
      allowDeselect={false}
    />
  );
}
