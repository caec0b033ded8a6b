import { Button, Tooltip } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconArrowLeft, IconChevronLeft, IconChevronRight, IconRefresh } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import type { RunDetail } from '../../../../src-shared/domain/evaluation.ts';
import { failureTexts } from '../../../../src-shared/domain/failureTexts.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { tokenSourceTexts } from '../../../../src-shared/domain/metrics.ts';
import { useApi } from '../../../api/index.ts';
import { Definition } from '../../../ui/panels/Definition.tsx';
import {
  formatCount,
  formatDuration,
  formatRate,
  NOT_DEFINED,
} from '../../../ui/estimate/format.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { Tags } from '../../../ui/badges/Tags.tsx';
import { useEscape } from '../../../ui/keyboard/useEscape.ts';
import { useShortcut } from '../../../ui/keyboard/useShortcut.ts';
import classes from '../evaluations.module.css';
import { classWords, methodWords, metricMeaning, statusWord } from '../evaluationWords.ts';
import { readAddress, runsQuestion } from '../result/resultAddress.ts';
import { RunMark } from '../RunMark.tsx';
import { AnswerFacts } from './AnswerFacts.tsx';
import { CallPairs } from './CallPairs.tsx';
import { OfferedTools } from './OfferedTools.tsx';
import { RawTraffic } from './RawTraffic.tsx';
import { Judgement, ScoreHistory } from './Judgement.tsx';

export function CasePage() {
  const { id = '', runId = '' } = useParams();
  const [params] = useSearchParams();
  const { queries } = useApi();
  const navigate = useNavigate();
  const question = useMemo(() => runsQuestion(readAddress(params)), [params]);
  const search = params.toString();
  const suffix = search === '' ? '' : `?${search}`;
  const leave = new URLSearchParams(params);
  leave.set('at', runId);
  const back = `/evaluations/${id}?${leave.toString()}`;
  const again = useRunAgain(id, runId);
  const evaluation = useQuery(queries.evaluations.get.queryOptions({ input: { id } }));
  const run = useQuery(queries.evaluations.run.queryOptions({ input: { id, runId, ...question } }));
  const go = (to: string | null | undefined): void => {
    if (to !== null && to !== undefined)
      void navigate(`/evaluations/${id}/runs/${to}${suffix}`, { replace: true });
  };
  const next = (): void => {
    go(run.data?.nextRunId);
  };
  const previous = (): void => {
    go(run.data?.previousRunId);
  };
  useShortcut('j', next, 'Next case');
  useShortcut('k', previous, 'Previous case');
  useEscape(() => {
    void navigate(back, { state: { from: runId } });
  });
  const number =
    evaluation.data === undefined
      ? 'Evaluation'
      : `#${evaluation.data.number} ${evaluation.data.suiteName}`;
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Evaluations', to: '/evaluations' },
          { label: number, to: back },
          { label: run.data?.case.name ?? 'Case' },
        ]}
        title={run.data?.case.name ?? 'Case'}
        subtitle={run.data === undefined ? undefined : <Headline detail={run.data} />}
        actions={
          <>
            <Button
              component={Link}
              to={back}
              state={{ from: runId }}
              variant="default"
              leftSection={<IconArrowLeft size={16} aria-hidden />}
            >
              All cases
            </Button>
            <Tooltip label="Puts this case to the same model on the same frozen tools, as an evaluation of its own">
              <Button
                variant="default"
                leftSection={<IconRefresh size={16} aria-hidden />}
                loading={again.isPending}
                onClick={() => {
                  again.mutate();
                }}
              >
                Re-run this case
              </Button>
            </Tooltip>
            <Button.Group>
              <Tooltip label="Previous case (K)">
                <Button
                  variant="default"
                  aria-label="Previous case"
                  px="xs"
                  disabled={run.data?.previousRunId == null}
                  onClick={previous}
                >
                  <IconChevronLeft size={18} aria-hidden />
                </Button>
              </Tooltip>
              <Tooltip label="Next case (J)">
                <Button
                  variant="default"
                  aria-label="Next case"
                  px="xs"
                  disabled={run.data?.nextRunId == null}
                  onClick={next}
                >
                  <IconChevronRight size={18} aria-hidden />
                </Button>
              </Tooltip>
            </Button.Group>
          </>
        }
      />
      {again.error !== null && <ErrorNotice error={again.error} />}
      <Loaded query={run} blocks={[40, 280, 160]} label="Loading the case">
        {(detail) => <CaseView key={detail.row.runId} evaluationId={id} detail={detail} />}
      </Loaded>
    </>
  );
}

