const steps: [limit: number, unit: Intl.RelativeTimeFormatUnit, size: number][] = [
  [45 * 60, 'minute', 60],
  [22 * 3600, 'hour', 3600],
  [26 * 86_400, 'day', 86_400],
  [320 * 86_400, 'month', 30.44 * 86_400],
];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

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
    if (Math.abs(seconds) < limit) return words.format(awayFromZero(seconds / size), unit);
  }
  return words.format(awayFromZero(seconds / (365.25 * 86_400)), 'year');
}

function awayFromZero(value: number): number {
  return Math.sign(value) * Math.max(1, Math.round(Math.abs(value)));
}

/** “21 Nov 2026, 04:37:39” in the reader's time zone; null for an invalid time. */
export function exactTime(iso: string, timeZone?: string): string | null {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return null;
  return new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(at);
}
