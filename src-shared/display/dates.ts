import { onFirstUse } from '../domain/onFirstUse.ts';
import { NOT_DEFINED } from './numbers.ts';

/** How times read for people: relative, or as `Nov 21, 2026` in the reader's time zone. */

const steps: [limit: number, unit: Intl.RelativeTimeFormatUnit, size: number][] = [
  [45 * 60, 'minute', 60],
  [22 * 3600, 'hour', 3600],
  [26 * 86_400, 'day', 86_400],
  [320 * 86_400, 'month', 30.44 * 86_400],
];
const locale = 'en-US';
const words = onFirstUse(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

/**
 * “just now”, “3 minutes ago”, “yesterday”; null for an invalid time. Up to 45 s in the past or
 * future count as now.
 */
export function relativeTime(iso: string, now: number): string | null {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return null;
  const seconds = (at - now) / 1000;
  if (Math.abs(seconds) < 45) return 'just now';
  for (const [limit, unit, size] of steps) {
    if (Math.abs(seconds) < limit) return words().format(awayFromZero(seconds / size), unit);
  }
  return words().format(awayFromZero(seconds / (365.25 * 86_400)), 'year');
}

function awayFromZero(value: number): number {
  return Math.sign(value) * Math.max(1, Math.round(Math.abs(value)));
}

function format(iso: string, options: Intl.DateTimeFormatOptions): string | null {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return null;
  // Newer versions of ICU put a narrow no-break space before AM and PM; terminals may not show it.
  return new Intl.DateTimeFormat(locale, options).format(at).replaceAll('\u202F', ' ');
}

/** “Nov 21, 2026, 4:37:39 AM” in the reader's time zone; null for an invalid time. */
export function exactTime(iso: string, timeZone?: string): string | null {
  return format(iso, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
}

/** “Nov 21, 2026, 4:37 AM” in the reader's time zone; null for an invalid time. */
export function timeToTheMinute(iso: string, timeZone?: string): string | null {
  return format(iso, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
}

/**
 * “Nov 21, 2026, 04:37 UTC”: the same for everyone, wherever they are, for files that are passed on.
 * `–` if there is no time, or it is invalid.
 */
export function neutralTime(iso: string | null): string {
  const text = format(iso ?? '', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  return text === null ? NOT_DEFINED : `${text} UTC`;
}

/** “May 3” (UTC), with the year unless it is the current one. */
export function dayText(iso: string, now: Date): string {
  const sameYear = new Date(iso).getUTCFullYear() === now.getUTCFullYear();
  const year = sameYear ? {} : ({ year: 'numeric' } as const);
  return format(iso, { month: 'long', day: 'numeric', ...year, timeZone: 'UTC' }) ?? '';
}
