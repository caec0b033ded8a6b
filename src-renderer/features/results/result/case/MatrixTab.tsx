import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { OutcomeCounts } from '../../../../../src-shared/domain/outcome.ts';
import classes from '../../evaluations.module.css';
import type { ResultNumbers } from '../../live/liveNumbers.ts';
import { ConfusionPanel } from './ConfusionPanel.tsx';
import { ConfusionsTab } from './ConfusionsTab.tsx';
import type { ResultAddress } from './resultAddress.ts';
import { ResultTiles } from './ResultTiles.tsx';

interface MatrixTabProps {
  evaluation: Evaluation;
  numbers: ResultNumbers;
  outcomes: OutcomeCounts;
  /** True until the servers have listed their tools. */
  waiting: boolean;
  address: ResultAddress;
  onCell: (cell: { expected: string; selected: string }) => void;
  onChange: (change: Partial<ResultAddress>) => void;
}

/** The whole confusion matrix with the metrics that are computed from it. */
export function MatrixTab(props: MatrixTabProps) {
  const { evaluation, numbers, outcomes, waiting, address, onCell, onChange } = props;
  return (
    <>
      <div className={classes.result}>
        <ConfusionPanel
          confusion={numbers.confusion}
          waiting={waiting}
          address={address}
          onCell={onCell}
          onChange={onChange}
        />
        <div className={classes.detailPart}>
          <ConfusionsTab
            evaluationId={evaluation.id}
            model={address.model}
            confusion={numbers.confusion}
            ended={hasEnded(evaluation.state)}
            onCell={onCell}
          />
        </div>
      </div>
      <ResultTiles numbers={numbers} outcomes={outcomes} />
    </>
  );
}
