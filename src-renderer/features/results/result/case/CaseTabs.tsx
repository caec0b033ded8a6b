import { useCallback, type ReactNode } from 'react';
import { Select } from '@mantine/core';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import type { ModelSettings } from '../../../../../src-shared/domain/model.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { failedOf } from '../../../../../src-shared/display/verdictTexts.ts';
import { useEscape } from '../../../../ui/keyboard/useEscape.ts';
import { visibleText } from '../../../../ui/text/visibleText.ts';
import { nameModels } from '../../modelNames.ts';
import { PageTabs } from '../../../../ui/frame/PageTabs.tsx';
import { CasesTab } from './CasesTab.tsx';
import { FailuresTab } from './FailuresTab.tsx';
import { NumbersTab } from './NumbersTab.tsx';
import { resultTabs, type ResultAddress, type ResultTab } from './resultAddress.ts';
import type { CaseActs } from './useCaseActions.ts';
import type { ResultData } from './useResultNumbers.ts';

interface CaseTabsProps {
  evaluation: Evaluation;
  result: ResultData;
  verdict: Verdict;
  address: ResultAddress;
  acts: CaseActs;
  onChange: (part: Partial<ResultAddress>) => void;
}

const tabNames: Record<ResultTab, string> = {
  failures: 'Failures',
  runs: 'All runs',
  numbers: 'Numbers',
};

/** Everything behind the verdict: what failed, every run, and every number. */
export function CaseTabs(props: CaseTabsProps) {
  const { evaluation, result, verdict, address, acts, onChange } = props;
  const { numbers } = result;
  const showCell = useCallback(
    (cell: { expected: string; selected: string }, model: string | null) =>
      onChange({ tab: 'runs', outcomes: [], cause: null, search: '', cell, model }),
    [onChange],
  );
  const showCause = useCallback(
    (cause: FailureCause) => onChange({ tab: 'runs', outcomes: [], cell: null, search: '', cause }),
    [onChange],
  );
  useEscape(
    () => onChange({ cell: null, cause: null }),
    address.cell !== null || address.cause !== null,
  );
  const panels: Record<ResultTab, ReactNode> = {
    failures: (
      <FailuresTab
        evaluation={evaluation}
        result={result}
        verdict={verdict}
        address={address}
        onCause={showCause}
        onCell={showCell}
        onChange={onChange}
      />
    ),
    runs: (
      <CasesTab
        evaluation={evaluation}
        numbers={numbers}
        verdict={verdict}
        address={address}
        onChange={onChange}
      />
    ),
    numbers: (
      <NumbersTab
        evaluation={evaluation}
        result={result}
        verdict={verdict}
        address={address}
        acts={acts}
        onCell={showCell}
        onChange={onChange}
      />
    ),
  };
  const counts: Partial<Record<ResultTab, number>> = {
    failures: failedOf(verdict.counts),
    runs: numbers.counts.total,
  };
  return (
    <PageTabs
      label="Result"
      tabs={resultTabs.map((tab) => ({
        value: tab,
        name: tabNames[tab],
        count: counts[tab] ?? null,
        panel: panels[tab],
      }))}
      shown={address.tab}
      onShow={(tab) => onChange({ tab, section: null })}
      aside={
        <ModelPicker
          models={evaluation.models}
          chosen={address.model}
          onChoose={(model) => onChange({ model })}
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
        { value: '', label: models.length === 2 ? 'Both models' : 'All models' },
        ...[...nameModels(models)].map(([value, label]) => ({ value, label: visibleText(label) })),
      ]}
      value={chosen ?? ''}
      onChange={(model) => onChoose(model === null || model === '' ? null : model)}
      allowDeselect={false}
    />
  );
}
