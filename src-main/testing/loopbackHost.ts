import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pageTokenHeader, socketProtocol, socketTokenPrefix } from '../../src-shared/domain/connection.ts';
import type { Route } from '../hosts/loopback/routes.ts';
import { startLoopback, type LoopbackHost, type LoopbackOptions } from '../hosts/loopback/startLoopback.ts';
import { recordServices, type RecordedServices } from './contractSuiteServices.ts';
import { signIn, type SignedInPage } from './loopbackPage.ts';
import type { Header, RawRequest } from './rawHttp.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export interface TestHost extends AsyncDisposable {
  host: LoopbackHost;
  port: number;
  /** A window that is signed in. */
  page: SignedInPage;
  recorded: RecordedServices;
  /** Every line of the log, of either kind. */
  logged: string[];
}

/** A loopback window on a free port with two small files, over services that answer `settings.undo` and note every call. */
export async function openTestHost(options: Partial<LoopbackOptions> = {}): Promise<TestHost> {
  const folder = await temporaryFolder();
  await mkdir(join(folder.path, 'assets'));
  await writeFile(join(folder.path, 'index.html'), '<!doctype html><title>the page</title>');
  await writeFile(join(folder.path, 'assets', 'app.js'), 'the script');
  const recorded = recordServices({ settings: { undo: async ({ token }) => ({ what: token }) } });
  const logged: string[] = [];
  const log = { info: (line: string) => void logged.push(line), error: (line: string) => void logged.push(line) };
  const host = await startLoopback({ services: recorded.services, rendererFolder: folder.path, port: 0, log, ...options });
  const page = await signIn(host);
  logged.splice(0);
  return {
    host,
    port: host.endpoint.port,
    page,
    recorded,
    logged,
    async [Symbol.asyncDispose]() {
      await host.close();
      await folder.remove();
    },
  };
}

/** What a window brings with each request of a route. */
export interface Credentials {
  cookie?: string;
  pageToken?: string;
  bearer?: string;
  linkToken?: string;
}

/** A request that the route would take if host, origin and credentials were right: they alone decide. */
export function requestFor(route: Route, { cookie, pageToken, bearer, linkToken }: Credentials, around: readonly Header[]): RawRequest {
  const paths: Partial<Record<Route['name'], string>> = { call: '/api/call/settings/undo', file: '/assets/app.js' };
  const path = paths[route.name] ?? route.path.replace('*', 'x');
  const headers: Header[] = [...around];
  if (cookie !== undefined) headers.push(['Cookie', cookie]);
  if (bearer !== undefined) headers.push(['Authorization', `Bearer ${bearer}`]);
  if (pageToken !== undefined && !route.upgrade) headers.push([pageTokenHeader, pageToken]);
  if (route.upgrade) {
    const offered = [socketProtocol, ...(pageToken === undefined ? [] : [socketTokenPrefix + pageToken])].join(', ');
    headers.push(['Connection', 'Upgrade'], ['Upgrade', 'websocket'], ['Sec-WebSocket-Version', '13'], ['Sec-WebSocket-Key', 'MDEyMzQ1Njc4OWFiY2RlZg=='], ['Sec-WebSocket-Protocol', offered]);
  } else if (route.method === 'POST') {
    headers.push(['Content-Type', 'application/json']);
  }
  const target = linkToken === undefined ? path : `${path}?token=${linkToken}`;
  return { method: route.method, target, headers, ...(route.method === 'POST' ? { body: '{"token":"x"}' } : {}) };
}

/** The token of the link that a host printed. */
export function linkTokenOf(url: string): string {
  return new URL(url).searchParams.get('token') ?? '';
}
