import { Link } from 'react-router';
import { IconPencil } from '@tabler/icons-react';
import { Action } from '../../../ui/fields/controls.tsx';
import { countItems } from '../../../../src-shared/display/itemTexts.ts';
import { StatusBadge, type StatusTone } from '../../../ui/badges/StatusBadge.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import type { Attention } from './serverAttention.ts';
import type { ServerDetail } from './serverDetail.ts';
import { type ServerTab, serverTabs, signalsOfServer } from './serverTabs.ts';
import classes from './servers.module.css';

interface ServerHeadlineProps {
  /** Its name. */
  server: string;
  /** What the server offers. */
  noun: string;
  state: { tone: StatusTone; label: string };
  listing: ServerDetail['listing'];
  attention: Attention;
  /** When the check failed, if the server is unreachable. */
  failedAt: string | null;
  shownTab: ServerTab;
  onTab: (tab: ServerTab) => void;
  onEdit: () => void;
}

/** Status, number of tools, and the one thing to do first; why a server can’t be reached is an error. */
export function ServerHeadline(props: ServerHeadlineProps) {
  const { server, noun, state, listing, attention, failedAt, shownTab, onTab, onEdit } = props;
  const { sentence, tab } = attention;
  return (
    <section
      className={`ts-panel ${classes.headline ?? ''}`}
      data-failed={failedAt !== null || undefined}
      aria-label="Status"
    >
      <p className={classes.headlineFacts}>
        <StatusBadge {...state} />
        {failedAt !== null && (
          <span className={classes.quiet}>
            check failed <Time iso={failedAt} />
          </span>
        )}
        {listing !== null && (
          <>
            <strong className="ts-number">{counted(listing.tools.length, noun)}</strong>
            {listing.items.length > 0 && (
              <span className={classes.quiet}>{countItems(listing.items)}</span>
            )}
            <span className={classes.quiet}>
              listed <Time iso={listing.listedAt} />
              {listing.askedBy === 'evaluation' && ' by an evaluation'}
            </span>
          </>
        )}
      </p>
      <div className={classes.attention}>
        <Foreign text={sentence} limit={400} />
        {tab === 'signals' && <Link to={signalsOfServer(server)}>Review signals</Link>}
        {tab !== null && tab !== 'signals' && tab !== shownTab && (
          <Action
            label={`Open ${serverTabs.find(({ value }) => value === tab)?.label}`}
            small
            onClick={() => onTab(tab)}
          />
        )}
        {failedAt !== null && <Action label="Edit" small icon={IconPencil} onClick={onEdit} />}
      </div>
    </section>
  );
}
