import { Button } from '@mantine/core';
import { countItems } from '../../../src-shared/display/itemTexts.ts';
import { StatusBadge, type StatusTone } from '../../ui/badges/StatusBadge.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { counted } from '../../ui/text/words.ts';
import type { Attention } from './serverAttention.ts';
import type { ServerDetail } from './serverDetail.ts';
import type { ServerTab } from './serverTabs.ts';
import { serverTabs } from './serverTabs.ts';
import classes from './servers.module.css';

interface ServerHeadlineProps {
  /** What the server offers. */
  noun: string;
  state: { tone: StatusTone; label: string };
  listing: ServerDetail['listing'];
  attention: Attention;
  shownTab: ServerTab;
  onTab: (tab: ServerTab) => void;
}

/** Status, number of tools, and the one thing to do first. */
export function ServerHeadline({
  noun,
  state,
  listing,
  attention,
  shownTab,
  onTab,
}: ServerHeadlineProps) {
  const { sentence, tab } = attention;
  return (
    <section className={`ts-panel ${classes.headline ?? ''}`} aria-label="Status">
      <p className={classes.headlineFacts}>
        <StatusBadge {...state} />
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
        {tab !== null && tab !== shownTab && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              onTab(tab);
            }}
          >
            Open {serverTabs.find(({ value }) => value === tab)?.label}
          </Button>
        )}
      </div>
    </section>
  );
}
