import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { LoadingSkeleton } from '../../../ui/notices/LoadingSkeleton.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import classes from '../evaluations.module.css';
import { GateLine } from './GateLine.tsx';
import { readAddress, type ResultAddress, writeAddress } from './resultAddress.ts';
import { ResultActions } from './ResultActions.tsx';
import { ResultFacts } from './ResultFacts.tsx';
import { ResultState, RunProgress } from './ResultState.tsx';
import { ResultTabs } from './ResultTabs.tsx';
import { ResultVerdict } from './ResultVerdict.tsx';
import { SentToolsNotice, useSentTools } from './SentToolsNotice.tsx';
import { RefusedNotice } from '../RefusedNotice.tsx';
import { ToolChangesNotice } from './ToolChangesNotice.tsx';
import { useEvaluationActions } from './useEvaluationActions.ts';
import { useResultNumbers } from './useResultNumbers.ts';
import { useVerdict } from './useVerdict.ts';

export function EvaluationPage() {
  const { id = '' } = useParams();
  const { queries } = useApi();
  const evaluation = useQuery(queries.evaluations.get.queryOptions({ input: { id } }));
  return (
    <>
      {evaluation.data === undefined && (
        <PageHeader
          crumbs={[{ label: 'Evaluations', to: '/evaluations' }, { label: 'Evaluation' }]}
          title="Evaluation"
        />
      )}
      <Loaded query={evaluation} blocks={[24, 160, 30, 360]} label="Loading the evaluation">
        {(data) => <Result key={data.id} evaluation={data} />}
      </Loaded>
    </>
  );
}

/** The address of the page, with a model that the evaluation has, and how to change it. */
function useResultAddress(
  evaluation: Evaluation,
): [ResultAddress, (part: Partial<ResultAddress>) => void] {
  const [params, setParams] = useSearchParams();
  const read = useMemo(() => readAddress(params), [params]);
  const known = evaluation.models.some(({ id }) => id === read.model);
  const address = useMemo(
    (): ResultAddress => (known ? read : { ...read, model: null }),
    [known, read],
  );
  const change = useCallback(
    (part: Partial<ResultAddress>) => {
      setParams((before) => writeAddress({ ...readAddress(before), ...part }), { replace: true });
    },
    [setParams],
  );
  return [address, change];
}

/** The verdict first, then the failures; everything else is one tab away. */
function Result({ evaluation }: { evaluation: Evaluation }) {
  const [address, change] = useResultAddress(evaluation);
  const result = useResultNumbers(evaluation, address.model);
  const { numbers, live, snapshot, summary, loading, error } = result;
  const verdict = useVerdict(evaluation, address.model, live);
  const acts = useEvaluationActions(evaluation);
  const ended = hasEnded(evaluation.state);
  const sent = useSentTools(evaluation.id, live?.snapshotId ?? evaluation.snapshotId ?? null) ?? [];
  const ready = !loading && verdict !== null;
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Evaluations', to: '/evaluations' },
          { label: `#${evaluation.number} ${evaluation.suiteName}` },
        ]}
        title={evaluation.suiteName}
        subtitle={
          <ResultFacts
            evaluation={evaluation}
            numbers={numbers}
            snapshot={snapshot.data ?? null}
            sent={sent}
          />
        }
        actions={<ResultActions evaluation={evaluation} model={address.model} acts={acts} />}
      />
      {acts.failed !== null && <ErrorNotice error={acts.failed} />}
      <ResultState
        error={error}
        listings={snapshot.data?.servers ?? live?.servers ?? []}
        sent={sent}
      />
      <RefusedNotice models={evaluation.models} />
      <ToolChangesNotice
        id={evaluation.id}
        state={`${evaluation.state} ${live?.snapshotId ?? evaluation.snapshotId ?? ''}`}
      />
      <SentToolsNotice accounts={sent} models={evaluation.models} />
      {summary.error !== null && (
        <ErrorNotice
          error={summary.error}
          onRetry={() => void summary.refetch()}
          title="Couldn't load the numbers"
        />
      )}
      <div className={classes.wholeResult}>
        {!ready && <RunProgress evaluation={evaluation} live={live} />}
        {!ready && ended && summary.error === null && (
          <div className={classes.whileReading}>
            <LoadingSkeleton blocks={[160, 30, 360]} label="Loading the numbers" />
          </div>
        )}
        {ready && (
          <>
            <ResultVerdict
              evaluation={evaluation}
              verdict={verdict}
              acts={acts}
              onOutcome={(outcome) => {
                change({ tab: 'cases', outcomes: [outcome], cause: null, cell: null });
              }}
            />
            <RunProgress evaluation={evaluation} live={live} />
            <GateLine evaluation={evaluation} />
            <ResultTabs
              evaluation={evaluation}
              result={result}
              verdict={verdict}
              address={address}
              acts={acts}
              onChange={change}
            />
          </>
        )}
      </div>
    </>
  );
}
