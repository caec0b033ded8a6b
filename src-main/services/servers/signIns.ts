import { orElse } from '../../../src-shared/domain/orElse.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Server } from '../../../src-shared/domain/server.ts';
import type { OAuthState, OAuthStore } from '../../adapters/mcp/oauth/oauthProvider.ts';
import type { ServerAccess } from '../../adapters/mcp/httpTransports.ts';
import { McpFault } from '../../adapters/mcp/mcpFault.ts';
import type { SecretGuard } from '../../adapters/secrets/secretGuard.ts';
import type { SecretVault } from '../../adapters/secrets/secretVault.ts';

const loadSignIn = () => import('../../adapters/mcp/oauth/signIn.ts');

/** How long a user may take in the browser. */
const maxSignInMs = 10 * 60_000;

export type SignInState = 'none' | 'waiting' | 'signed in';

const vaultName = (serverId: string): string => `oauth/${serverId}`;

function createOAuthStore(vault: Pick<SecretVault, 'get' | 'set'>, serverId: string): OAuthStore {
  return {
    async read() {
      const text = await vault.get(vaultName(serverId));
      if (text === null) return null;
      return orElse(() => JSON.parse(text) as OAuthState, null);
    },
    async write(state) {
      await vault.set(vaultName(serverId), JSON.stringify(state));
    },
  };
}

/** OAuth sign-ins with remote servers. Tokens are kept in the vault like every other secret. */
export class SignIns {
  readonly #vault: SecretVault;
  readonly #access: ServerAccess;
  readonly #redact: SecretGuard['redact'] | undefined;
  readonly #waiting = new Map<string, AbortController>();

  constructor(vault: SecretVault, access: ServerAccess, redact?: SecretGuard['redact']) {
    this.#vault = vault;
    this.#access = access;
    this.#redact = redact;
  }

  async stateOf(server: Pick<Server, 'id' | 'config'>): Promise<SignInState | null> {
    if (!('url' in server.config)) return null;
    if (this.#waiting.has(server.id)) return 'waiting';
    const state = await createOAuthStore(this.#vault, server.id).read();
    return state?.tokens != null && state.serverUrl === server.config.url ? 'signed in' : 'none';
  }

  /**
   * Starts a sign-in and returns the address to open. Calls `onDone` when the browser comes back,
   * with the error if it failed.
   */
  async begin(
    server: Pick<Server, 'id' | 'name' | 'config'>,
    onDone: (error: unknown) => void,
  ): Promise<{ url: string }> {
    const { config } = server;
    if (!('url' in config))
      throw new ServiceError('INVALID', {
        thing: `Server ${server.name}`,
        cause: 'It runs on this computer and needs no sign-in.',
        nextStep: 'Set its key as an environment variable.',
      });
    this.#waiting.get(server.id)?.abort(new Error('Another sign-in was started.'));
    const abort = new AbortController();
    this.#waiting.set(server.id, abort);
    const forget = (): void => {
      if (this.#waiting.get(server.id) === abort) this.#waiting.delete(server.id);
    };
    const timer = setTimeout(
      () => abort.abort(new McpFault('nobody signed in within 10 minutes.', 'Sign in again.')),
      maxSignInMs,
    );
    try {
      const { beginSignIn } = await loadSignIn();
      const { url, done } = await beginSignIn({
        serverUrl: config.url,
        store: createOAuthStore(this.#vault, server.id),
        now: Date.now,
        signal: abort.signal,
        access: this.#access,
        redact: this.#redact,
      });
      void done
        .then(
          () => null,
          (error: unknown) => error,
        )
        .then((error) => {
          clearTimeout(timer);
          forget();
          if (!(
            abort.signal.aborted &&
            error === abort.signal.reason &&
            !(error instanceof McpFault)
          ))
            onDone(error);
        });
      return { url };
    } catch (error) {
      clearTimeout(timer);
      forget();
      throw signInError(server.name, error);
    }
  }

  async end(serverId: string): Promise<void> {
    this.#waiting.get(serverId)?.abort(new Error('The sign-in was canceled.'));
    this.#waiting.delete(serverId);
    await this.#vault.remove(vaultName(serverId));
  }

  close(): void {
    for (const abort of this.#waiting.values()) abort.abort(new Error('Touchstone is closing.'));
    this.#waiting.clear();
  }
}

/** Makes the function that gives every connection its server's token, refreshed if needed. */
export function createGetToken(
  vault: Pick<SecretVault, 'get' | 'set'>,
  access: ServerAccess,
  redact?: SecretGuard['redact'],
): (serverId: string, url: string, signal: AbortSignal) => Promise<string | null> {
  return async (serverId, serverUrl, signal) => {
    try {
      const store = createOAuthStore(vault, serverId);
      // Most servers need no sign-in, so the OAuth code is loaded only on demand.
      if ((await store.read()) === null) return null;
      const { accessToken } = await loadSignIn();
      return await accessToken({ serverUrl, store, now: Date.now, signal, access, redact });
    } catch (error) {
      signal.throwIfAborted();
      throw signInError(new URL(serverUrl).host, error);
    }
  };
}

export function signInError(name: string, error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const fault = error instanceof McpFault ? error : null;
  return new ServiceError('TROUBLE', {
    thing: `Server ${name}`,
    cause: fault?.message ?? `the sign-in failed: ${errorText(error)}`,
    nextStep:
      fault?.nextStep ??
      'Check that the server asks for a sign-in, or put its token into a header.',
  });
}
