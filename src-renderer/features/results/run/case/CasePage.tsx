import { Button, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type {
  Evaluation,
  RunDetail,
  RunPlace,
} from '../../../../../src-shared/domain/evaluation.ts';
import { failureOutcomes } from '../../../../../src-shared/domain/outcome.ts';
import { modelLabel } from '../../../../../src-shared/domain/provider.ts';
import { useApi } from '../../../../api/index.ts';
import { formatCount, formatDuration } from '../../../../ui/estimate/format.ts';
import { PageHeader } from '../../../../ui/frame/PageHeader.tsx';
import { useEscape } from '../../../../ui/keyboard/useEscape.ts';
import { useShortcut } from '../../../../ui/keyboard/useShortcut.ts';
import { Loaded } from '../../../../ui/notices/Loaded.tsx';
import { OutcomeMark } from '../../../../ui/outcome/OutcomeMark.tsx';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { readAddress, type ResultAddress, runsQuestion } from '../../result/case/resultAddress.ts';
import { AdvicePanel } from './AdvicePanel.tsx';
import { CallPanel } from './CallPanel.tsx';
import classes from './case.module.css';
import { Neighbors } from './Neighbors.tsx';
import { RawExchange } from './RawExchange.tsx';
import { RequestPanel } from './RequestPanel.tsx';
import { RerunButton } from './RerunButton.tsx';
import { RunDetailsFold } from './RunDetailsFold.tsx';
import { causeOfRun, runSentence } from './runSentence.ts';
import { SameCause } from './SameCause.tsx';
import { SaveAsCase } from './SaveAsCase.tsx';
import { WithoutScore } from './WithoutScore.tsx';

/** One run of a case: what happened in a sentence, the evidence, and what to do next. */
export function CasePage() {
  const { id = '', runId = '' } = useParams();
  const [params] = useSearchParams();
  const { queries } = useApi();
  const navigate = useNavigate();
  const address = useMemo(() => readAddress(params), [params]);
  const search = params.toString();
  const linkOf = (to: string): string =>
    `/evaluations/${id}/runs/${to}${search === '' ? '' : `?${search}`}`;
  const leave = new URLSearchParams(params);
  leave.set('at', runId);
  const back = `/evaluations/${id}?${leave.toString()}`;
  const evaluation = useQuery(queries.evaluations.get.queryOptions({ input: { id } }));
  const run = useQuery(
    queries.evaluations.run.queryOptions({ input: { id, runId, ...runsQuestion(address) } }),
  );
  const detail = run.data;
  const suiteId = evaluation.data?.settings.suiteId ?? null;
  const previous = neighborAction(detail?.place.previous);
  const next = neighborAction(detail?.place.next);
  useShortcut('j', next ?? noAction, 'Next case');
  useShortcut('k', previous ?? noAction, 'Previous case');
  useEscape(() => {
    void navigate(back, { state: { from: runId } });
  });

  function neighborAction(to: RunPlace['next'] | undefined): (() => void) | null {
    if (to == null) return null;
    return () => {
      void navigate(linkOf(to.runId), { replace: true });
    };
  }

  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Evaluations', to: '/evaluations' },
          { label: nameOf(evaluation.data), to: `/evaluations/${id}` },
          { label: listsFailures(address) ? 'Failures' : 'Cases', to: back },
          { label: detail?.case.name ?? 'Case' },
        ]}
        title={
          detail === undefined ? (
            'Case'
          ) : (
            <span className={classes.heading}>
              <OutcomeMark outcome={detail.row.outcome} decorative />
              <span>
                <RichSentence text={runSentence(detail)} />
              </span>
            </span>
          )
        }
        subtitle={detail === undefined ? undefined : factsOf(detail)}
        actions={
          <>
            <span className={classes.place}>{placeText(detail?.place, address)}</span>
            <Button.Group>
              <StepButton label="Previous case" keyName="K" onStep={previous}>
                <IconChevronLeft size={18} aria-hidden />
              </StepButton>
              <StepButton label="Next case" keyName="J" onStep={next}>
                <IconChevronRight size={18} aria-hidden />
              </StepButton>
            </Button.Group>
            {detail !== undefined && suiteId !== null && (
              <SaveAsCase key={runId} suiteId={suiteId} detail={detail} />
            )}
            <RerunButton evaluationId={id} runId={runId} costUsd={detail?.costUsd ?? null} />
          </>
        }
      />
      <Loaded query={run} blocks={[120, 280, 80]} label="Loading the case">
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
                <AdvicePanel evaluationId={id} detail={loaded} cause={cause} />
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
                <section className={classes.panel} aria-label="Details">
                  <RawExchange detail={loaded} />
                  <RunDetailsFold detail={loaded} />
                </section>
                <Neighbors place={loaded.place} linkOf={linkOf} />
              </div>
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

function noAction(): void {
  // The list has no run in this direction.
}

function nameOf(evaluation: Evaluation | undefined): string {
  return evaluation === undefined ? 'Evaluation' : `#${evaluation.number} ${evaluation.suiteName}`;
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
function placeText(place: RunPlace | undefined, address: ResultAddress): string {
  if (place === undefined || place.index === null) return '';
  const noun = listsFailures(address) ? 'Failure' : 'Case';
  return `${noun} ${formatCount(place.index + 1)} of ${formatCount(place.total)}`;
}

interface StepButtonProps {
  label: string;
  keyName: string;
  /** Null if there is no run in this direction. */
  onStep: (() => void) | null;
  children: ReactNode;
}

function StepButton({ label, keyName, onStep, children }: StepButtonProps) {
  return (
    <Tooltip label={`${label} (${keyName})`}>
      <Button
        variant="default"
        aria-label={label}
        px="xs"
        disabled={onStep === null}
        onClick={() => {
          onStep?.();
        }}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
