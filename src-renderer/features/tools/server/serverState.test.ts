import { describe, expect, it } from 'vitest';
import { lastCheckAt } from './serverState.ts';

const [early, middle, late] = ['2026-05-01T10', '2026-05-02T10', '2026-05-03T10'] as const;

describe('lastCheckAt', () => {
  it('is the time of the failure for a server that can’t be reached', () => {
    const failed = { status: 'failed', updatedAt: late } as const;
    expect(lastCheckAt({ ...failed, lastConnectedAt: null }, null)).toBe(late);
    expect(lastCheckAt({ ...failed, lastConnectedAt: early }, middle)).toBe(late);
  });

  it('is the last answer of every other server, and never the time of an edit', () => {
    const active = { status: 'active', updatedAt: late, lastConnectedAt: early } as const;
    expect(lastCheckAt(active, middle)).toBe(middle);
    expect(lastCheckAt(active, null)).toBe(early);
  });

  it('is unknown for a server that was not checked, also if an evaluation listed its tools', () => {
    const inactive = { status: 'inactive', updatedAt: late, lastConnectedAt: null } as const;
    expect(lastCheckAt(inactive, null)).toBeNull();
    expect(lastCheckAt(inactive, middle)).toBeNull();
  });
});
