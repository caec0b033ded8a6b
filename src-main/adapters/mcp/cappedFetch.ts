import type { Dispatcher } from 'undici';
import { onAbort, waitAtMost } from '../../runtime/deadline.ts';
import { refusalOfUrl, type AddressRules } from '../http/addressPolicy.ts';
import { AddressRefused, checkedLookup, type Resolve } from '../http/checkedLookup.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { HttpConfig } from '../../../src-shared/domain/server.ts';
import type { McpFault } from './mcpFault.ts';
import { parseLargeJson } from './parseLargeJson.ts';
import { lenientEvents, lenientMessage, type EventRules } from './lenientMessages.ts';
import { rpcErrorOf } from './saidByServer.ts';
import { faults } from './troubles.ts';
import { beginningOf, type WireTap } from './wireTap.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface FetchRules extends EventRules {
  /** The limit for one answer, or for one event of a stream, after decompression. */
  messageBytes: number;
  /**
   * What the requests are for. With the older transport every answer comes on one stream of events;
   * a sign-in reads refusals by itself.
   */
  kind: HttpConfig['transport'] | 'sign-in';
  /** Which addresses may be contacted, decided for each connection. */
  addresses: () => AddressRules;
  /** Looks up names; by default the system. */
  resolve?: Resolve | undefined;
  /**
   * Called before the error is thrown where only the text of an error would remain: the SDK turns
   * errors of event streams into text.
   */
  onFault(fault: McpFault): void;
  /** Called with the id of a request whose answer is a stream, so that it may still come. */
  onStream?(id: unknown): void;
}

const maxRedirects = 5;
/** How much of a refusal is read, and for how long. */
const maxRefusalBytes = 32 * 1024;
const maxRefusalMs = 2_000;

/**
 * A `fetch` that reads at most the cap, contacts allowed addresses only, and never goes to another
 * origin. A refusal is thrown with the server's own reason.
 */
export function createCappedFetch(rules: FetchRules): Fetch {
  let dispatcher: Promise<Dispatcher> | null = null;
  const once = async (url: URL, init: RequestInit): Promise<Response> => {
    const refused = refusalOfUrl(url, rules.addresses());
    if (refused !== null) throw report(rules, faults.addressRefused(refused));
    dispatcher ??= createDispatcher(rules);
    const request = { ...init, redirect: 'manual' as const, dispatcher: await dispatcher };
    const tapped = rules.tap && tapRequest(rules.tap, url, init);
    const asked = fetch(url, request);
    if (tapped) void asked.then(tapped.answered, tapped.failed);
    return asked.catch((error: unknown) => {
      const refusal = error instanceof Error ? error.cause : null;
      throw refusal instanceof AddressRefused
        ? report(rules, faults.addressRefused(refusal.message))
        : error;
    });
  };
  return async (input, init = {}) => {
    const method = init.method ?? 'GET';
    const isStream = method === 'GET' && !new Headers(init.headers).has('last-event-id');
    // Notifications on a stream of their own aren't needed.
    if (isStream && rules.kind === 'streamable-http') return new Response(null, { status: 405 });
    const from = new URL(input instanceof Request ? input.url : input);
    const { response, url } = await followRedirects(rules, from, method, (to) => once(to, init));
    if (rules.kind === 'sign-in') return cappedResponse(rules, response, false);
    const id = requestIdOf(init.body);
    if (!response.ok && method !== 'DELETE') {
      const fault = await refusalOf(rules, response, { url, from, id, signal: init.signal });
      if (fault instanceof Response) return fault;
      // The request for the stream of the older transport is made by an EventSource.
      throw method === 'GET' ? report(rules, fault) : fault;
    }
    const type = response.headers.get('content-type') ?? '';
    const isEvents = /^\s*text\/event-stream/i.test(type);
    const isJson = /^\s*application\/json/i.test(type);
    const isAnswer =
      rules.kind === 'sse' ? method === 'GET' : id !== undefined && response.status !== 202;
    if (isAnswer && !isEvents && (!isJson || rules.kind === 'sse')) {
      const body = await beginningOfBody(rules, response, init.signal);
      const fault = faults.notMcp({ body, contentType: type, challenge: '' });
      throw method === 'GET' ? report(rules, fault) : fault;
    }
    if (isEvents) rules.onStream?.(id);
    return cappedResponse(rules, response, isEvents);
  };
}

