import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { SentToolsOfModel } from '../../../../src-shared/domain/sentTools.ts';
import type { ServerListing } from '../../../../src-shared/domain/tool.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { LoadedPage, PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { ErrorNotice, Notice } from '../../../ui/notices/notices.tsx';
import { WorkBar } from '../../../ui/progress/WorkBar.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import classes from '../evaluations.module.css';
import { stateWords } from '../evaluationWords.ts';
import { describeChange } from '../../../../src-shared/display/whatIfTexts.ts';
import { OriginBadge } from '../list/EvaluationParts.tsx';
import type { Listed } from '../list/listed.ts';
import { evaluationName, evaluationNoun, evaluationTitle } from '../links.ts';
import { stretchProgress, type LiveEvaluation } from '../live/foldEvents.ts';
import { nameModels } from '../modelNames.ts';
import type { ModelSettings } from '../../../../src-shared/domain/model.ts';
import { refusedLines } from '../../../../src-shared/domain/refusedSetting.ts';
import { Modal, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Action } from '../../../ui/fields/controls.tsx';
import type { ToolChange } from '../../../../src-shared/contract/evaluations.ts';
import { describeChangeCounts, countChanges } from '../../../../src-shared/display/changeCounts.ts';
import { ChangeList } from '../../../ui/text/ChangeList.tsx';

interface LoadedResultProps<Data> {
  unit: EvaluationUnit;
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/** Loads what the page of a result shows, under a heading that is there from the start. */
export function LoadedResult<Data>({ unit, query, children }: LoadedResultProps<Data>) {
  return (
    <LoadedPage
      crumbs={[{ label: 'Results', to: '/results' }, { label: evaluationTitle(unit) }]}
      query={query}
      blocks={[24, 160, 30, 360]}
    >
      {children}
    </LoadedPage>
  );
}

interface ResultPageProps {
  one: Listed;
  facts: ReactNode;
  actions: ReactNode;
  /** Why the progress can't be followed. */
  error: unknown;
  listings: readonly ServerListing[];
  /** Names left-out tools elsewhere on the page. */
  sent: readonly SentToolsOfModel[];
  /** The frozen tools; null until servers have listed them. */
  snapshotId: string | null;
  /** What went wrong besides, the progress, the verdict and the tabs. */
  children: ReactNode;
}

/** A result of either unit: what was measured, what went wrong around the runs, and what it says. */
export function ResultPage(props: ResultPageProps) {
  const { one, facts, actions, error, listings, sent, snapshotId, children } = props;
  const { unit, evaluation } = one;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Results', to: '/results' }, { label: evaluationName(unit, evaluation) }]}
        title={evaluationName(unit, evaluation)}
        subtitle={facts}
        actions={actions}
      />
      <ResultState error={error} listings={listings} sent={sent} />
      <RefusedNotice models={evaluation.models} />
      <ToolChangesNotice
        unit={unit}
        id={evaluation.id}
        state={`${evaluation.state} ${snapshotId ?? ''}`}
      />
      {children}
    </>
  );
}

interface ResultFactsProps {
  one: Listed;
  /** How many cases or tasks ran. */
  entries: number;
  /** What only its unit has. */
  children: ReactNode;
}

/** What was measured: what it was derived from, models, cases or tasks × repetitions, and date. */
export function ResultFacts({ one, entries, children }: ResultFactsProps) {
  const { models, settings, state, createdAt } = one.evaluation;
  const origin = one.unit === 'case' ? one.evaluation.origin : null;
  const changes = settings.whatIf?.changes ?? [];
  return (
    <div className={classes.facts}>
      {origin !== null && (
        <span>
          <OriginBadge origin={origin} />
          {origin.evaluationId !== null && origin.number !== null && (
            <>
              {' '}
              of <Link to={`/results/${origin.evaluationId}`}>#{origin.number}</Link>
            </>
          )}
          {changes.length > 0 && (
            <PlainText text={`: ${changes.map(describeChange).join(' · ')}`} />
          )}
        </span>
      )}
      {hasEnded(state) && <StatusBadge {...stateWords[state]} />}
      {models.length === 1 && <PlainText text={[...nameModels(models).values()].join('')} />}
      <span className="ts-number">
        {models.length > 1 && `${counted(models.length, 'model')} × `}
        {counted(entries, one.unit)}
        {settings.repetitions > 1 && ` × ${formatCount(settings.repetitions)}`}
      </span>
      {children}
      <LeftOut one={one} />
      <Time iso={createdAt} />
    </div>
  );
}

/** Cases and tasks run apart: what its suite has of the other kind is not in a result. */
function LeftOut({ one: { unit, evaluation } }: { one: Listed }) {
  const suites = useRead((ask) => ask.suites.list);
  const suite = suites.data?.find(({ id }) => id === evaluation.settings.suiteId);
  if (suite === undefined || (unit === 'case' && evaluation.origin !== null)) return null;
  const [count, other] = unit === 'case' ? [suite.taskCount, 'task'] : [suite.caseCount, 'case'];
  if (count === 0) return null;
  return (
    <Link to={`/results/new?suite=${suite.id}${unit === 'case' ? '&run=tasks' : ''}`}>
      without the {counted(count, other)} of the suite
    </Link>
  );
}

