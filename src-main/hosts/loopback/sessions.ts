import { newToken, sameToken } from '../../endpoint/tokens.ts';
import type { Clock } from '../../runtime/clock.ts';

/** How long a sign-in link is valid. */
export const linkLifetimeMs = 15 * 60 * 1000;
/** How long another tab has to use the invitation that it asked for. */
export const invitationLifetimeMs = 10_000;
const maxInvitations = 32;
/** Signing in more often than this signs out the oldest window. */
const maxSessions = 32;

/** A signed-in tab. The tabs of a browser share its cookie. */
export interface Session {
  /**
   * The value of the HttpOnly cookie. Browsers send it to every web server on this machine, so it
   * is not enough by itself.
   */
  cookie: string;
  /** Known to the page only. */
  pageToken: string;
}

interface OneTimeToken {
  token: string;
  expiresAt: number;
}

/** The sign-in link, the sessions that it opened, and the token of commands. */
export function createSessions(clock: Clock) {
  const commandToken = newToken();
  let link: OneTimeToken | null = null;
  const invitations: (OneTimeToken & { cookie: string })[] = [];
  const sessions: Session[] = [];
  const issue = (lifetimeMs: number): OneTimeToken => ({
    token: newToken(),
    expiresAt: clock.monotonic() + lifetimeMs,
  });
  const isExpired = ({ expiresAt }: OneTimeToken) => clock.monotonic() > expiresAt;
  // Each search compares with every session, even after a match, so that the time reveals nothing.
  const hasCookie = (cookie: string | null): cookie is string =>
    cookie !== null && sessions.filter((session) => sameToken(cookie, session.cookie)).length > 0;
  const open = (cookie: string): Session => {
    const session = { cookie, pageToken: newToken() };
    sessions.push(session);
    if (sessions.length > maxSessions) sessions.shift();
    return session;
  };

  return {
    /** The token of commands: accepted in a header only, never in a cookie or URL. */
    commandToken,
    hasCookie,
    /** Creates a new one-time token, which invalidates the previous one. */
    newLinkToken(): string {
      link = issue(linkLifetimeMs);
      return link.token;
    },
    /**
     * Opens a session for a one-time token, with the browser's cookie if that is a valid one: a new
     * cookie would sign out its other tabs. Null if the token is wrong, used or expired.
     */
    redeem(linkToken: string, cookie: string | null): Session | null {
      if (link === null || !sameToken(linkToken, link.token)) return null;
      const used = link;
      link = null;
      return isExpired(used) ? null : open(hasCookie(cookie) ? cookie : newToken());
    },
    /** A one-time token with which another tab that has the cookie of this session signs in. */
    invite({ cookie }: Session): string {
      const invitation = { ...issue(invitationLifetimeMs), cookie };
      invitations.push(invitation);
      if (invitations.length > maxInvitations) invitations.shift();
      return invitation.token;
    },
    /** Opens a session for an invitation. Null if it is wrong, used, expired or of another browser. */
    join(invitation: string, cookie: string | null): Session | null {
      const [used] = invitations.filter(({ token }) => sameToken(invitation, token));
      if (used === undefined) return null;
      invitations.splice(invitations.indexOf(used), 1);
      return isExpired(used) || !hasCookie(cookie) || !sameToken(cookie, used.cookie)
        ? null
        : open(cookie);
    },
    /** The session that both cookie and page token belong to. */
    find(cookie: string | null, pageToken: string | null): Session | null {
      if (cookie === null || pageToken === null) return null;
      const [found] = sessions.filter((session) =>
        [sameToken(cookie, session.cookie), sameToken(pageToken, session.pageToken)].every(Boolean),
      );
      return found ?? null;
    },
    isCommand: (token: string | null): boolean => token !== null && sameToken(token, commandToken),
  };
}
export type Sessions = ReturnType<typeof createSessions>;
