import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { counted, formatDuration } from '../../../../../src-shared/display/numbers.ts';
import { offeredText } from '../../../../../src-shared/display/sentToolsTexts.ts';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { SentTools } from '../../../../../src-shared/domain/sentTools.ts';
import type { ToolSnapshot } from '../../../../../src-shared/domain/tool.ts';
import { useApi } from '../../../../api/index.ts';
import { ErrorNotice } from '../../../../ui/notices/ErrorNotice.tsx';
import { LoadingSkeleton } from '../../../../ui/notices/LoadingSkeleton.tsx';
import classes from '../../evaluations.module.css';
import type { Listed } from '../../list/listed.ts';
import { LoadedResult, ResultFacts, ResultPage, RunProgress } from '../ResultPage.tsx';
import { CaseActions } from './CaseActions.tsx';
import { CaseTabs } from './CaseTabs.tsx';
import { presetModel } from './chosenModel.ts';
import { GateLine } from './GateLine.tsx';
import { readAddress, type ResultAddress, writeAddress } from './resultAddress.ts';
import { ResultVerdict } from './ResultVerdict.tsx';
import { useFailures } from './FailuresTab.tsx';
import { SentToolsNotice, useSentTools } from '../../SentToolsList.tsx';
import { useCaseActions } from './useCaseActions.ts';
import { useResultNumbers, useVerdict } from './useResultNumbers.ts';

export function CaseResultPage() {
  const { id = '' } = useParams();
  const { queries } = useApi();
  const evaluation = useQuery(queries.evaluations.get.queryOptions({ input: { id } }));
  return (
    <LoadedResult unit="case" query={evaluation}>
      {(data) => <Result key={data.id} evaluation={data} />}
    </LoadedResult>
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
    (part: Partial<ResultAddress>) =>
      setParams((before) => writeAddress({ ...readAddress(before), ...part }), { replace: true }),
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
  const failures = useFailures(evaluation, verdict, address.model);
  const acts = useCaseActions(evaluation);
  const { id, state, models, settings, counts, startedAt, completedAt } = evaluation;
  const one: Listed = { unit: 'case', evaluation };
  const ended = hasEnded(state);
  const snapshotId = live?.snapshotId ?? evaluation.snapshotId ?? null;
  const sent = useSentTools(id, snapshotId) ?? [];
  const ready = !loading && verdict !== null;
  const took =
    startedAt !== null && completedAt !== null
      ? Date.parse(completedAt) - Date.parse(startedAt)
      : null;
  const progress = <RunProgress one={one} live={live} runs={counts} />;
  return (
    <ResultPage
      one={one}
      facts={
        <ResultFacts
          one={one}
          entries={Math.round(counts.total / (Math.max(1, models.length) * settings.repetitions))}
        >
          {ended && <span className="ts-number">{formatDuration(numbers.durationMs ?? took)}</span>}
          {snapshot.data && <span className="ts-number">{toolsText(snapshot.data, sent)}</span>}
        </ResultFacts>
      }
      actions={
        <CaseActions
          evaluation={evaluation}
          model={verdict === null ? address.model : presetModel(verdict, address.model)}
          back={address.back}
          acts={acts}
        />
      }
      error={error}
      listings={snapshot.data?.servers ?? live?.servers ?? []}
      sent={sent}
      snapshotId={snapshotId}
    >
      {acts.failed !== null && <ErrorNotice error={acts.failed} />}
      <SentToolsNotice accounts={sent} models={models} />
      {summary.error !== null && (
        <ErrorNotice
          error={summary.error}
          onRetry={() => void summary.refetch()}
          title="Couldn't load the numbers"
        />
      )}
      <div className={classes.wholeResult}>
        {!ready && progress}
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
              failures={failures.data ?? null}
              address={address}
              onOutcome={(outcome) =>
                change({ tab: 'runs', outcomes: [outcome], cause: null, cell: null })
              }
              onCompare={(compared) => change({ compared })}
            />
            {progress}
            <GateLine evaluation={evaluation} />
            <CaseTabs
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
    </ResultPage>
  );
}

/** How many tools were offered, of how many servers where there are several, and how many adapted. */
function toolsText({ tools }: ToolSnapshot, sent: readonly SentTools[]): string {
  const servers = new Set(tools.map(({ server }) => server)).size;
  const offered = offeredText(sent) ?? counted(tools.length, 'tool');
  return servers > 1 ? `${counted(servers, 'server')}, ${offered}` : offered;
}
