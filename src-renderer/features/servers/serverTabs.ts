import type { ServerDetail } from './serverDetail.ts';

/** The tabs of a server's page in their order, with their place in the address. */
export const serverTabs = [
  { value: 'tools', label: 'Tools' },
  { value: 'items', label: 'Prompts and resources' },
  { value: 'quality', label: 'Quality' },
  { value: 'similar', label: 'Similar tools' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'security', label: 'Security' },
  { value: 'cases', label: 'Cases' },
  { value: 'changes', label: 'Changes' },
  { value: 'connection', label: 'Connection' },
] as const;
export type ServerTab = (typeof serverTabs)[number]['value'];

/** Of a server without tools, the connection comes first if it needs something from a person. */
export function firstTab({ server, listing, variables, signIn }: ServerDetail): ServerTab {
  const needsPerson = server.status === 'failed' || variables.length > 0 || signIn !== null;
  return listing === null && needsPerson ? 'connection' : 'tools';
}

/** The tabs of one server: that of prompts and resources only if the server has to do with them. */
export function tabsOf({ listing }: ServerDetail, shown: ServerTab): (typeof serverTabs)[number][] {
  const hasItems = listing?.listing.items?.some(({ status }) => status !== 'not offered') === true;
  return serverTabs.filter(({ value }) => value !== 'items' || hasItems || shown === 'items');
}

/** The tab in the address, or null. */
export function readTab(value: string | null): ServerTab | null {
  return serverTabs.find((tab) => tab.value === value)?.value ?? null;
}
