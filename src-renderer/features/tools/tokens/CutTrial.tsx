import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Action } from '../../../ui/fields/Action.tsx';
import { describeAnswer } from '../../../../src-shared/display/comparisonAnswer.ts';
import { formatShare, formatCount } from '../../../../src-shared/display/numbers.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { CutTrial as Trial } from '../../../../src-shared/domain/tokenReport.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import type { TokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';

/** Makes all cuts at once: what is left, and whether the built-in selector still passes as much. */
export function CutTrial({ source }: { source: TokenSource }) {
  const { client, queries, reread } = useApi();
  const trial = useMutation({
    mutationFn: async () => {
      const made = await client.tokens.tryCuts({
        source: source.source,
        encoding: source.encoding,
        model: source.model,
      });
      if (made.base === null || made.changes.length === 0) return { made, whatIfId: null };
      const { id, modelSettingsId } = made.base;
      const started = await client.evaluations.whatIf({
        id,
        modelSettingsId,
        changes: made.changes,
      });
      void reread(queries.evaluations);
      return { made, whatIfId: started.id };
    },
  });
  return (
    <div className={classes.trial}>
      <Action label="Try all cuts" filled fullWidth run={trial} />
      {trial.isError && <ErrorNotice error={trial.error} />}
      {trial.data && (
        <div role="status">
          <p>
            <b>
              {formatCount(trial.data.made.before)} → {formatCount(trial.data.made.after)} tokens
            </b>{' '}
            (−{formatShare(1 - trial.data.made.after / Math.max(1, trial.data.made.before))}) with
            whole sentences kept. No server was changed.
          </p>
          <PassRate {...trial.data} />
        </div>
      )}
    </div>
  );
}

function PassRate({ made, whatIfId }: { made: Trial; whatIfId: string | null }) {
  if (made.changes.length === 0)
    return <p>The pass rate stays the same: models never see output schemas.</p>;
  if (made.base === null || whatIfId === null)
    return (
      <p>
        To see whether the pass rate holds,{' '}
        <Link to="/results/new">run an evaluation with the built-in selector</Link> first.
      </p>
    );
  return <Compared base={made.base} whatIfId={whatIfId} />;
}

function Compared({ base, whatIfId }: { base: NonNullable<Trial['base']>; whatIfId: string }) {
  const { queries } = useApi();
  const run = useQuery(
    queries.evaluations.get.queryOptions({
      input: { id: whatIfId },
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && hasEnded(data.state) ? false : 500,
    }),
  );
  const ended = run.data !== undefined && hasEnded(run.data.state);
  const comparison = useQuery(
    queries.results.compare.queryOptions({
      input: {
        baseline: { id: base.id, modelSettingsId: base.modelSettingsId },
        candidates: [{ id: whatIfId, modelSettingsId: null }],
      },
      enabled: ended,
    }),
  );
  const error = run.error ?? comparison.error;
  const found = comparison.data?.candidates[0];
  if (error) return <ErrorNotice error={error} />;
  const name = <PlainText text={`#${base.number} ${base.suiteName}`} />;
  if (!found)
    return (
      <p>
        Repeating {name} with the cuts
        {run.data
          ? `: ${formatCount(run.data.counts.total - run.data.counts.open)} of ${formatCount(run.data.counts.total)} runs`
          : ''}
        …
      </p>
    );
  const side = `${base.id}${base.modelSettingsId === null ? '' : `/${base.modelSettingsId}`}`;
  return (
    <p>
      Pass rate of {name} with the cuts: {formatShare(found.candidateRight.value)}, before{' '}
      {formatShare(found.baselineRight.value)}. {describeAnswer(found)}{' '}
      <Link to={`/results/${whatIfId}?${new URLSearchParams({ compare: side }).toString()}`}>
        Compare cases
      </Link>
    </p>
  );
}
