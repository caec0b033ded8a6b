import type { IncomingMessage } from 'node:http';
import { errorCode, errorText } from '../../../src-shared/domain/errorText.ts';
import { refusalOfUrl, type AddressRules } from './addressPolicy.ts';
import { AddressRefused, checkedLookup } from './checkedLookup.ts';

export interface SafeRequest {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  redirects: 'refuse' | 'same-origin' | 'follow';
  addresses: AddressRules;
  /** At most this much of the body is read; the rest is cut off. */
  bodyBytes: number;
  /** Takes secrets out of messages. A host whose name holds one is not asked. */
  redact?: (text: string) => string;
}

export interface SafeAnswer {
  status: number;
  contentType: string;
  body: Buffer;
  /** True if the body was cut at `bodyBytes`. */
  cut: boolean;
}

/** `policy`: this program refused the request; `network`: no answer came. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly kind: 'policy' | 'network';

  constructor(kind: RequestFailure['kind'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

const maxHops = 5;
/** Headers that are never sent on to another origin. */
const credentialHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * Sends a request over http or https. Every address that a name resolves to is checked when the
 * connection is opened, so that no second lookup can return another one. Each redirect is a new
 * request under the same rules. Reads at most `bodyBytes` of an answer.
 */
export async function requestSafely(given: SafeRequest, signal: AbortSignal): Promise<SafeAnswer> {
  let request = given;
  for (let hop = 0; ; hop += 1) {
    const { answer, location } = await sendOnce(request, signal);
    if (location === null) return answer;
    request = followRedirect(request, location, answer.status);
    if (hop >= maxHops)
      throw new RequestFailure('policy', `It was redirected more than ${maxHops} times.`);
  }
}

function followRedirect(request: SafeRequest, location: string, status: number): SafeRequest {
  const to = URL.parse(location, request.url.href);
  if (to === null) throw new RequestFailure('policy', 'It was redirected to an invalid address.');
  const { redact = (text) => text } = request;
  const shown = redact(`${to.origin === 'null' ? to.protocol : to.origin}${to.pathname}`).slice(
    0,
    300,
  );
  // Looking its name up would tell the secret to every name server on the way.
  if (redact(to.hostname) !== to.hostname)
    throw new RequestFailure(
      'policy',
      `It was redirected to ${shown}, a host whose name contains a secret.`,
    );
  // Before what a setting could allow: no setting makes it an address of the web.
  if (to.protocol !== 'http:' && to.protocol !== 'https:')
    throw new RequestFailure('policy', `It was redirected to ${shown}, which isn't HTTP.`);
  if (request.redirects === 'refuse')
    throw new RequestFailure(
      'policy',
      `It was redirected to ${shown}, and this tool doesn't follow redirects.`,
    );
  const sameOrigin = to.origin === request.url.origin;
  if (!sameOrigin && request.redirects === 'same-origin')
    throw new RequestFailure(
      'policy',
      `It was redirected to another origin, ${shown}, and this tool may only call its own origin.`,
    );
  if (request.url.protocol === 'https:' && to.protocol === 'http:')
    throw new RequestFailure('policy', `It was redirected to ${shown}, which isn't encrypted.`);
  // Any header may hold a secret, so another origin gets none of them.
  const headers = sameOrigin
    ? request.headers
    : Object.fromEntries(
        Object.entries(request.headers).filter(
          ([name]) =>
            ['accept', 'content-type'].includes(name.toLowerCase()) &&
            !credentialHeaders.has(name.toLowerCase()),
        ),
      );
  const becomesGet =
    status === 303 || ((status === 301 || status === 302) && request.method === 'POST');
  return { ...request, url: to, headers, ...(becomesGet ? { method: 'GET', body: null } : {}) };
}

async function sendOnce(
  request: SafeRequest,
  signal: AbortSignal,
): Promise<{ answer: SafeAnswer; location: string | null }> {
  const { url } = request;
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new RequestFailure('policy', `${url.protocol} is neither http nor https.`);
  const refusal = refusalOfUrl(url, request.addresses);
  if (refusal !== null) throw new RequestFailure('policy', refusal);
  // Importing either takes longer than the start of Node itself, and most commands send nothing.
  const { request: ask } = await (url.protocol === 'https:'
    ? import('node:https')
    : import('node:http'));
  const message = await new Promise<IncomingMessage>((done, fail) => {
    const clientRequest = ask(url, {
      method: request.method,
      // Limits count the bytes that are sent, so compressed answers are not accepted.
      headers: {
        'user-agent': 'touchstone',
        'accept-encoding': 'identity',
        ...request.headers,
        ...(request.body === null
          ? {}
          : { 'content-length': String(Buffer.byteLength(request.body)) }),
      },
      lookup: checkedLookup(() => request.addresses),
      agent: false,
      signal,
    });
    clientRequest.once('response', done);
    clientRequest.once('error', (error) => fail(failureOf(error, url)));
    clientRequest.end(request.body ?? undefined);
  });
  const status = message.statusCode ?? 0;
  const location = [301, 302, 303, 307, 308].includes(status)
    ? (message.headers.location ?? null)
    : null;
  try {
    const encoding = message.headers['content-encoding'];
    if (location === null && encoding !== undefined && encoding !== 'identity')
      throw new RequestFailure(
        'policy',
        `The response is compressed (${encoding}) although no compression was requested.`,
      );
    const { body, cut } =
      location === null
        ? await readBody(message, request.bodyBytes)
        : { body: Buffer.alloc(0), cut: false };
    return {
      answer: { status, contentType: message.headers['content-type'] ?? '', body, cut },
      location,
    };
  } catch (error) {
    throw failureOf(error, url);
  } finally {
    message.destroy();
  }
}

async function readBody(
  message: IncomingMessage,
  limit: number,
): Promise<{ body: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    if (size + chunk.length > limit) {
      chunks.push(chunk.subarray(0, limit - size));
      return { body: Buffer.concat(chunks), cut: true };
    }
    chunks.push(chunk);
    size += chunk.length;
  }
  return { body: Buffer.concat(chunks), cut: false };
}

function failureOf(error: unknown, url: URL): Error {
  if (error instanceof RequestFailure) return error;
  const cause = error instanceof Error ? error.cause : null;
  const refused = [error, cause].find((each) => each instanceof AddressRefused);
  if (refused !== undefined) return new RequestFailure('policy', refused.message);
  if (error instanceof Error && error.name === 'AbortError') return error;
  const code = errorCode(error) ?? '';
  const words: Record<string, string> = {
    ECONNREFUSED: 'nothing is listening there',
    ENOTFOUND: 'the host name is unknown',
    ECONNRESET: 'the connection was cut',
    EAI_AGAIN: 'the host name lookup failed',
    ETIMEDOUT: "it doesn't answer",
  };
  return new RequestFailure(
    'network',
    `${url.host} could not be reached: ${words[code] ?? errorText(error)}.`,
    { cause: error },
  );
}
