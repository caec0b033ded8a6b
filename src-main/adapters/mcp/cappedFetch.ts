import { parseLargeJson } from './parseLargeJson.ts';
import type { Dispatcher } from 'undici';
import { refusalOfUrl, type AddressRules } from '../http/addressPolicy.ts';
import { AddressRefused, checkedLookup, type Resolve } from '../http/checkedLookup.ts';
import type { McpFault } from './mcpFault.ts';
import { faults } from './troubles.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface FetchRules {
  /** The limit for one answer, or for one event of a stream, after decompression. */
  messageBytes: number;
  /**
   * False answers the request for the stream of server notifications with "not offered", without
   * sending it.
   */
  standingStream: boolean;
  /** Which addresses may be contacted, decided for each connection. */
  addresses: () => AddressRules;
  /** Looks up names; by default the system. */
  resolve?: Resolve | undefined;
  /** Called before the error is thrown, because the SDK turns errors of event streams into text. */
  onFault(fault: McpFault): void;
}

/**
 * A `fetch` that reads at most the cap, contacts allowed addresses only, and never goes to another
 * origin.
 */
export function createCappedFetch(rules: FetchRules): Fetch {
  let dispatcher: Promise<Dispatcher> | null = null;
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const isStandingStream = (init?.method ?? 'GET') === 'GET' && !headers.has('last-event-id');
    if (!rules.standingStream && isStandingStream) return new Response(null, { status: 405 });
    const refused = refusalOfUrl(
      new URL(input instanceof Request ? input.url : input),
      rules.addresses(),
    );
    if (refused !== null) throw report(rules, faults.addressRefused(refused));
    dispatcher ??= createDispatcher(rules);
    const request = { ...init, redirect: 'manual' as const, dispatcher: await dispatcher };
    const response = await fetch(input, request).catch((error: unknown) => {
      const refusal = error instanceof Error ? error.cause : null;
      throw refusal instanceof AddressRefused
        ? report(rules, faults.addressRefused(refusal.message))
        : error;
    });
    const target = foreignTarget(input, response);
    if (target !== null) throw refuse(rules, response, faults.redirected(target));
    const length = Number(response.headers.get('content-length') ?? 0);
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    if (!isStream && length > rules.messageBytes)
      throw refuse(rules, response, faults.tooLarge(rules.messageBytes));
    if (response.body === null) return response;
    const capped = response.body.pipeThrough(cap(rules, isStream));
    const answer = new Response(capped, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
    // The SDK would parse an answer of 25 MB at once and hold up everything else meanwhile.
    return Object.assign(answer, {
      json: async () => parseLargeJson(Buffer.from(await answer.arrayBuffer())),
    });
  };
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

/** Where a redirect leads, without its query, if that is another origin. */
function foreignTarget(input: string | URL | Request, response: Response): string | null {
  const location = response.headers.get('location');
  if (response.status < 300 || response.status > 399 || location === null) return null;
  const from = new URL(input instanceof Request ? input.url : input);
  const to = URL.parse(location, from.href);
  if (to === null) return 'an invalid address';
  return to.origin === from.origin ? null : `${to.origin}${to.pathname}`;
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
