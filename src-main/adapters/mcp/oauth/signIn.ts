import { auth } from '@modelcontextprotocol/client';
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onAbort, signalWithTimeout } from '../../../runtime/deadline.ts';
import { createCappedFetch } from '../cappedFetch.ts';
import { McpFault } from '../mcpFault.ts';
import { shorten } from '../troubles.ts';
import { hostOf, reachOf, refusalOfUrl, type AddressRules } from '../../http/addressPolicy.ts';
import type { ServerAccess } from '../httpTransports.ts';
import { createOAuthProvider, SignInNeeded, type OAuthStore } from './oauthProvider.ts';
import { allowsFrom, reachOfHost, type Resolve } from '../../http/checkedLookup.ts';

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

const answerBytes = 1024 * 1024;
const requestMs = 10_000;

/** A fetch that checks every address before it is requested, redirects included. */
function createGuardedFetch(rules: AddressRules, { signal, access, redact }: SignInParts): Fetch {
  const fetch = createCappedFetch({
    messageBytes: answerBytes,
    kind: 'sign-in',
    addresses: () => rules,
    resolve: access.resolve,
    onFault: () => undefined,
  });
  return async (input, init) => {
    const refused = refuseAddress(input, rules, redact);
    if (refused !== null)
      throw new McpFault(
        `the sign-in was stopped: ${refused}.`,
        "Contact the operator of the server: its sign-in uses an address that isn't allowed.",
      );
    return fetch(input, {
      ...init,
      signal: AbortSignal.any([
        signalWithTimeout(signal, requestMs),
        ...(init?.signal ? [init.signal] : []),
      ]),
    });
  };
}

export interface SignInParts {
  serverUrl: string;
  store: OAuthStore;
  now: () => number;
  signal: AbortSignal;
  access: ServerAccess;
  /** Takes secrets out of messages; a host whose name holds one is not asked. */
  redact?: ((text: string) => string) | undefined;
}

export interface SignInUnderWay {
  url: string;
  /** Resolves when the tokens are stored, or rejects with the reason why not. */
  done: Promise<void>;
}

/**
 * Finds the authorization server, registers there, and waits on this machine for the redirect. The
 * signal ends it at any time.
 */
export async function beginSignIn(parts: SignInParts): Promise<SignInUnderWay> {
  const { serverUrl, store, now, signal, access, redact } = parts;
  signal.throwIfAborted();
  const state = randomBytes(24).toString('base64url');
  const callback = Promise.withResolvers<{ code: string; iss: string | undefined }>();
  callback.promise.catch(() => undefined);
  const listener = await listen(state, callback, redact);
  const close = (): void => {
    listener.close();
    listener.closeAllConnections();
  };
  const stopListening = onAbort(signal, () => callback.reject(signal.reason as Error));
  const end = (): void => {
    stopListening();
    close();
  };
  try {
    const found = Promise.withResolvers<URL>();
    const redirectUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
    const provider = createOAuthProvider({
      serverUrl,
      store,
      now,
      interactive: { redirectUrl, state, onRedirect: (url) => found.resolve(url) },
    });
    const rules = await signInRules(new URL(serverUrl), access.allowedHosts(), access.resolve);
    const fetchFn = createGuardedFetch(rules, parts);
    // A client that was registered earlier has the port of that time.
    await provider.invalidateCredentials?.('all');
    const result = await auth(provider, { serverUrl, fetchFn, forceReauthorization: true });
    if (result !== 'REDIRECT')
      throw new McpFault(
        "the server didn't ask for a sign-in.",
        'Check the address of the server.',
      );
    const url = await found.promise;
    const refused = refuseAddress(url, rules, redact);
    if (refused !== null)
      throw new McpFault(
        `the sign-in was stopped: ${refused}.`,
        "Contact the operator of the server: its sign-in uses an address that isn't allowed.",
      );
    const done = (async () => {
      try {
        const { code, iss } = await callback.promise;
        await auth(provider, {
          serverUrl,
          fetchFn,
          authorizationCode: code,
          ...(iss === undefined ? {} : { iss }),
        });
      } finally {
        end();
      }
    })();
    done.catch(() => undefined);
    return { url: url.href, done };
  } catch (error) {
    end();
    throw error;
  }
}

