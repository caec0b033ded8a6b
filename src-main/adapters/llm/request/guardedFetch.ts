import { errorChain } from '../../../../src-shared/domain/errorText.ts';
import { EndpointError } from './endpointErrors.ts';

export interface GuardParts {
  /** Requests to any other origin are rejected. */
  origin: string;
  /** The headers that carry the key; empty where there is none. */
  credential: Readonly<Record<string, string>>;
  redact: (text: string) => string;
  contacted: (host: string) => void;
  /** Headers and query parameters that a person adds; the headers win over all others. */
  headers?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Completes a request whose tools were replaced by a marker. Absent: it is complete. */
  fill?: (text: string) => string;
}

const maxBytes = 32 * 1024 * 1024;
const forwardedHeaders = ['accept', 'content-type', 'anthropic-version', 'user-agent'];
const keptHeaders = ['content-type', 'retry-after', 'retry-after-ms', 'request-id', 'x-request-id'];
/** When an exhausted limit is full again. */
const isLimitHeader = (name: string): boolean => /ratelimit-/.test(name);

/**
 * The only way to send a request to a model. It sends known headers only, because environment
 * variables add some to the SDKs; it follows no redirect, because the key would follow too; and it
 * reads the whole body, so that the deadline and the size limit cover it and keys are redacted.
 */
export function createGuardedFetch({
  origin,
  credential,
  redact,
  contacted,
  headers: ownHeaders = {},
  query = {},
  fill = (text) => text,
}: GuardParts) {
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin)
      throw new EndpointError(
        `A request to ${url.origin} was blocked: this configuration may contact ${origin} only.`,
      );
    contacted(url.host);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const given = new Headers(init.headers);
    const headers = new Headers(
      forwardedHeaders.flatMap((name): [string, string][] =>
        given.has(name) ? [[name, given.get(name) ?? '']] : [],
      ),
    );
    for (const [name, value] of Object.entries(credential)) headers.set(name, value);
    for (const [name, value] of Object.entries(ownHeaders)) headers.set(name, value);
    const whole = typeof init.body === 'string' ? { ...init, body: fill(init.body) } : init;
    const request = fetch(url, { ...whole, headers, redirect: 'manual' });
    const response = await redactErrors(request, redact);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new EndpointError(`${url.host} redirects to ${redact(redirectTarget(response, url))}`);
    }
    const text = redact(await redactErrors(readCapped(response, url.host), redact));
    const answered = new Headers(
      [...response.headers].flatMap(([name, value]): [string, string][] =>
        keptHeaders.includes(name) || isLimitHeader(name) ? [[name, redact(value)]] : [],
      ),
    );
    const answer = new Response(null, { status: response.status, headers: answered });
    // The text is already read: writing it to a stream and reading that would take as long as
    // receiving it did.
    Object.defineProperty(answer, 'text', { value: async () => text });
    return answer;
  };
}

/**
 * Redacts what an error says, such as the names in a certificate, before anybody shortens it. The
 * errors stay the same objects, because callers recognize them by class, name and code.
 */
async function redactErrors<T>(work: Promise<T>, redact: (text: string) => string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    for (const each of errorChain(error).flatMap(withAttempts)) {
      const message = redact(each.message);
      // The message of a DOMException is a getter, so it is hidden and not set.
      if (message !== each.message) Object.defineProperty(each, 'message', { value: message });
    }
    throw error;
  }
}

/** An error and, where several addresses were tried, what each of them said. */
function withAttempts(error: Error): Error[] {
  const tried: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...tried.filter((each) => each instanceof Error)];
}

/** Where a redirect leads, and what to do. Only an address of HTTP can be a base URL. */
function redirectTarget(response: Response, from: URL): string {
  const target = URL.parse(response.headers.get('location') ?? '', from.href);
  if (target !== null && /^https?:$/.test(target.protocol))
    return `${target.origin}; redirects are not followed. Use the address it redirects to as the base URL.`;
  const what =
    target === null
      ? 'an unreadable address'
      : `an address that starts with ${target.protocol.slice(0, 40)}`;
  return `${what}, where no model can be; redirects are not followed. Check the base URL.`;
}

async function readCapped(response: Response, host: string): Promise<string> {
  if (!response.body) return '';
  // A body with a length and without an encoding can't be longer: it is read at once.
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  if (length <= maxBytes && !response.headers.has('content-encoding')) return await response.text();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new EndpointError(
        `The answer of ${host} is larger than ${maxBytes / 1024 / 1024} MB.`,
        { unbilled: false },
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
