import { describe, expect, it } from 'vitest';
import { exactTime, neutralTime, relativeTime } from './dates.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

describe('relativeTime', () => {
  it.each([
    [0, 'just now'],
    [44, 'just now'],
    [-20, 'just now'],
    [50, '1 minute ago'],
    [180, '3 minutes ago'],
    [3600, '1 hour ago'],
    [86_400, 'yesterday'],
    [3 * 86_400, '3 days ago'],
    [40 * 86_400, 'last month'],
    [400 * 86_400, 'last year'],
  ])('shows %d seconds ago as “%s”', (seconds, expected) => {
    expect(relativeTime(ago(seconds), now)).toBe(expected);
  });

  it('returns null for an invalid timestamp', () => {
    expect(relativeTime('not a time', now)).toBeNull();
    expect(exactTime('')).toBeNull();
  });

  it('shows the exact time with seconds', () => {
    expect(exactTime('2026-11-21T04:37:39Z', 'UTC')).toBe('Nov 21, 2026, 4:37:39 AM');
  });
});

describe('neutralTime', () => {
  it('names the day, the time and the zone, whatever the zone of the machine is', () => {
    expect(neutralTime('2026-11-22T14:05:09.123Z')).toBe('Nov 22, 2026, 14:05 UTC');
    expect(neutralTime('2026-11-22T14:05:09+02:00')).toBe('Nov 22, 2026, 12:05 UTC');
    expect(neutralTime('2026-01-02T00:00:00Z')).toBe('Jan 2, 2026, 00:00 UTC');
  });

  it('is a dash without a time', () => {
    expect(neutralTime(null)).toBe('–');
    expect(neutralTime('soon')).toBe('–');
  });
});
