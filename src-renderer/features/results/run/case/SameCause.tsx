import { formatCount } from '../../../../../src-shared/display/numbers.ts';
import { useQuery } from '@tanstack/react-query';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Evaluation, RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import { useApi } from '../../../../api/index.ts';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { counted } from '../../../../ui/text/words.ts';
import { type ResultAddress, plainAddress, writeAddress } from '../../result/case/resultAddress.ts';
import classes from './case.module.css';

/** As many as fit beside the table; the rest is one click away. */
const shownAtOnce = 5;

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
    <section className={classes.panel} aria-label="Same cause">
      <div className={classes.head}>
        <h2 className={classes.title}>
          {counted(total, noun)} {total === 1 ? 'fails' : 'fail'} the same way
        </h2>
      </div>
      <ul className="ts-rows">
        {others.map(({ runId, query, repetition }) => (
          <li key={runId}>
            <Link
              className="ts-row-link"
              to={`/results/${id}/runs/${runId}${list === '' ? '' : `?${list}`}`}
            >
              <span className={classes.query}>
                <Foreign text={query.slice(0, 300)} />
                {settings.repetitions > 1 && (
                  <span className={classes.quiet}> repetition {repetition}</span>
                )}
              </span>
              <IconChevronRight size={14} aria-hidden className={classes.chevron} />
            </Link>
          </li>
        ))}
        {total > others.length && (
          <li>
            <Link className="ts-row-link" to={`/results/${id}?${all.toString()}`}>
              <span className={classes.quiet}>Show all {formatCount(total)}</span>
              <IconChevronRight size={14} aria-hidden className={classes.chevron} />
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}
