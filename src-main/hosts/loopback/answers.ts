import type { IncomingMessage, ServerResponse } from 'node:http';
import { maxFrameLength } from '../../../src-shared/domain/connection.ts';
import { largeInputCalls, maxCallLength } from '../../rpc/frames.ts';
import type { RpcServer } from '../../rpc/peers.ts';
import { pageHeaders, readRendererFile } from '../rendererFiles.ts';
import type { GuardedRequest } from './guards.ts';
import { openPage, openScript } from './openPage.ts';
import type { Route } from './routes.ts';
import type { Session } from './sessions.ts';

export interface AnswerOptions {
  rpc: RpcServer;
  rendererFolder: string;
  port: number;
  newUrl: () => string;
}

export function send(
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
  send(response, status, { 'content-type': 'text/plain; charset=utf-8' }, `${text}\n`);
}

/** Answers a request that has passed its guard. */
export async function answer(
  route: Route,
  { request, path }: GuardedRequest,
  session: Session | null,
  response: ServerResponse,
  { rpc, rendererFolder, port, newUrl }: AnswerOptions,
): Promise<void> {
  switch (route.name) {
    case 'open': {
      if (session === null) throw new Error('The link guard opens a session.');
      const page = openPage(session, port);
      send(response, 200, page.headers, page.body);
      return;
    }
    case 'openScript':
      send(response, 200, { 'content-type': 'text/javascript; charset=utf-8' }, openScript);
      return;
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
      if (file.status === 200) send(response, 200, { 'content-type': file.type }, file.body);
      else
        sendText(
          response,
          file.status,
          file.status === 400 ? 'Bad request.' : 'There is no such file.',
        );
      return;
    }
    case 'socket':
      throw new Error('A socket is opened by its handshake.');
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
    response.setHeader('connection', 'close');
    sendText(response, 415, 'Only application/json is taken here.');
    return;
  }
  const body = await readBody(
    request,
    largeInputCalls.includes(call) ? maxFrameLength : maxCallLength,
  );
  if (body === 'lost') return;
  if (body === 'too large') {
    // The rest of the body is not read: the connection ends with the answer.
    response.setHeader('connection', 'close');
    sendJson(response, 413, {
      code: 'PAYLOAD_TOO_LARGE',
      message: `${call}: the input is too large.`,
    });
    return;
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const { status, body: output } = await rpc.answer(call, body.text, gone.signal);
  sendJson(response, status, output);
}

/** Reads a body up to a limit in bytes, and never holds more than that. */
function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<{ text: string } | 'too large' | 'lost'> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    const read = (part: Buffer) => {
      length += part.length;
      if (length <= limit) {
        parts.push(part);
        return;
      }
      request.off('data', read).pause();
      resolve('too large');
    };
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      resolve('too large');
      return;
    }
    request.on('end', () => resolve({ text: Buffer.concat(parts).toString('utf8') }));
    request.on('close', () => resolve('lost'));
    request.on('error', () => resolve('lost'));
    request.on('data', read);
  });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(
    response,
    status,
    { 'content-type': 'application/json; charset=utf-8' },
    JSON.stringify(body),
  );
}
