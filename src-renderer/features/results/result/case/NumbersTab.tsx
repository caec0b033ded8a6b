import type { ReactNode } from 'react';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { counted, formatCount } from '../../../../../src-shared/display/numbers.ts';
import classes from '../../evaluations.module.css';
import { DerivedResults } from '../DerivedResults.tsx';
import { ConfidenceTab } from './ConfidenceTab.tsx';
import { ConfusionPanel } from './ConfusionPanel.tsx';
import { ConfusionsTab } from './ConfusionsTab.tsx';
import { CostFacts, SettingsPart } from './FactParts.tsx';
import { LatencyChart } from './LatencyChart.tsx';
import { ModelTable } from './ModelTable.tsx';
import { ParametersTab } from './ParametersTab.tsx';
import { PerToolTab } from './PerToolTab.tsx';
import { RepetitionsTab } from './RepetitionsTab.tsx';
import type { NumberSection, ResultAddress } from './resultAddress.ts';
import { type ChangeAddress, NumberSections } from '../ResultTabs.tsx';
import { ResultTiles } from './ResultTiles.tsx';
import type { CaseActs } from './useCaseActions.ts';
import type { ResultData } from './useResultNumbers.ts';

interface NumbersTabProps {
  evaluation: Evaluation;
  result: ResultData;
  verdict: Verdict;
  address: ResultAddress;
  acts: CaseActs;
  onCell: (cell: { expected: string; selected: string }, model: string | null) => void;
  onChange: ChangeAddress;
}

/** Every number of a result, in sections with links to each. */
export function NumbersTab(props: NumbersTabProps) {
  const { evaluation, result, verdict, address, acts, onCell, onChange } = props;
  const { numbers, snapshot, waiting } = result;
  const { id, settings, models, state } = evaluation;
  const { model, section } = address;
  const ended = hasEnded(state);
  const parts: Partial<Record<NumberSection, ReactNode>> = {
    ...(models.length > 1 && ended
      ? {
          models: (
            <>
              {verdict.casesPassedByAll !== null && (
                <p className={classes.quiet}>
                  {formatCount(verdict.casesPassedByAll)} of {counted(verdict.cases, 'case')} passed
                  in every run of every model.
                </p>
              )}
              <ModelTable evaluation={evaluation} />
            </>
          ),
        }
      : {}),
    matrix: (
      <>
        <div className={classes.result}>
          <ConfusionPanel
            confusion={numbers.confusion}
            waiting={waiting}
            address={address}
            onCell={(cell) => onCell(cell, model)}
            onChange={onChange}
          />
          <div className={classes.detailPart}>
            <ConfusionsTab
              evaluationId={id}
              model={model}
              confusion={numbers.confusion}
              ended={ended}
              onCell={(cell) => onCell(cell, model)}
            />
          </div>
        </div>
        <ResultTiles numbers={numbers} outcomes={verdict.counts} />
      </>
    ),
    tools: <PerToolTab rows={numbers.perTool} anyOf={numbers.anyOf} micro={numbers} />,
    arguments: <ParametersTab evaluationId={id} model={model} />,
    confidence: (
      <ConfidenceTab
        evaluationId={id}
        model={model}
        numbers={numbers}
        high={settings.highConfidence}
      />
    ),
    ...(settings.repetitions > 1 || section === 'repetitions'
      ? { repetitions: <RepetitionsTab evaluation={evaluation} model={model} acts={acts} /> }
      : {}),
    cost: (
      <>
        <CostFacts numbers={numbers} />
        {ended && <LatencyChart evaluation={evaluation} />}
      </>
    ),
    settings: (
      <SettingsPart
        evaluation={evaluation}
        numbers={numbers}
        outcomes={verdict.counts}
        snapshot={snapshot}
      />
    ),
    derived: <DerivedResults unit="case" id={id} />,
  };
  return <NumberSections parts={parts} wanted={section} onChange={onChange} />;
}
