import { newToken, sameToken } from '../../endpoint/tokens.ts';
import type { Clock } from '../../runtime/clock.ts';

/** How long a sign-in link is valid. */
export const linkLifetimeMs = 15 * 60 * 1000;
/** Signing in more often than this signs out the oldest window. */
const maxSessions = 32;

/** A signed-in window. */
export interface Session {
  /**
   * The value of the HttpOnly cookie. Browsers send it to every web server on this machine, so it
   * is not enough by itself.
   */
  cookie: string;
  /** Known to the page only. */
  pageToken: string;
}

/** The sign-in link, the sessions that it opened, and the token of commands. */
export interface Sessions {
  /** The token of commands: accepted in a header only, never in a cookie or URL. */
  readonly commandToken: string;
  /** Creates a new one-time token, which invalidates the previous one. */
  newLinkToken(): string;
  /** Opens a session for a one-time token. Null if it is wrong, used or expired. */
  redeem(linkToken: string): Session | null;
  hasCookie(cookie: string | null): boolean;
  /** True if cookie and page token belong to the same session. */
  hasBoth(cookie: string | null, pageToken: string | null): boolean;
  isCommand(token: string | null): boolean;
}

export function createSessions(clock: Clock): Sessions {
  const commandToken = newToken();
  let link: { token: string; expiresAt: number } | null = null;
  const open: Session[] = [];
  // Compares with every session, even after a match, so that the time reveals nothing.
  const hasMatch = (matches: (session: Session) => boolean) => open.filter(matches).length > 0;

  return {
    commandToken,
    newLinkToken() {
      link = { token: newToken(), expiresAt: clock.monotonic() + linkLifetimeMs };
      return link.token;
    },
    redeem(linkToken) {
      if (link === null || !sameToken(linkToken, link.token)) return null;
      const expired = clock.monotonic() > link.expiresAt;
      link = null;
      if (expired) return null;
      const session = { cookie: newToken(), pageToken: newToken() };
      open.push(session);
      if (open.length > maxSessions) open.shift();
      return session;
    },
    hasCookie: (cookie) =>
      cookie !== null && hasMatch((session) => sameToken(cookie, session.cookie)),
    hasBoth: (cookie, pageToken) =>
      cookie !== null &&
      pageToken !== null &&
      hasMatch((session) =>
        [sameToken(cookie, session.cookie), sameToken(pageToken, session.pageToken)].every(Boolean),
      ),
    isCommand: (token) => token !== null && sameToken(token, commandToken),
  };
}
