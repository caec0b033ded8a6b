import { pageTokenKey } from '../../../src-shared/domain/connection.ts';
import { cookieName } from './guards.ts';
import type { Session } from './sessions.ts';

/**
 * Answers a sign-in link: sets the session's cookie and puts the page token into a page that is
 * shown once. Its script keeps the token and continues to the app. A page rather than a redirect,
 * because browsers may withhold a strict cookie on a redirect that began elsewhere.
 */
export function openPage(
  session: Session,
  port: number,
): { headers: Record<string, string>; body: string } {
  const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Touchstone</title>
    <script src="/open.js" data-token="${session.pageToken}"></script>
  </head>
  <body>Opening Touchstone…</body>
</html>
`;
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': `${cookieName(port)}=${session.cookie}; Path=/; HttpOnly; SameSite=Strict`,
    },
    body,
  };
}

/** A separate file, because the content policy forbids inline scripts. */
export const openScript = `'use strict';
sessionStorage.setItem('${pageTokenKey}', document.currentScript.dataset.token);
location.replace('/' + location.hash);
`;
