import type { ClientRequest } from 'node:http';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/**
 * Tells the host of every request that this process begins, whoever begins it and through whichever
 * of Node's two clients. What is noted where it happens can't be forgotten by a caller. Give back:
 * stops it.
 */
export function watchContacts(contacted: (host: string) => void): () => void {
  const fetched = (message: unknown): void => {
    const { origin } = (message as { request: { origin?: unknown } }).request;
    if (typeof origin === 'string' && URL.canParse(origin)) contacted(new URL(origin).host);
  };
  const requested = (message: unknown): void => {
    const host = (message as { request: ClientRequest }).request.getHeader('host');
    if (typeof host === 'string' && host !== '') contacted(host);
  };
  subscribe('undici:request:create', fetched);
  subscribe('http.client.request.start', requested);
  return () => {
    unsubscribe('undici:request:create', fetched);
    unsubscribe('http.client.request.start', requested);
  };
}
