import { Tooltip } from '@mantine/core';
import { createStore, useStore } from '../../state/createStore.ts';
import { exactTime, relativeTime } from '../../../src-shared/display/dates.ts';

/** One clock for all relative times of the window. It runs only while one of them is shown. */
const clock = createStore(Date.now(), () => {
  const tick = (): void => clock.set(Date.now());
  tick();
  const timer = setInterval(tick, 20_000);
  return () => {
    clearInterval(timer);
  };
});

interface TimeProps {
  /** ISO 8601; null shows a dash. */
  iso: string | null;
  /** False inside tables, whose only tab stop is the table. */
  focusable?: boolean;
}

/** A relative time, with the exact time on hover and focus. */
export function Time({ iso, focusable = true }: TimeProps) {
  const now = useStore(clock);
  const relative = iso === null ? null : relativeTime(iso, Math.max(now, Date.parse(iso)));
  const exact = iso === null ? null : exactTime(iso);
  if (iso === null || relative === null || exact === null) return <span aria-label="never">–</span>;
  return (
    <Tooltip label={exact}>
      <time dateTime={iso} {...(focusable ? { tabIndex: 0 } : {})} style={{ whiteSpace: 'nowrap' }}>
        {relative}
      </time>
    </Tooltip>
  );
}
