import {
  request as sendRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { pageTokenHeader, socketTokenPrefix } from '../../src-shared/domain/connection.ts';
import { refuseUpgrade } from '../../src-main/endpoint/refuseUpgrade.ts';
import { sendText } from '../../src-main/hosts/loopback/answers.ts';
import { hostName, type HostAccess } from './hostProcess.ts';

/** The headers of a page's request, as the host expects them from its own page. */
function headersFor(request: IncomingMessage, access: HostAccess): OutgoingHttpHeaders {
  const protocols = request.headers['sec-websocket-protocol']
    ?.split(',')
    .map((name) => name.trim())
    .map((name) =>
      name.startsWith(socketTokenPrefix) ? socketTokenPrefix + access.pageToken : name,
    )
    .join(', ');
  return {
    ...request.headers,
    ...(protocols === undefined ? {} : { 'sec-websocket-protocol': protocols }),
    host: hostName(access),
    origin: `http://${hostName(access)}`,
    cookie: access.cookie,
    [pageTokenHeader]: access.pageToken,
  };
}

function openRequest(request: IncomingMessage, access: HostAccess) {
  const { method, url: path } = request;
  const [host] = hostName(access).split(':', 1);
  return sendRequest({
    host,
    port: access.port,
    method,
    path,
    headers: headersFor(request, access),
  });
}

export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  access: HostAccess,
): void {
  const onward = openRequest(request, access);
  onward.on('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else sendText(response, 503, 'The host is restarting.');
  });
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

/** Connects a page's WebSocket with the host's; either end closes the other. */
export function forwardUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  access: HostAccess,
): void {
  const onward = openRequest(request, access);
  onward.on('upgrade', (reply, hostSocket, hostHead) => {
    const headers = Object.entries(reply.headers).map(
      ([name, value]) => `${name}: ${String(value)}`,
    );
    socket.write(['HTTP/1.1 101 Switching Protocols', ...headers, '', ''].join('\r\n'));
    socket.write(hostHead);
    hostSocket.write(head);
    hostSocket.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('error', () => hostSocket.destroy()).on('close', () => hostSocket.destroy());
    socket.pipe(hostSocket).pipe(socket);
  });
  onward.on('response', (reply) => refuseUpgrade(socket, reply.statusCode ?? 502, 'Refused'));
  onward.on('error', () => refuseUpgrade(socket, 503, 'The host is restarting'));
  onward.end();
}
