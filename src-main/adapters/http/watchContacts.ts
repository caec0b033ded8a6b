import type { ClientRequest } from 'node:http';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/**
 * Reports the host of every request that this process starts, through either of Node's two clients.
 * Observing the clients themselves means that no caller can forget to report. Returns the function
 * that stops it.
 */
export function watchContacts(onContact: (host: string) => void): () => void {
  const onFetch = (message: unknown): void => {
    const { origin } = (message as { request: { origin?: unknown } }).request;
    if (typeof origin === 'string' && URL.canParse(origin)) onContact(new URL(origin).host);
  };
  const onRequest = (message: unknown): void => {
    const host = (message as { request: ClientRequest }).request.getHeader('host');
    if (typeof host === 'string' && host !== '') onContact(host);
  };
  subscribe('undici:request:create', onFetch);
  subscribe('http.client.request.start', onRequest);
  return () => {
    unsubscribe('undici:request:create', onFetch);
    unsubscribe('http.client.request.start', onRequest);
  };
}