/** Shows a request to the tap, and returns what shows how it ended. */
function tapRequest(tap: WireTap, url: URL, { method = 'GET', headers, body }: RequestInit) {
  const request = {
    kind: 'http' as const,
    method,
    url: url.href,
    headers: [...new Headers(headers)],
  };
  if (typeof body === 'string') tap({ kind: 'sent', ...beginningOf(body) });
  return {
    answered: (answer: Response): void => {
      const { status, statusText } = answer;
      tap({
        ...request,
        answer: { status, statusText, headers: [...answer.headers] },
        problem: '',
      });
    },
    failed: (error: unknown): void => {
      const { cause } = error instanceof Error ? error : { cause: null };
      const problem = [errorText(error), ...(cause instanceof Error ? [errorText(cause)] : [])];
      tap({ ...request, answer: null, problem: problem.join(': ') });
    },
  };
}

/** Undefined for a notification and for an answer to the server. */
function requestIdOf(body: RequestInit['body'] | undefined): unknown {
  if (typeof body !== 'string') return undefined;
  const message = JSON.parse(body) as { id?: unknown; method?: unknown };
  return message.method === undefined ? undefined : message.id;
}

/**
 * Follows redirects that keep the method and stay within the origin. Others are errors that name
 * their target.
 */
async function followRedirects(
  rules: FetchRules,
  from: URL,
  method: string,
  request: (url: URL) => Promise<Response>,
): Promise<{ response: Response; url: URL }> {
  let url = from;
  for (let followed = 0; ; followed += 1) {
    const response = await request(url);
    const { status } = response;
    const location = response.headers.get('location');
    if (status < 300 || status > 399 || location === null) return { response, url };
    const to = URL.parse(location, url.href);
    if (to === null || !/^https?:$/.test(to.protocol))
      throw refuse(rules, response, faults.redirectsElsewhere(status, to?.protocol ?? null));
    const target = `${to.origin}${to.pathname}`;
    const keepsMethod = method === 'GET' || status === 307 || status === 308;
    const fault =
      to.origin !== from.origin
        ? faults.redirected(status, target)
        : !keepsMethod
          ? faults.redirectChangesMethod(status, target)
          : followed === maxRedirects
            ? faults.tooManyRedirects(status, target, maxRedirects)
            : null;
    if (fault !== null) throw refuse(rules, response, fault);
    void response.body?.cancel().catch(() => undefined);
    url = to;
  }
}

interface Refused {
  url: URL;
  /** Where the request was sent first, before redirects. */
  from: URL;
  id: unknown;
  signal: AbortSignal | null | undefined;
}

/** Why the server refused; or its answer, if that is an error of the protocol to this request. */
async function refusalOf(
  rules: FetchRules,
  response: Response,
  { url, from, id, signal }: Refused,
): Promise<McpFault | Response> {
  const { status, headers } = response;
  const body = await beginningOfBody(rules, response, signal);
  const rpc = rpcErrorOf(body);
  if (
    rpc !== null &&
    id !== undefined &&
    rpc.id === id &&
    rules.kind !== 'sse' &&
    !isSignIn(status)
  ) {
    const message = lenientMessage(JSON.parse(body));
    if (message !== null) return Response.json(message);
  }
  return faults.refused({
    status,
    where: url.href === from.href ? url.host : `${url.host}${url.pathname}`,
    isRpc: rpc !== null,
    retryAfter: headers.get('retry-after') ?? '',
    body,
    contentType: headers.get('content-type') ?? '',
    challenge: headers.get('www-authenticate') ?? '',
  });
}

const isSignIn = (status: number): boolean => status === 401 || status === 403;

