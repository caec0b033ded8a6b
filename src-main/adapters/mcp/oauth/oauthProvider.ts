import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** The stored state of a sign-in, all of it secret. */
export interface OAuthState {
  /** The address of the server that it is valid for. */
  serverUrl: string;
  client: StoredOAuthClientInformation | null;
  /** By issuer, if the authorization server names it. */
  clients: Record<string, StoredOAuthClientInformation>;
  tokens: StoredOAuthTokens | null;
  /** Milliseconds since 1970; null if the server does not report it. */
  expiresAt: number | null;
}

export interface OAuthStore {
  read(): Promise<OAuthState | null>;
  write(state: OAuthState): Promise<void>;
}

export interface ProviderParts {
  serverUrl: string;
  store: OAuthStore;
  now: () => number;
  /** Null if nobody can sign in; no sign-in is started then. */
  interactive: { redirectUrl: string; state: string; onRedirect: (url: URL) => void } | null;
}

/** A sign-in is needed, but nobody can be asked for one. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded';
}

/**
 * The SDK's provider on top of one stored state. The verifier of a sign-in in progress is kept in
 * memory only.
 */
export function createOAuthProvider({
  serverUrl,
  store,
  now,
  interactive,
}: ProviderParts): OAuthClientProvider {
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  const empty: OAuthState = { serverUrl, client: null, clients: {}, tokens: null, expiresAt: null };
  const read = async (): Promise<OAuthState> => {
    const state = await store.read();
    return state?.serverUrl === serverUrl ? state : empty;
  };
  const write = async (change: Partial<OAuthState>): Promise<void> =>
    store.write({ ...(await read()), ...change });
  const clientMetadata: OAuthClientMetadata = {
    client_name: 'Touchstone',
    redirect_uris: interactive === null ? [] : [interactive.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  return {
    get redirectUrl() {
      return interactive?.redirectUrl ?? 'http://127.0.0.1/callback';
    },
    get clientMetadata() {
      return clientMetadata;
    },
    ...(interactive === null ? {} : { state: () => interactive.state }),
    async clientInformation(context) {
      const { client, clients } = await read();
      return (context === undefined ? client : (clients[context.issuer] ?? client)) ?? undefined;
    },
    async saveClientInformation(information, context) {
      const { clients } = await read();
      await write({
        client: information,
        clients: context === undefined ? clients : { ...clients, [context.issuer]: information },
      });
    },
    tokens: async () => (await read()).tokens ?? undefined,
    saveTokens: (tokens) =>
      write({
        tokens,
        expiresAt: tokens.expires_in === undefined ? null : now() + tokens.expires_in * 1000,
      }),
    redirectToAuthorization(url) {
      if (interactive === null) throw new SignInNeeded("Sign in on the server's page.");
      interactive.onRedirect(url);
    },
    saveCodeVerifier(code) {
      verifier = code;
    },
    codeVerifier: () => verifier,
    // The code is sent to the authorization server that was asked for it, whatever the server names
    // by then.
    saveDiscoveryState(state) {
      discovered = state;
    },
    discoveryState: () => discovered,
    async invalidateCredentials(scope) {
      if (scope === 'discovery' || scope === 'all') discovered = undefined;
      if (scope === 'verifier' || scope === 'discovery') return;
      await write(
        scope === 'tokens'
          ? { tokens: null, expiresAt: null }
          : scope === 'client'
            ? { client: null, clients: {} }
            : { ...empty },
      );
    },
  };
}
