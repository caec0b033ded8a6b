import { describe, expect, it } from 'vitest';
import { serverAttention } from './serverAttention.ts';
import type { ServerDetail } from './serverDetail.ts';
import { firstTab, readTab } from './serverTabs.ts';

const config = { transport: 'stdio' as const, command: 'a', args: [], cwd: null, env: {} };
const reachable: ServerDetail = {
  server: {
    id: 's',
    name: 'notes',
    url: 'a',
    config,
    status: 'active',
    statusReason: null,
    lastConnectedAt: '2026-05-03T10:00:00.000Z',
    checking: false,
    createdAt: '2026-05-01T10:00:00.000Z',
    updatedAt: '2026-05-01T10:00:00.000Z',
  },
  greeting: { instructions: null, protocolVersion: null, serverInfo: null },
  listing: { listing: { rejected: [] }, tools: [] } as unknown as ServerDetail['listing'],
  listChanges: null,
  variables: [],
  origin: null,
  signIn: null,
};
const dead: ServerDetail = {
  ...reachable,
  server: { ...reachable.server, status: 'failed', statusReason: 'connect: It ended.' },
};
const nothing = { changedTools: 0, toolsWithSignals: 0 };

describe('what a server needs first', () => {
  it('is nothing to review where it is reachable and reviewed', () => {
    expect(serverAttention(reachable, nothing)).toEqual({
      sentence: 'No changes to review and no open security signals.',
      tab: null,
    });
  });

  it('is why it can’t be reached, before everything that follows from it', () => {
    expect(serverAttention(dead, { changedTools: 2, toolsWithSignals: 1 })).toEqual({
      sentence: 'It ended.',
      tab: 'connection',
    });
  });

  it('is a missing value before the failure that it causes', () => {
    const variables = [{ reference: '${input:key}', resolved: false }];
    const unset = { ...dead, variables: variables as unknown as ServerDetail['variables'] };
    expect(serverAttention(unset, nothing)).toEqual({
      sentence: 'Set 1 value before it can start.',
      tab: 'connection',
    });
  });

  it('is a tool for which clients hide the server, before changes and signals', () => {
    const lost = {
      ...{ server: 'notes', tools: 2, because: 'bad', clients: ['Claude Code'] },
      ...{ why: 'it has no inputSchema.', fix: 'Give it one.' },
    };
    expect(serverAttention(reachable, { changedTools: 2, toolsWithSignals: 1, lost })).toEqual({
      sentence:
        'Claude Code shows none of the 2 tools of notes because of bad. There, it has no inputSchema. Give it one.',
      tab: 'tools',
    });
  });

  it('is a change before a signal, and a signal before what is rejected', () => {
    const rejecting = {
      ...reachable,
      listing: { listing: { rejected: [{}] }, tools: [] } as unknown as ServerDetail['listing'],
    };
    const tabs = [
      { changedTools: 1, toolsWithSignals: 1 },
      { changedTools: 0, toolsWithSignals: 1 },
      nothing,
    ].map((found) => serverAttention(rejecting, found).tab);
    expect(tabs).toEqual(['changes', 'signals', 'tools']);
  });
});

describe('the first tab', () => {
  it('is the connection of a server that was never listed and needs a person', () => {
    expect(firstTab({ ...dead, listing: null })).toBe('connection');
    expect(firstTab({ ...reachable, listing: null, signIn: 'none' })).toBe('connection');
  });

  it('is the tools of every other server', () => {
    expect(firstTab(dead)).toBe('tools');
    expect(firstTab({ ...reachable, listing: null })).toBe('tools');
  });

  it('is read from the address only if it exists', () => {
    expect(['changes', 'nothing', null].map(readTab)).toEqual(['changes', null, null]);
  });
});