/** Runs the case again and opens the new evaluation. The original evaluation doesn't change. */
function useRunAgain(id: string, runId: string) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => client.evaluations.rerunCase({ id, runId }),
    onSuccess: async (made) => {
      void cache.invalidateQueries({ queryKey: queries.evaluations.list.key() });
      await navigate(`/evaluations/${made.id}`);
    },
  });
}

function Headline({ detail }: { detail: RunDetail }) {
  const { row, model, usage } = detail;
  const words = row.classification === null ? null : classWords[row.classification];
  return (
    <span className={classes.headline}>
      <span className={classes.count}>
        <RunMark row={row} />
        {words === null ? (
          <span>{statusWord(row.status)}</span>
        ) : (
          <Definition meaning={words.meaning}>{words.word}</Definition>
        )}
      </span>
      <span className="ts-number">
        <Definition meaning={metricMeaning.confidence}>confidence</Definition>{' '}
        {formatRate(row.confidence?.score)}
        {row.confidence !== null && (
          <span className={classes.quiet}> ({methodWords[row.confidence.method]})</span>
        )}
      </span>
      <span className="ts-number">
        <Definition meaning={metricMeaning.latency}>latency</Definition>{' '}
        {formatDuration(row.executionTimeMs)}
      </span>
      <span className="ts-number">
        <Definition
          meaning={
            usage === null
              ? 'What went to the model and came back. This run does not tell.'
              : `What went to the model and came back, ${tokenSourceTexts[usage.source]}.`
          }
        >
          tokens
        </Definition>{' '}
        {usage === null
          ? NOT_DEFINED
          : `${formatCount(usage.input)} in, ${formatCount(usage.output)} out (${usage.source})`}
      </span>
      <PlainText text={modelLabel(model)} />
      {row.repetition > 1 && <span>repetition {row.repetition}</span>}
      {row.attempt > 1 && <span>attempt {row.attempt}</span>}
    </span>
  );
}

function CaseView({ evaluationId, detail }: { evaluationId: string; detail: RunDetail }) {
  const { row, score } = detail;
  return (
    <div className={classes.stack}>
      {row.status === 'failed' && (
        <Notice tone="danger">
          <StatusBadge tone="bad" label="Not scored" />{' '}
          {row.failure === null ? '' : `${failureTexts[row.failure]}: `}
          <Foreign text={row.errorMessage ?? 'no reason was given.'} limit={2000} />
        </Notice>
      )}
      <div className={classes.twoColumns}>
        <div>
          <Section title="Query">
            <div
              className={`ts-panel ${classes.box ?? ''} ${classes.query ?? ''}`}
              tabIndex={0}
              role="region"
              aria-label="Query as the model got it"
            >
              <Foreign text={detail.case.query} />
            </div>
            {detail.case.tags.length > 0 && (
              <div className={classes.tags}>
                <Tags values={detail.case.tags} />
              </div>
            )}
          </Section>
          <OfferedTools evaluationId={evaluationId} detail={detail} />
        </div>
        <div>
          <Section
            title="Expected and actual call"
            aside={
              score?.passed == null ? undefined : (
                <StatusBadge
                  tone={score.passed ? 'good' : 'bad'}
                  label={score.passed ? 'Fully right' : 'Not fully right'}
                />
              )
            }
          >
            <CallPairs detail={detail} />
          </Section>
          <Judgement detail={detail} />
          <ScoreHistory history={detail.history} current={detail.scorer} />
          <AnswerFacts detail={detail} />
          <RawTraffic request={detail.rawRequest} response={detail.rawResponse} />
        </div>
      </div>
    </div>
  );
}
