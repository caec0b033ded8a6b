import { describe, expect, it } from 'vitest';
import {
  serverStatus,
  serverStatusInFull,
  storedToolsLine,
  unlistedReason,
} from './serverTexts.ts';

const server = (status: 'inactive' | 'active' | 'failed', changedTools = 0) => ({
  status,
  statusReason: status === 'failed' ? 'tools/list: no answer in 3 s.' : null,
  changedTools,
});

describe('serverStatus', () => {
  it('uses one word for each status', () => {
    expect(
      [server('inactive'), server('active'), server('active', 2), server('failed', 2)].map(
        serverStatus,
      ),
    ).toEqual(['Not checked yet', 'Reachable', 'Changed', 'Unreachable']);
  });

  it('adds the reason as a sentence, or the number of changed tools', () => {
    expect(serverStatusInFull(server('failed'))).toBe('Unreachable: No answer in 3 s.');
    expect(serverStatusInFull(server('active', 1))).toBe('Changed: 1 tool');
    expect(serverStatusInFull(server('active'))).toBe('Reachable');
    const toolsError = 'tools/list: the database is locked.';
    expect(serverStatusInFull({ ...server('active'), toolsError })).toBe(
      'Reachable. Its tools can’t be listed: The database is locked.',
    );
    expect(serverStatusInFull({ ...server('failed'), toolsError })).toBe(
      'Unreachable: No answer in 3 s.',
    );
  });
});

describe('unlistedReason', () => {
  it('says that a server was not checked only if it was not', () => {
    expect([server('inactive'), server('active'), server('failed')].map(unlistedReason)).toEqual([
      'It hasn’t been checked yet.',
      'It is reachable, but its tools haven’t been listed yet.',
      'It can’t be reached: No answer in 3 s.',
    ]);
  });
});

describe('storedToolsLine', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const down = (name: string, listedAt: string | null) => ({
    name,
    status: 'failed' as const,
    listedAt,
  });

  it('is one line for any number of unreachable servers', () => {
    expect(storedToolsLine([down('mail', '2026-05-03T10:00:00Z')], now)).toBe(
      'mail can’t be reached; showing its tools from May 3.',
    );
    expect(
      storedToolsLine(
        [down('mail', '2026-05-03T10:00:00Z'), down('files', '2026-05-03T11:00:00Z')],
        now,
      ),
    ).toBe('2 servers can’t be reached; showing their tools from May 3.');
    expect(
      storedToolsLine(
        [down('mail', '2026-05-03T10:00:00Z'), down('files', '2025-12-30T11:00:00Z')],
        now,
      ),
    ).toBe('2 servers can’t be reached; showing their tools from December 30, 2025 to May 3.');
  });

  it('tells servers that can’t list tools from those that can’t be reached', () => {
    const listless = {
      name: 'files',
      status: 'active' as const,
      toolsError: 'tools/list: no.',
      listedAt: '2026-05-03T11:00:00Z',
    };
    expect(storedToolsLine([listless], now)).toBe(
      'files can’t list tools; showing its tools from May 3.',
    );
    expect(storedToolsLine([listless, down('mail', '2026-05-03T10:00:00Z')], now)).toBe(
      '2 servers can’t be reached or list tools; showing their tools from May 3.',
    );
  });

  it('returns null if no server with tools is unreachable', () => {
    expect(
      storedToolsLine(
        [down('mail', null), { name: 'ok', status: 'active', listedAt: '2026-05-03T10:00:00Z' }],
        now,
      ),
    ).toBeNull();
  });
});
