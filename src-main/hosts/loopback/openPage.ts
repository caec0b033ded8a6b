import { pageTokenKey } from '../../../src-shared/domain/connection.ts';
import { cookieName } from './guards.ts';
import type { Session } from './sessions.ts';

/**
 * The answer to a link: the session's cookie, and the page's own token in the one page that is
 * shown once. Its script keeps the token and moves on; a page of its own rather than a redirect,
 * since a strict cookie may be held back on a redirect that began elsewhere.
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

/** A file of its own: the policy allows no script inside a page. */
export const openScript = `'use strict';
sessionStorage.setItem('${pageTokenKey}', document.currentScript.dataset.token);
location.replace('/');
`;