/** The beginning of a body as text, as far as it comes in time. */
async function beginningOfBody(
  { tap }: FetchRules,
  { body }: Response,
  signal: AbortSignal | null | undefined,
): Promise<string> {
  if (body === null) return '';
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  const read = async (): Promise<void> => {
    for (let bytes = 0; bytes < maxRefusalBytes;) {
      const { value, done } = await reader.read();
      if (done) return;
      chunks.push(value);
      bytes += value.length;
    }
  };
  const stop = (): void => void reader.cancel().catch(() => undefined);
  const stopListening = signal ? onAbort(signal, stop) : null;
  await waitAtMost(maxRefusalMs, read()).catch(() => undefined);
  stopListening?.();
  stop();
  signal?.throwIfAborted();
  const whole = Buffer.concat(chunks);
  if (whole.length > 0) tap?.({ kind: 'received', ...beginningOf(whole) });
  return whole.toString('utf8', 0, maxRefusalBytes);
}

function cappedResponse(rules: FetchRules, response: Response, isEvents: boolean): Response {
  const length = Number(response.headers.get('content-length') ?? 0);
  if (!isEvents && length > rules.messageBytes)
    throw refuse(rules, response, faults.tooLarge(rules.messageBytes));
  if (response.body === null) return response;
  const capped = response.body.pipeThrough(cap(rules, isEvents));
  const answer = new Response(isEvents ? capped.pipeThrough(lenientEvents(rules)) : capped, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
  // The SDK would parse an answer of 25 MB at once and hold up everything else meanwhile.
  return Object.assign(answer, {
    json: async () => {
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (rules.kind === 'sign-in') return parseLargeJson(bytes);
      rules.tap?.({ kind: 'received', ...beginningOf(bytes) });
      return readMessages(bytes);
    },
  });
}

/** One message or several. Throws with the beginning of the text if any is none. */
async function readMessages(bytes: Buffer): Promise<unknown> {
  // Parsing overwrites parts of the bytes.
  const start = bytes.toString('utf8', 0, 4096);
  const body: unknown = await parseLargeJson(bytes).catch(() => null);
  const messages = (Array.isArray(body) ? (body as unknown[]) : [body]).map(lenientMessage);
  if (messages.includes(null)) throw faults.malformed(start);
  return messages;
}

function refuse(rules: FetchRules, response: Response, fault: McpFault): McpFault {
  void response.body?.cancel().catch(() => undefined);
  return report(rules, fault);
}

function report(rules: FetchRules, fault: McpFault): McpFault {
  rules.onFault(fault);
  return fault;
}

/** Opens connections to allowed addresses. Loaded when the first one is needed. */
async function createDispatcher({ addresses, resolve }: FetchRules): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  const connect = { lookup: checkedLookup(addresses, resolve) };
  // Node's own switch for proxies of the environment, which then look names up themselves.
  return process.env['NODE_USE_ENV_PROXY'] === '1'
    ? new EnvHttpProxyAgent({ connect })
    : new Agent({ connect });
}

/** Counts the bytes since the start, or since the last event of a stream. */
function cap(rules: FetchRules, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  let before = '';
  return new TransformStream({
    transform(chunk, controller) {
      count += chunk.length;
      if (isStream) {
        const end = endOfLastEvent(before, chunk);
        if (end !== null) count = chunk.length - end;
        before = Buffer.from(chunk.subarray(-3)).toString('latin1');
      }
      if (count > rules.messageBytes) {
        const fault = faults.tooLarge(rules.messageBytes);
        rules.onFault(fault);
        controller.error(fault);
      } else controller.enqueue(chunk);
    },
  });
}

/**
 * The number of bytes of the chunk that belong to finished events; null if there are none. A blank
 * line ends an event, and may be split over two chunks.
 */
function endOfLastEvent(before: string, chunk: Uint8Array): number | null {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const ends = ['\n\n', '\r\n\r\n', '\r\r'].map((mark) => {
    const at = bytes.lastIndexOf(mark, undefined, 'latin1');
    return at === -1 ? -1 : at + mark.length;
  });
  const last = Math.max(...ends);
  if (last > 0) return last;
  const seam = before + bytes.subarray(0, 3).toString('latin1');
  return /\n\n|\r\n\r\n|\r\r/.test(seam) ? 0 : null;
}
