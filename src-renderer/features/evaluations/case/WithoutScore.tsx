import type { RunRow } from '../../../../src-shared/domain/evaluation.ts';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';

/** Why a run has no score, and what to do. Nothing for a run that was scored. */
export function WithoutScore({ row }: { row: RunRow }) {
  if (row.outcome === 'not_run')
    return row.status === 'running' ? null : (
      <Notice>Resume the evaluation to run this case.</Notice>
    );
  if (row.outcome !== 'not_scored') return null;
  return (
    <Notice tone="danger">
      This run counts neither as passed nor as failed.{' '}
      {row.errorMessage !== null && <Foreign text={row.errorMessage} limit={2000} />}
    </Notice>
  );
}
