import { Stack } from '@mantine/core';
import { Link } from 'react-router';
import { Action } from '../../../ui/fields/Action.tsx';
import { toolAddress } from '../../../../src-shared/display/toolAddresses.ts';
import { useApi } from '../../../api/index.ts';
import { AskModel } from '../../../models/AskModel.tsx';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { ServersWithoutTools } from '../../../ui/notices/ServersWithoutTools.tsx';
import { Fold } from '../../../ui/panels/Fold.tsx';
import { SidePanel } from '../../../ui/panels/SidePanel.tsx';
import { WorkBar } from '../../../ui/progress/WorkBar.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { Rating } from './Rating.tsx';
import { cancelRating, lowestScore, startRating, useRatingWork } from './ratingWork.ts';
import { useListedServers } from './useLint.ts';
import classes from './quality.module.css';

/** Asks a model for its opinion of the descriptions of the chosen servers. */
export function RatingPanel({ onClose }: { onClose: () => void }) {
  const { client } = useApi();
  const work = useRatingWork();
  const { shown: servers } = useListedServers();
  const done = work.ratings.length + work.unrated.length;
  const ratings = work.ratings.toSorted((a, b) => lowestScore(a) - lowestScore(b));
  return (
    <SidePanel
      title="Ratings by a model"
      subtitle={servers.length === 0 ? 'No server has listed tools' : servers.join(', ')}
      onClose={onClose}
    >
      <Stack gap="sm">
        <p className={classes.quiet}>
          A model says how clear, complete and concise each description is, from 1 to 10, with its
          reason and what would raise it. Another model, or the same model asked again, may rate it
          differently.
        </p>
        <div>
          {work.running ? (
            <Action label="Cancel rating" onClick={cancelRating} />
          ) : (
            <AskModel
              label="Rate with a model…"
              cost="It is asked once for each tool of these servers. The tool is shown to it, nothing else."
              disabled={servers.length === 0}
              ask={(model) => startRating(client, servers, model)}
            />
          )}
        </div>
        {work.running && (
          <WorkBar
            label="Rating"
            done={done}
            total={work.total ?? 1}
            pace={{ done, total: work.total ?? 1, since: work.startedAt }}
            unit="tool"
            stage={work.total === null ? 'listing tools' : 'asking the model'}
          />
        )}
        <ServersWithoutTools failed={work.failed} />
        {work.error !== null && <ErrorNotice error={work.error} />}
        {work.unrated.length > 0 && (
          <Notice tone="warning">{`${counted(work.unrated.length, 'tool')} not rated. ${work.unrated
            .slice(0, 3)
            .map(({ toolId, reason }) => `${toolId}: ${reason}`)
            .join(' ')}`}</Notice>
        )}
        {ratings.length > 0 && (
          <section aria-label="Ratings">
            <p className={classes.quiet}>
              {counted(ratings.length, 'tool')} rated by {ratings[0]?.model}, the lowest first.
            </p>
            {ratings.map((rating) => (
              <Fold
                key={rating.toolId}
                title={<PlainText text={rating.toolId} />}
                hint={`lowest ${lowestScore(rating)} of 10`}
              >
                <Rating rating={rating} />
                <Link to={toolAddress(rating.toolId)}>Open tool</Link>
              </Fold>
            ))}
          </section>
        )}
      </Stack>
    </SidePanel>
  );
}
