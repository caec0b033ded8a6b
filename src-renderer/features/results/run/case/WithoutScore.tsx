import { useNavigate } from 'react-router';
import type { Evaluation, RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import { isResumable } from '../../../../../src-shared/display/evaluationTexts.ts';
import { Notice } from '../../../../ui/notices/Notice.tsx';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { ResumeButton } from '../../list/EvaluationParts.tsx';
import classes from './case.module.css';

interface WithoutScoreProps {
  row: RunRow;
  evaluation: Evaluation | undefined;
}

/** Why a run has no score, and what to do. Nothing for a run that was scored. */
export function WithoutScore({ row, evaluation }: WithoutScoreProps) {
  const navigate = useNavigate();
  if (row.outcome === 'not_run')
    return evaluation !== undefined && isResumable(evaluation) ? (
      <Notice>
        <div className={classes.resume}>
          <span>This case did not run. Resume runs only what is missing.</span>
          <ResumeButton
            unit="case"
            evaluation={evaluation}
            prominent="filled"
            onResumed={() => void navigate(`/evaluations/${evaluation.id}`)}
          />
        </div>
      </Notice>
    ) : null;
  if (row.outcome !== 'not_scored') return null;
  return (
    <Notice tone="danger">
      This run is neither passed nor failed.{' '}
      {row.errorMessage !== null && <Foreign text={row.errorMessage} limit={2000} />}
    </Notice>
  );
}
