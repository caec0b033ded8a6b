/** An answer that can't be used, whatever stands in it. */
export class EndpointTrouble extends Error {
  override readonly name = 'EndpointTrouble';
}

export interface GuardParts {
  /** Nothing is ever sent anywhere else. */
  origin: string;
  /** The headers that carry the key; empty where there is none. */
  credential: Readonly<Record<string, string>>;
  redact: (text: string) => string;
  contacted: (host: string) => void;
  /** Completes the text of a request that was only marked. Absent: it is whole. */
  fill?: (text: string) => string;
}

const maxBytes = 32 * 1024 * 1024;
const passedOn = ['accept', 'content-type', 'anthropic-version', 'user-agent'];
const kept = ['content-type', 'retry-after', 'retry-after-ms', 'request-id', 'x-request-id'];

/**
 * The one way out to a model. It sends the headers that it knows and no others (environment
 * variables add some to the SDKs'), follows no redirect (a key would follow it), and reads the
 * whole body, so that a deadline covers it, no answer fills the memory, and no key comes back in
 * it.
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
      throw new EndpointTrouble(
        `A request to ${url.origin} was held back: this configuration asks ${origin} only.`,
      );
    contacted(url.host);
    const given = new Headers(init.headers);
    const headers = new Headers(
      passedOn.flatMap((name): [string, string][] =>
        given.has(name) ? [[name, given.get(name) ?? '']] : [],
      ),
    );
    for (const [name, value] of Object.entries(credential)) headers.set(name, value);
    const whole = typeof init.body === 'string' ? { ...init, body: fill(init.body) } : init;
    const response = await fetch(url, { ...whole, headers, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new EndpointTrouble(
        `${url.host} redirects to ${targetOf(response, url)}; redirects are not followed. ` +
          'Use the address that it leads to as the base URL.',
      );
    }
    const text = redact(await readCapped(response, url.host));
    const answered = new Headers(
      kept.flatMap((name): [string, string][] =>
        response.headers.has(name) ? [[name, redact(response.headers.get(name) ?? '')]] : [],
      ),
    );
    const answer = new Response(null, { status: response.status, headers: answered });
    // The text is here already: to put it into a stream, and to read that again, would take as long
    // as to receive it.
    Object.defineProperty(answer, 'text', { value: async () => text });
    return answer;
  };
}

function targetOf(response: Response, from: URL): string {
  const target = URL.parse(response.headers.get('location') ?? '', from.href);
  return target ? target.origin : 'an address that can not be read';
}

async function readCapped(response: Response, host: string): Promise<string> {
  if (!response.body) return '';
  // What says how long it is, and comes as it is, can't be longer: it is read at once, not piece by
  // piece.
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  if (length <= maxBytes && !response.headers.has('content-encoding')) return await response.text();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new EndpointTrouble(
        `The answer of ${host} is larger than ${maxBytes / 1024 / 1024} MB.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
