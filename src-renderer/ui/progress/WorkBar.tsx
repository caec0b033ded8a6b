import { Progress } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { formatCount, counted } from '../../../src-shared/display/numbers.ts';
import { percentDone, remainingTime, remainingWords, announcedStep } from './progressWords.ts';
import classes from './WorkBar.module.css';

interface WorkBarProps {
  /** What is being done; also the accessible name of the bar. */
  label: string;
  done: number;
  total: number;
  /** The start of the work that the remaining time is computed from; null before it starts. */
  pace: { done: number; total: number; since: string | null } | null;
  /** The noun of the counted items, in the singular. */
  unit: string;
  /** What happens before items can be counted. */
  stage?: string;
  children?: ReactNode;
}

/** Milliseconds since `since`, updated once a second. */
function useElapsed(since: string | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return since === null ? 0 : Math.max(0, now - Date.parse(since));
}

/** Progress of long work: a bar, counts, the remaining time, and an announcement every 20%. */
export function WorkBar({ label, done, total, pace, unit, stage, children }: WorkBarProps) {
  const elapsed = useElapsed(pace?.since ?? null);
  const percent = percentDone({ done, total });
  const remaining = remainingWords(pace === null ? null : remainingTime(pace, elapsed));
  const step = announcedStep({ done, total });
  return (
    <div className={classes.bar}>
      <Progress.Root className={classes.track ?? ''} size={8}>
        <Progress.Section
          value={percent ?? 0}
          aria-label={label}
          aria-valuetext={`${formatCount(done)} of ${counted(total, unit)}`}
        />
      </Progress.Root>
      <span>
        {formatCount(done)} of {counted(total, unit)}
        {percent !== null && ` · ${percent}%`}
      </span>
      <span className={classes.quiet}>{stage ?? remaining}</span>
      {children}
      <span className="ts-visually-hidden" role="status" aria-live="polite">
        {stage ?? `${label}: ${step}% done`}
      </span>
    </div>
  );
}
