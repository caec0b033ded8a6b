import type { IncomingMessage, ServerResponse } from 'node:http';
import { maxFrameLength, pageTokenKey } from '../../../src-shared/domain/connection.ts';
import { largeInputCalls, maxCallLength } from '../../rpc/frames.ts';
import type { RpcServer } from '../../rpc/peers.ts';
import { answerEarly, readBody } from '../../runtime/requestBody.ts';
import { pageHeaders, readRendererFile } from '../rendererFiles.ts';
import { type GuardedRequest, cookieName } from './guards.ts';
import type { Route } from './routes.ts';
import type { Session } from './sessions.ts';

/**
 * Answers a sign-in link: sets the session's cookie and puts the page token into a page that is
 * shown once. Its script keeps the token and continues to the app. A page rather than a redirect,
 * because browsers may withhold a strict cookie on a redirect that began elsewhere.
 */
function openPage(
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
const openScript = `'use strict';
sessionStorage.setItem('${pageTokenKey}', document.currentScript.dataset.token);
location.replace('/' + location.hash);
`;

const textType = 'text/plain; charset=utf-8';
const jsonType = 'application/json; charset=utf-8';

export interface AnswerOptions {
  rpc: RpcServer;
  rendererFolder: string;
  port: number;
  newUrl: () => string;
  invite: (session: Session) => string;
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string | Buffer,
): void {
  response
    .writeHead(status, { ...pageHeaders, ...headers, 'content-length': Buffer.byteLength(body) })
    .end(body);
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, status, { 'content-type': textType }, `${text}\n`);
}

/** Refuses a request whatever its body is, and closes its connection. */
export function refuseEarly(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
): Promise<void> {
  return answerEarly(request, response, {
    status,
    headers: { ...pageHeaders, 'content-type': textType },
    body: `${text}\n`,
  });
}

/** Answers the routes by which tabs sign in; false for all others. */
export function answerSignIn(
  route: Route,
  session: Session | null,
  response: ServerResponse,
  { port, invite }: Pick<AnswerOptions, 'port' | 'invite'>,
): boolean {
  switch (route.name) {
    case 'open': {
      if (session === null) throw new Error('The link guard opens a session.');
      const page = openPage(session, port);
      send(response, 200, page.headers, page.body);
      return true;
    }
    case 'openScript':
      send(response, 200, { 'content-type': 'text/javascript; charset=utf-8' }, openScript);
      return true;
    case 'invite':
      if (session === null) sendText(response, 403, 'Only a tab can invite another one.');
      else sendJson(response, 200, { invitation: invite(session) });
      return true;
    case 'join':
      sendJson(response, 200, { pageToken: session?.pageToken });
      return true;
    default:
      return false;
  }
}

export async function answer(
  route: Route,
  { request, path }: GuardedRequest,
  session: Session | null,
  response: ServerResponse,
  options: AnswerOptions,
): Promise<void> {
  if (answerSignIn(route, session, response, options)) return;
  const { rpc, rendererFolder, newUrl } = options;
  switch (route.name) {
    case 'session':
      sendJson(response, 200, { ok: true });
      return;
    case 'link':
      sendJson(response, 200, { url: newUrl() });
      return;
    case 'call':
      await answerCall(path.slice(route.path.length - 1), request, response, rpc);
      return;
    case 'file': {
      const file = await readRendererFile(rendererFolder, path);
      if (file.status === 200) send(response, 200, file.headers, file.body);
      else
        sendText(
          response,
          file.status,
          file.status === 400 ? 'Bad request.' : "The file doesn't exist.",
        );
      return;
    }
    default:
      throw new Error(`${route.name} is answered elsewhere.`);
  }
}

async function answerCall(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  rpc: RpcServer,
): Promise<void> {
  const call = path.replace('/', '.');
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  // Foreign pages can send forms and plain text without a preflight request.
  if (type.trim().toLowerCase() !== 'application/json') {
    await refuseEarly(request, response, 415, 'Only application/json is accepted here.');
    return;
  }
  const limit = largeInputCalls.includes(call) ? maxFrameLength : maxCallLength;
  const body = await readBody(request, limit);
  if (body === 'lost') return;
  if (body === 'too large') {
    const message = `${call}: the input is larger than ${limit / 1024 / 1024} MB.`;
    await answerEarly(request, response, {
      status: 413,
      headers: { ...pageHeaders, 'content-type': jsonType },
      body: JSON.stringify({ code: 'PAYLOAD_TOO_LARGE', message }),
    });
    return;
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const { status, body: output } = await rpc.answer(call, body.text, gone.signal);
  sendJson(response, status, output);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, { 'content-type': jsonType }, JSON.stringify(body));
}
