import { formatCount } from '../../../../../src-shared/display/numbers.ts';
import { useQuery } from '@tanstack/react-query';
import type { Evaluation, RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import { useApi } from '../../../../api/index.ts';
import { counted } from '../../../../ui/text/words.ts';
import { type ResultAddress, plainAddress, writeAddress } from '../../result/case/resultAddress.ts';
import { SameRuns, shownAtOnce } from '../SameRuns.tsx';

interface SameCauseProps {
  evaluation: Evaluation;
  row: RunRow;
  cause: FailureCause;
  /** The list in which next and previous step. */
  address: ResultAddress;
}

/** The other runs of the model that fail by the same cause, each as a link. */
export function SameCause({ evaluation, row, cause, address }: SameCauseProps) {
  const { queries } = useApi();
  const { id, settings } = evaluation;
  const runs = useQuery(
    queries.evaluations.runs.queryOptions({
      input: {
        id,
        filter: { modelSettingsId: row.modelSettingsId, cause },
        limit: shownAtOnce + 1,
      },
    }),
  );
  if (runs.data === undefined || runs.data.total < 2) return null;
  const others = runs.data.rows.filter(({ runId }) => runId !== row.runId).slice(0, shownAtOnce);
  const total = runs.data.total - 1;
  const noun = settings.repetitions > 1 ? 'other run' : 'other case';
  const all = writeAddress({
    ...plainAddress,
    tab: 'runs',
    model: evaluation.models.length > 1 ? row.modelSettingsId : null,
    cause,
  });
  const list = writeAddress({ ...address, at: null }).toString();
  return (
    <SameRuns
      label="Same cause"
      title={`${counted(total, noun)} ${total === 1 ? 'fails' : 'fail'} the same way`}
      runs={others.map(({ runId, query, repetition }) => ({
        to: `/results/${id}/runs/${runId}${list === '' ? '' : `?${list}`}`,
        text: query,
        ...(settings.repetitions > 1 && { note: `repetition ${repetition}` }),
      }))}
      more={
        total > others.length
          ? { to: `/results/${id}?${all.toString()}`, label: `Show all ${formatCount(total)}` }
          : null
      }
    />
  );
}
