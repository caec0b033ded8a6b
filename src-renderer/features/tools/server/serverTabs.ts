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

/** The tab in the address, or null. */
export const readTab = (value: string | null): ServerTab | null =>
  serverTabs.find((tab) => tab.value === value)?.value ?? null;

/** The signals of a server's tools, prompts, resources and instructions. */
export const signalsOfServer = (server: string): string =>
  `/tools/signals?server=${encodeURIComponent(server)}`;