/** What went wrong around the runs, and what to do. */
function ResultState(props: Pick<ResultPageProps, 'error' | 'listings' | 'sent'>) {
  const { error, listings, sent } = props;
  const failed = listings.filter((listing) => listing.status === 'failed');
  const stored = listings.filter(({ status, error }) => status === 'listed' && error !== null);
  const named = new Set(sent.flatMap(({ leftOut }) => leftOut.map(({ tool }) => tool)));
  const rejected = listings
    .flatMap((listing) => listing.rejected)
    .filter(({ server, name }) => !named.has(toolId(server, name)));
  return (
    <div className={classes.state}>
      <ErrorNotice error={error} title="Can't follow the progress" />
      {failed.map((listing) => (
        <Notice key={listing.server} tone="danger">
          Server <PlainText as="b" className="ts-foreign" text={listing.server} /> couldn’t list its
          tools, so its cases are not scored:{' '}
          <Foreign text={listing.error ?? 'No reason given.'} limit={600} />
        </Notice>
      ))}
      {stored.length > 0 && (
        <Notice tone="warning">
          {counted(stored.length, 'server')} couldn’t start because values are missing. Its last
          listed tools are used:{' '}
          <Foreign
            text={stored.map(({ server, error: reason }) => `${server}: ${reason ?? ''}`).join(' ')}
            limit={600}
          />
        </Notice>
      )}
      {rejected.length > 0 && (
        <Notice tone="warning">
          {counted(rejected.length, 'tool')} could not be offered:{' '}
          <Foreign
            text={rejected.map((tool) => `${tool.server}:${tool.name} (${tool.reason})`).join('; ')}
            limit={600}
          />
        </Notice>
      )}
    </div>
  );
}

interface RunProgressProps {
  one: Listed;
  live: LiveEvaluation | null;
  /** Its runs as they were read, until events say more. */
  runs: { open: number; total: number };
}

/** How far a running evaluation is; nothing once it has ended. */
export function RunProgress({ one: { unit, evaluation }, live, runs }: RunProgressProps) {
  const { connection } = useApi();
  if (hasEnded(evaluation.state)) return null;
  const known = live !== null && live.planned > 0;
  const { open, total } = known ? { open: live.open, total: live.planned } : runs;
  const stretch = live === null ? null : stretchProgress(live);
  const stage =
    connection === 'lost'
      ? 'connection lost, reconnecting'
      : stretch?.since == null
        ? 'listing tools'
        : undefined;
  return (
    <WorkBar
      label={`Progress of ${evaluationNoun[unit]} ${evaluation.number}`}
      done={total - open}
      total={total}
      pace={stretch}
      unit="run"
      {...(stage === undefined ? {} : { stage })}
    />
  );
}

/** What endpoints refused, so that an evaluation went on without it. */
function RefusedNotice({ models }: { models: readonly ModelSettings[] }) {
  const names = nameModels(models);
  const lines = refusedLines(
    models.map(({ id, model, refused }) => ({ label: names.get(id) ?? model, refused })),
  );
  return lines.length === 0 ? null : (
    <Notice>
      {lines.map((line) => (
        <Foreign key={line} as="div" text={line} limit={400} />
      ))}
    </Notice>
  );
}

/**
 * Reports that the servers' tools differ from those last seen, or changed while cases or tasks ran.
 * Reloads when `state` changes.
 */
function ToolChangesNotice(props: { unit: EvaluationUnit; id: string; state: string }) {
  const { unit, id, state } = props;
  const { client, queries } = useApi();
  const found = useQuery({
    queryKey: [...queries.evaluations.toolChanges.queryKey({ input: { unit, id } }), state],
    queryFn: () => client.evaluations.toolChanges({ unit, id }),
    placeholderData: keepPreviousData,
  });
  const [open, setOpen] = useState<ToolChange | null>(null);
  return (
    <>
      {found.data !== undefined && found.data.length > 0 && (
        <Stack gap="sm" mt="sm">
          {found.data.map((change) => (
            <Notice key={`${change.server} ${change.when}`} tone="warning">
              <span className={classes.noticeRow}>
                <span>
                  {change.when === 'before' ? (
                    <>
                      The tools of <Foreign text={change.server} limit={100} /> differ from those
                      listed <Time iso={change.seenAt} />:{' '}
                      {describeChangeCounts(countChanges(change.changes))}. This evaluation used the
                      new tools.
                    </>
                  ) : (
                    <>
                      The tools of <Foreign text={change.server} limit={100} /> changed during the
                      evaluation, noticed <Time iso={change.seenAt} />:{' '}
                      {describeChangeCounts(countChanges(change.changes))}. It used the earlier
                      tools.
                    </>
                  )}
                </span>
                <Action label="Show changes" small onClick={() => setOpen(change)} />
              </span>
            </Notice>
          ))}
        </Stack>
      )}
      {open !== null && (
        <Modal
          opened
          onClose={() => setOpen(null)}
          title={<Text fw={600}>What changed in {open.server}</Text>}
          size="xl"
        >
          <ChangeList changes={open.changes} />
        </Modal>
      )}
    </>
  );
}
