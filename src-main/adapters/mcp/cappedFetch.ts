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
  /** Called before the error is thrown, because the SDK turns errors of event streams into text. */
  onFault(fault: McpFault): void;
}

/** A `fetch` that reads at most the cap and never goes to another origin. */
export function createCappedFetch(rules: FetchRules): Fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const isStandingStream = (init?.method ?? 'GET') === 'GET' && !headers.has('last-event-id');
    if (!rules.standingStream && isStandingStream) return new Response(null, { status: 405 });
    const response = await fetch(input, { ...init, redirect: 'manual' });
    const target = foreignTarget(input, response);
    if (target !== null) throw refuse(rules, response, faults.redirected(target));
    const length = Number(response.headers.get('content-length') ?? 0);
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    if (!isStream && length > rules.messageBytes)
      throw refuse(rules, response, faults.tooLarge(rules.messageBytes));
    if (response.body === null) return response;
    const capped = response.body.pipeThrough(cap(rules, isStream));
    return new Response(capped, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

function refuse(rules: FetchRules, response: Response, fault: McpFault): McpFault {
  void response.body?.cancel().catch(() => undefined);
  rules.onFault(fault);
  return fault;
}

/** Where a redirect leads, without its query, if that is another origin. */
function foreignTarget(input: string | URL | Request, response: Response): string | null {
  const location = response.headers.get('location');
  if (response.status < 300 || response.status > 399 || location === null) return null;
  const from = new URL(input instanceof Request ? input.url : input);
  const to = URL.parse(location, from.href);
  if (to === null) return 'an address that is none';
  return to.origin === from.origin ? null : `${to.origin}${to.pathname}`.slice(0, 200);
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
