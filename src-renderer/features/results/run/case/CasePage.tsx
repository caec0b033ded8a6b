import { Text, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { Action } from '../../../../ui/fields/controls.tsx';
import type {
  Evaluation,
  RunDetail,
  RunPlace,
  RunRow,
} from '../../../../../src-shared/domain/evaluation.ts';
import { failureOutcomes } from '../../../../../src-shared/domain/outcome.ts';
import { modelLabel } from '../../../../../src-shared/domain/provider.ts';
import { useApi, useRead } from '../../../../api/index.ts';
import {
  counted,
  formatCount,
  formatDuration,
  formatUsd,
} from '../../../../../src-shared/display/numbers.ts';
import { OutcomeMark } from '../../../../ui/outcome/outcomes.tsx';
import { readAddress, type ResultAddress, runsQuestion } from '../../result/case/resultAddress.ts';
import { RunPage } from '../RunPage.tsx';
import { CaseAdvice, SameCause } from './CaseAdvice.tsx';
import { CallPanel } from './CallTable.tsx';
import classes from './case.module.css';
import { RequestPanel } from './RequestPanel.tsx';
import { RunDetailsFold } from './RunDetailsFold.tsx';
import { causeOfRun, runSentence } from './runSentence.ts';
import { SaveAsCase } from './SaveAsCase.tsx';
import { isResumable } from '../../../../../src-shared/display/evaluationTexts.ts';
import { Notice, useAct } from '../../../../ui/notices/notices.tsx';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { ResumeButton } from '../../list/EvaluationParts.tsx';
import { Fold, TitledPanel } from '../../../../ui/panels/panels.tsx';
import { ConfirmDialog } from '../../../../ui/panels/ConfirmDialog.tsx';
import { orElse } from '../../../../../src-shared/domain/orElse.ts';
import { CodeView } from '../../../../ui/text/CodeView.tsx';
import { CopyButton } from '../../../../ui/text/CopyButton.tsx';

const finishReasons: Record<NonNullable<RunDetail['stopReason']>, string> = {
  answered: 'end of the answer',
  called: 'tool calls',
  refused: 'refusal',
  filtered: 'content filter',
  cut_off: 'length limit',
  unknown: 'not reported',
};

/** What was sent and received: request, response, reasoning, and the names of the tools. */
function RawExchange({ detail }: { detail: RunDetail }) {
  const { names, reasoning, rawRequest, rawResponse } = detail;
  const renamed = names.filter(({ wire, tool }) => wire !== tool);
  return (
    <Fold title="Raw exchange" hint={hintOf(detail)}>
      <div className={classes.inner}>
        <Raw label="Request" raw={rawRequest} />
        <Raw label="Response" raw={rawResponse} />
        {reasoning !== null && (
          <Fold title="Reasoning of the model" hint={counted(reasoning.length, 'character')}>
            <Foreign block text={reasoning} limit={4000} />
          </Fold>
        )}
        {renamed.length > 0 && (
          <Fold title="Tool names as sent" hint={counted(renamed.length, 'name')}>
            <CodeView
              label="Name as sent, name of the tool"
              text={renamed.map(({ wire, tool }) => `${wire}  ${tool}`).join('\n')}
            />
          </Fold>
        )}
      </div>
    </Fold>
  );
}

function hintOf({ usage, stopReason }: RunDetail): string {
  const parts = [
    ...(usage === null
      ? []
      : [`${formatCount(usage.input)} tokens in, ${formatCount(usage.output)} out`]),
    ...(stopReason === null ? [] : [`finish reason: ${finishReasons[stopReason]}`]),
  ];
  return parts.join(' · ');
}

/** Larger JSON is shown without indentation. Copying always uses the original text. */
const maxIndented = 500_000;

function indented(raw: string): string {
  if (raw.length > maxIndented) return raw;
  return orElse(() => JSON.stringify(JSON.parse(raw), null, 2), raw);
}

function Raw({ label, raw }: { label: string; raw: string | null }) {
  if (raw === null)
    return (
      <Text size="sm" c="dimmed" px={16} py={8}>
        {label}: not stored. It was never sent, or raw traffic was deleted.
      </Text>
    );
  return (
    <Fold title={label} hint={counted(raw.length, 'character')}>
      <div className={classes.copy}>
        <CopyButton text={raw} label="Copy as sent" what={label} />
      </div>
      <CodeView label={label} text={indented(raw)} copy={false} maxHeight={420} />
    </Fold>
  );
}

/** One run of a case: what happened in a sentence, the evidence, and what to do next. */
export function CasePage() {
  const { id = '', runId = '' } = useParams();
  const [params] = useSearchParams();
  const address = useMemo(() => readAddress(params), [params]);
  const search = params.toString();
  const linkOf = (to: string): string =>
    `/results/${id}/runs/${to}${search === '' ? '' : `?${search}`}`;
  const leave = new URLSearchParams(params);
  leave.set('at', runId);
  const back = `/results/${id}?${leave.toString()}`;
  const evaluation = useRead((ask) => ask.evaluations.get, { input: { id } });
  const run = useRead((ask) => ask.evaluations.run, {
    input: { id, runId, ...runsQuestion(address) },
  });
  const detail = run.data;
  const suiteId = evaluation.data?.settings.suiteId ?? null;
  const stepTo = (to: RunPlace['next'] | undefined) => (to == null ? null : linkOf(to.runId));

  return (
    <RunPage
      unit="case"
      evaluationId={id}
      evaluation={evaluation.data}
      back={{ label: listsFailures(address) ? 'Failures' : 'Cases', to: back, from: runId }}
      list={{
        noun: 'case',
        place: placeText(detail?.place, address, evaluation.data),
        previous: stepTo(detail?.place.previous),
        next: stepTo(detail?.place.next),
      }}
      run={run}
      nameOf={(loaded) => loaded.case.name}
      titleOf={(loaded) => ({
        mark: <OutcomeMark outcome={loaded.row.outcome} decorative />,
        text: runSentence(loaded),
      })}
      facts={detail === undefined ? '' : factsOf(detail)}
      actions={
        <>
          {detail !== undefined && suiteId !== null && (
            <SaveAsCase key={runId} suiteId={suiteId} detail={detail} />
          )}
          <RerunButton evaluationId={id} runId={runId} costUsd={detail?.costUsd ?? null} />
        </>
      }
    >
      {(loaded) => {
        const cause = causeOfRun(loaded);
        return (
          <div key={loaded.row.runId} className={classes.columns}>
            <div className={classes.top}>
              <WithoutScore row={loaded.row} evaluation={evaluation.data} />
              <RequestPanel evaluationId={id} detail={loaded} />
              <CallPanel detail={loaded} />
            </div>
            <div className={classes.side}>
              <CaseAdvice evaluationId={id} detail={loaded} cause={cause} />
              {cause !== null && evaluation.data !== undefined && (
                <SameCause
                  evaluation={evaluation.data}
                  row={loaded.row}
                  cause={cause}
                  address={address}
                />
              )}
            </div>
            <div className={classes.bottom}>
              <TitledPanel label="Details">
                <RawExchange detail={loaded} />
                <RunDetailsFold detail={loaded} />
              </TitledPanel>
            </div>
          </div>
        );
      }}
    </RunPage>
  );
}

function factsOf({ row, case: content, model }: RunDetail): string {
  return [
    content.name,
    modelLabel(model),
    ...(row.repetition > 1 ? [`repetition ${row.repetition}`] : []),
    ...(row.executionTimeMs === null ? [] : [formatDuration(row.executionTimeMs)]),
  ].join(' · ');
}

/** True if the list that the case was opened from has failures only. */
function listsFailures({ outcomes, cause }: ResultAddress): boolean {
  const failures: readonly string[] = failureOutcomes;
  return cause !== null || (outcomes.length > 0 && outcomes.every((one) => failures.includes(one)));
}

/** Where the run is in that list: `Failure 11 of 22`. */
function placeText(
  place: RunPlace | undefined,
  address: ResultAddress,
  evaluation: Evaluation | undefined,
): string {
  if (place === undefined || place.index === null) return '';
  const isRunTwice =
    evaluation !== undefined && evaluation.models.length * evaluation.settings.repetitions > 1;
  const noun = listsFailures(address) ? 'Failure' : isRunTwice ? 'Run' : 'Case';
  return `${noun} ${formatCount(place.index + 1)} of ${formatCount(place.total)}`;
}

/** Why a run has no score, and what to do. Nothing for a run that was scored. */
function WithoutScore({ row, evaluation }: { row: RunRow; evaluation: Evaluation | undefined }) {
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
            onResumed={() => void navigate(`/results/${evaluation.id}`)}
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

interface RerunButtonProps {
  evaluationId: string;
  runId: string;
  /** What the run cost; null if no price is known. A run that costs money is asked about first. */
  costUsd: number | null;
}

/** Runs the case again and opens the new evaluation. The original evaluation doesn't change. */
function RerunButton({ evaluationId, runId, costUsd }: RerunButtonProps) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const rerun = useAct(() => client.evaluations.rerunCase({ id: evaluationId, runId }), {
    onSuccess: async (made) => {
      void reread(queries.evaluations.list);
      await navigate(`/results/${made.id}`);
    },
  });
  const paid = costUsd !== null && costUsd > 0;
  const close = (): void => setAsking(false);
  const start = (): void => {
    close();
    rerun.mutate();
  };
  return (
    <>
      <Tooltip label="Runs this case again with the same model and tools, as a new evaluation">
        <Action
          label="Re-run case"
          icon={IconRefresh}
          loading={rerun.isPending}
          onClick={() => {
            if (paid) setAsking(true);
            else start();
          }}
        />
      </Tooltip>
      {asking && (
        <ConfirmDialog
          title="Re-run case"
          confirm="Re-run case"
          onConfirm={start}
          onClose={() => setAsking(false)}
        >
          <Text>
            Sends the request to the model again, as a new evaluation with one case. The last run
            cost {formatUsd(costUsd)}, so expect about the same.
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}
