/** An answer that can't be used, whatever it contains. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
}

export interface GuardParts {
  /** Requests to any other origin are rejected. */
  origin: string;
  /** The headers that carry the key; empty where there is none. */
  credential: Readonly<Record<string, string>>;
  redact: (text: string) => string;
  contacted: (host: string) => void;
  /** Completes a request whose tools were replaced by a marker. Absent: it is complete. */
  fill?: (text: string) => string;
}

const maxBytes = 32 * 1024 * 1024;
const forwardedHeaders = ['accept', 'content-type', 'anthropic-version', 'user-agent'];
const keptHeaders = ['content-type', 'retry-after', 'retry-after-ms', 'request-id', 'x-request-id'];

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
  fill = (text) => text,
}: GuardParts) {
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin)
      throw new EndpointError(
        `A request to ${url.origin} was held back: this configuration asks ${origin} only.`,
      );
    contacted(url.host);
    const given = new Headers(init.headers);
    const headers = new Headers(
      forwardedHeaders.flatMap((name): [string, string][] =>
        given.has(name) ? [[name, given.get(name) ?? '']] : [],
      ),
    );
    for (const [name, value] of Object.entries(credential)) headers.set(name, value);
    const whole = typeof init.body === 'string' ? { ...init, body: fill(init.body) } : init;
    const response = await fetch(url, { ...whole, headers, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new EndpointError(
        `${url.host} redirects to ${redirectTarget(response, url)}; redirects are not followed. ` +
          'Use the address that it leads to as the base URL.',
      );
    }
    const text = redact(await readCapped(response, url.host));
    const answered = new Headers(
      keptHeaders.flatMap((name): [string, string][] =>
        response.headers.has(name) ? [[name, redact(response.headers.get(name) ?? '')]] : [],
      ),
    );
    const answer = new Response(null, { status: response.status, headers: answered });
    // The text is already read: writing it to a stream and reading that would take as long as
    // receiving it did.
    Object.defineProperty(answer, 'text', { value: async () => text });
    return answer;
  };
}

function redirectTarget(response: Response, from: URL): string {
  const target = URL.parse(response.headers.get('location') ?? '', from.href);
  return target ? target.origin : 'an address that can not be read';
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
      throw new EndpointError(`The answer of ${host} is larger than ${maxBytes / 1024 / 1024} MB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
