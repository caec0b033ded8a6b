import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { SentToolsOfModel } from '../../../../src-shared/domain/sentTools.ts';
import type { ServerListing } from '../../../../src-shared/domain/tool.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { WorkBar } from '../../../ui/progress/WorkBar.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';
import { type LiveEvaluation, stretchProgress } from '../live/foldEvents.ts';

interface ResultStateProps {
  error: unknown;
  listings: readonly ServerListing[];
  /** Names left-out tools elsewhere on the page. */
  sent: readonly SentToolsOfModel[];
}

/** What went wrong around the runs, and what to do. */
export function ResultState({ error, listings, sent }: ResultStateProps) {
  const failed = listings.filter((listing) => listing.status === 'failed');
  const stored = listings.filter(({ status, error }) => status === 'listed' && error !== null);
  const named = new Set(sent.flatMap(({ leftOut }) => leftOut.map(({ tool }) => tool)));
  const rejected = listings
    .flatMap((listing) => listing.rejected)
    .filter(({ server, name }) => !named.has(toolId(server, name)));
  return (
    <div className={classes.state}>
      {error !== null && <ErrorNotice error={error} title="Can't follow the progress" />}
      {failed.map((listing) => (
        <Notice key={listing.server} tone="danger">
          Server{' '}
          <b className="ts-foreign">
            <PlainText text={listing.server} />
          </b>{' '}
          couldn’t list its tools, so its cases are not scored:{' '}
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
  evaluation: Evaluation;
  live: LiveEvaluation | null;
}

/** How far a running evaluation is; nothing once it has ended. */
export function RunProgress({ evaluation, live }: RunProgressProps) {
  const { connection } = useApi();
  if (hasEnded(evaluation.state)) return null;
  const lost = connection === 'lost';
  const { total, open } = evaluation.counts;
  const all =
    live === null || live.planned === 0
      ? { done: total - open, total }
      : { done: live.planned - live.open, total: live.planned };
  const stretch = live === null ? null : stretchProgress(live);
  const stage = lost
    ? 'connection lost, reconnecting'
    : stretch?.since == null
      ? 'listing tools'
      : undefined;
  return (
    <WorkBar
      label={`Progress of evaluation ${evaluation.number}`}
      {...all}
      pace={stretch}
      unit="run"
      {...(stage === undefined ? {} : { stage })}
    />
  );
}
