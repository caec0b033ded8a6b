import { errorChain } from '../../../../src-shared/domain/errorText.ts';
import { isJsonObject } from '../../../../src-shared/domain/json.ts';
import { ChatFailure } from '../chatModel.ts';
import { EndpointError } from './guardedFetch.ts';

/**
 * What a failed attempt means: whether to try again, after how long (null = our own back-off), and
 * the error where not.
 */
export interface RequestFailure {
  retry: boolean;
  afterMs: number | null;
  /** The host is overloaded: the throttle lowers its limit. */
  overload: boolean;
  /** The endpoint answered by an error, or was never reached: nothing is billed. */
  unbilled: boolean;
  failure: ChatFailure;
}

const isRetryable = (status: number): boolean => [408, 409, 429].includes(status) || status >= 500;
const outOfQuota =
  /insufficient_quota|billing|credit balance|exceeded your current quota|payment required/i;
const wrongTemperature = /temperature/i;
/** No connection was made: the next run would fail as well. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENETDOWN',
]);

/** A failure of an attempt that may succeed when it is repeated. */
export class RepeatableFailure extends Error {
  override readonly name = 'RepeatableFailure';
  readonly failure: ChatFailure;

  constructor(failure: ChatFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Classifies what an SDK threw. `thing` names provider and host. */
export function classifyFailure(error: unknown, thing: string, now: number): RequestFailure {
  if (error instanceof ChatFailure)
    return { retry: false, afterMs: null, overload: false, unbilled: error.fatal, failure: error };
  if (error instanceof RepeatableFailure)
    return {
      retry: true,
      afterMs: null,
      overload: false,
      unbilled: true,
      failure: error.failure,
    };
  const chain = causesOf(error);
  const own = chain.find((cause) => cause instanceof EndpointError);
  if (own)
    return {
      retry: false,
      afterMs: null,
      overload: false,
      unbilled: own.unbilled,
      failure: new ChatFailure('provider', `${thing}: ${own.message}`, { cause: error }),
    };
  const answered = chain.find(
    (cause): cause is HttpError => 'status' in cause && typeof cause.status === 'number',
  );
  return answered ? readStatus(answered, thing, now) : readConnection(chain, error, thing);
}

interface HttpError extends Error {
  status: number;
  headers?: unknown;
  error?: unknown;
}

function readStatus(error: HttpError, thing: string, now: number): RequestFailure {
  const { status } = error;
  const said = excerpt(error.message.replace(new RegExp(`^${status} `), ''));
  const end = /[.!?…]$/.test(said) ? '' : '.';
  const response = isJsonObject(error.error) ? error.error : null;
  const failure = (next: string, fatal: boolean): RequestFailure => ({
    retry: false,
    afterMs: null,
    overload: false,
    unbilled: true,
    failure: new ChatFailure(
      'provider',
      `${thing} answered ${status}: ${said}${next === '' ? '' : end}${next}`,
      {
        fatal,
        cause: error,
        ...(response && { response }),
      },
    ),
  });
  if (
    status === 402 ||
    ((status === 429 || status === 400 || status === 403) &&
      outOfQuota.test(`${said} ${JSON.stringify(response)}`))
  ) {
    return failure(
      " The account is out of quota, so retrying won't help. Top it up, then resume the evaluation.",
      true,
    );
  }
  if (status === 401 || status === 403)
    return failure(
      ' The key was rejected. Set it again in Settings or with `touchstone keys set`, then ' +
        'resume the evaluation.',
      true,
    );
  if (status === 404) return failure(' Check the model name and the base URL.', true);
  if (status === 400 && wrongTemperature.test(said))
    return failure(' Choose a temperature that this model supports.', true);
  const trouble = failure('', false);
  if (!isRetryable(status)) return trouble;
  return {
    ...trouble,
    retry: true,
    overload: status === 429 || status === 503 || status === 529,
    afterMs: error.headers instanceof Headers ? readRetryAfter(error.headers, now) : null,
  };
}

function readConnection(chain: readonly Error[], error: unknown, thing: string): RequestFailure {
  const codes = chain.flatMap((cause) =>
    'code' in cause && typeof cause.code === 'string' ? [cause.code] : [],
  );
  const certificate = codes.some((code) => /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL/.test(code));
  const innermost = chain.at(-1);
  const said = [...new Set([codes.at(-1) ?? '', innermost?.message ?? String(error)])]
    .filter((text) => text !== '')
    .join(': ');
  const text = certificate
    ? `${thing}: its certificate is not trusted (${excerpt(said)}).`
    : `${thing}: the connection failed (${excerpt(said)}).`;
  const fatal = certificate || codes.some((code) => unreachable.has(code));
  return {
    retry: !certificate,
    afterMs: null,
    overload: false,
    unbilled: fatal,
    failure: new ChatFailure('provider', text, { fatal, cause: error }),
  };
}

/**
 * Milliseconds to wait according to the headers, given in seconds or as a date; null where they
 * don't say.
 */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const exact = headers.get('retry-after-ms');
  if (exact !== null && /^\d+(\.\d+)?$/.test(exact.trim())) return Number(exact);
  const given = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(given)) return Number(given) * 1000;
  const date = /[a-z]{3}/i.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** The beginning of a text, which may be an HTML page, on one line. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line === '' ? 'nothing' : line;
}

function causesOf(error: unknown): Error[] {
  // Where several addresses were tried, the first error is enough.
  return errorChain(error).flatMap((cause) =>
    cause instanceof AggregateError && cause.errors[0] instanceof Error
      ? [cause, cause.errors[0]]
      : [cause],
  );
}
