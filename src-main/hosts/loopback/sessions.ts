import { newToken, sameToken } from '../../endpoint/tokens.ts';
import type { Clock } from '../../runtime/clock.ts';

export const linkLifetimeMs = 15 * 60 * 1000;
/** A link opened more often than this has the oldest window signed out. */
const sessionLimit = 32;

export interface Session {
  /**
   * Goes into the HttpOnly cookie. Every web server on this machine's address receives it, so it is
   * not enough by itself.
   */
  cookie: string;
  /** Held by the page alone. */
  pageToken: string;
}

export interface Sessions {
  /** The token of the command line: in a header only, never in a cookie or a URL. */
  readonly commandToken: string;
  /** A new one-time token. The one before it, used or not, is no longer good. */
  newLinkToken(): string;
  /**
   * Opens a session for the token, once and within its time; null where it is wrong, used or too
   * old.
   */
  redeem(linkToken: string): Session | null;
  hasCookie(cookie: string | null): boolean;
  /** Cookie and page token must be of the same session. */
  hasBoth(cookie: string | null, pageToken: string | null): boolean;
  isCommand(token: string | null): boolean;
}

export function createSessions(clock: Clock): Sessions {
  const commandToken = newToken();
  let link: { token: string; goodUntil: number } | null = null;
  const open: Session[] = [];
  // Every session is compared, found or not: the time taken tells nothing.
  const find = (matches: (session: Session) => boolean) => open.filter(matches).length > 0;

  return {
    commandToken,
    newLinkToken() {
      link = { token: newToken(), goodUntil: clock.monotonic() + linkLifetimeMs };
      return link.token;
    },
    redeem(linkToken) {
      if (link === null || !sameToken(linkToken, link.token)) return null;
      const late = clock.monotonic() > link.goodUntil;
      link = null;
      if (late) return null;
      const session = { cookie: newToken(), pageToken: newToken() };
      open.push(session);
      if (open.length > sessionLimit) open.shift();
      return session;
    },
    hasCookie: (cookie) => cookie !== null && find((session) => sameToken(cookie, session.cookie)),
    hasBoth: (cookie, pageToken) =>
      cookie !== null &&
      pageToken !== null &&
      find((session) =>
        [sameToken(cookie, session.cookie), sameToken(pageToken, session.pageToken)].every(Boolean),
      ),
    isCommand: (token) => token !== null && sameToken(token, commandToken),
  };
}
