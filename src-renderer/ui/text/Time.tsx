import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { exactTime, relativeTime } from './relativeTime.ts';

/** One clock for all relative times of the window; it ticks only while somebody shows one. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, 20_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  };
}

interface TimeProps {
  /** ISO 8601; null shows a dash. */
  iso: string | null;
  /** False inside tables, whose only tab stop is the table. */
  focusable?: boolean;
}

/** A relative time, the exact one on hover and focus. */
export function Time({ iso, focusable = true }: TimeProps) {
  const clock = useSyncExternalStore(subscribe, () => now);
  const relative = iso === null ? null : relativeTime(iso, Math.max(clock, Date.parse(iso)));
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