/** The token for a request, refreshed if it is about to expire; null if nobody has signed in. */
export async function accessToken(parts: SignInParts): Promise<string | null> {
  const { serverUrl, store, now, access } = parts;
  const state = await store.read();
  if (state?.tokens == null || state.serverUrl !== serverUrl) return null;
  if (
    state.expiresAt === null ||
    state.expiresAt - now() > 30_000 ||
    state.tokens.refresh_token === undefined
  )
    return state.tokens.access_token;
  const provider = createOAuthProvider({ serverUrl, store, now, interactive: null });
  try {
    const rules = await signInRules(new URL(serverUrl), access.allowedHosts(), access.resolve);
    await auth(provider, { serverUrl, fetchFn: createGuardedFetch(rules, parts) });
  } catch (error) {
    if (error instanceof SignInNeeded) return null;
    throw error;
  }
  return (await store.read())?.tokens?.access_token ?? null;
}

/** Listens on this machine for the one redirect that has our state. */
async function listen(
  state: string,
  callback: PromiseWithResolvers<{ code: string; iss: string | undefined }>,
  redact: SignInParts['redact'],
): Promise<Server> {
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
    const answer = (status: number, text: string): void => {
      response
        .writeHead(status, {
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          connection: 'close',
        })
        .end(`${text}\n`);
    };
    if (url?.pathname !== '/callback' || request.method !== 'GET')
      return answer(404, 'Nothing to see here.');
    if (url.searchParams.get('state') !== state)
      return answer(400, "This answer doesn't belong to a sign-in in progress.");
    const code = url.searchParams.get('code');
    if (code === null) {
      const said = shorten(
        url.searchParams.get('error_description') ?? url.searchParams.get('error') ?? 'no reason',
        { redact },
      );
      callback.reject(new McpFault(`the sign-in was refused: ${said}.`, 'Sign in again.'));
      return answer(200, 'The sign-in was refused. You can close this tab.');
    }
    callback.resolve({ code, iss: url.searchParams.get('iss') ?? undefined });
    answer(200, 'You are signed in. You can close this tab and go back to Touchstone.');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

/** The rules for addresses that a server names in its sign-in. */
export async function signInRules(
  server: URL,
  allowedHosts: readonly string[],
  resolve?: Resolve,
): Promise<AddressRules> {
  return { allows: allowsFrom(await reachOfHost(hostOf(server), resolve)), allowedHosts };
}

/**
 * Why an address that a server names in its sign-in is refused, or null. It must be https (http
 * only on this machine), contain no credentials, have no secret in the name of its host, and not be
 * closer to this machine than the server itself. Where a name leads is checked when it is connected to.
 */
export function refuseAddress(
  address: string | URL,
  rules: AddressRules,
  redact: (text: string) => string = (text) => text,
): string | null {
  const url = URL.parse(String(address));
  if (url === null) return `${redact(String(address)).slice(0, 200)} isn't an address`;
  const shown = redact(`${url.origin}${url.pathname}`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `${redact(String(address)).slice(0, 200)} isn't an HTTPS address`;
  if (url.username !== '' || url.password !== '') return `${shown} contains credentials`;
  // Looking such a name up would tell the secret to every name server on the way.
  if (redact(url.hostname) !== url.hostname)
    return `${redact(url.host)} is a host whose name contains a secret`;
  const host = hostOf(url);
  const isHere = isLocalName(host) || reachOf(host) === 'loopback';
  if (url.protocol === 'http:' && !isHere) return `${shown} is not encrypted`;
  const refused = isHere ? !rules.allows.includes('loopback') : refusalOfUrl(url, rules) !== null;
  return refused && !rules.allowedHosts.includes(host)
    ? `${shown} leads to an address that only this computer or its network can reach`
    : null;
}

/** Names that mean this machine everywhere, so that a browser needs no lookup. */
const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');
