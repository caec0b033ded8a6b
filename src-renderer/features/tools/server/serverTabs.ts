import type { ServerDetail } from './serverDetail.ts';

/** The tabs of a server's page in their order, with their place in the address. */
export const serverTabs = [
  { value: 'tools', label: 'Tools' },
  { value: 'changes', label: 'Changes' },
  { value: 'connection', label: 'Connection' },
] as const;
export type ServerTab = (typeof serverTabs)[number]['value'];

/** Of a server without tools, the connection comes first if it needs something from a person. */
export function firstTab({ server, listing, variables, signIn }: ServerDetail): ServerTab {
  const needsPerson = server.status === 'failed' || variables.length > 0 || signIn !== null;
  return listing === null && needsPerson ? 'connection' : 'tools';
}

/** The tab in the address, or null. Prompts and resources had a tab of their own. */
export function readTab(value: string | null): ServerTab | null {
  if (value === 'items') return 'connection';
  return serverTabs.find((tab) => tab.value === value)?.value ?? null;
}

/** Where the tabs of earlier versions lead now, with the tools of the server chosen. */
const movedTabs: Readonly<Record<string, string>> = {
  quality: '/tools?quality&',
  similar: '/tools/similar?',
  tokens: '/tools/tokens?',
  security: '/tools/signals?',
  cases: '/tools?only=untested&',
};

/** Where an address of an earlier version leads now; null for a tab that there is. */
export function movedTab(server: string, tab: string | null): string | null {
  const path = tab === null ? undefined : movedTabs[tab];
  return path === undefined ? null : `${path}server=${encodeURIComponent(server)}`;
}

/** The signals of a server's tools, prompts, resources and instructions. */
export const signalsOfServer = (server: string): string => movedTab(server, 'security') ?? '';
