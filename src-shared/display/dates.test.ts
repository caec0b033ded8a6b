import { describe, expect, it } from 'vitest';
import { exactTime, relativeTime } from './dates.ts';

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
