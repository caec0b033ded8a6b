import { errorChain } from '../../../../src-shared/domain/errorText.ts';
import { isJsonObject } from '../../../../src-shared/domain/json.ts';
import { ChatFailure } from '../chatModel.ts';
import { isLoopback } from './baseUrl.ts';
import {
  AnsweredError,
  EndpointError,
  RepeatableFailure,
  UnusableAnswer,
} from './endpointErrors.ts';
import { errorClassOf } from './errorClass.ts';
import { errorFacts } from './errorFacts.ts';
import { excerpt } from './excerpt.ts';
import { readBody } from './readBody.ts';
import { retryAfter } from './retryAfter.ts';

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

/** No connection was made: the next run would fail as well. */
const unreachable = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN ENETUNREACH EHOSTUNREACH ENETDOWN'.split(' '),
);

/** Classifies what an attempt threw. `thing` names provider and host. */
export function classifyFailure(error: unknown, thing: string, now: number): RequestFailure {
  const chain = causesOf(error);
  const once = { retry: false, afterMs: null, overload: false };
  const known = chain.find((cause) => cause instanceof ChatFailure);
  if (known) return { ...once, unbilled: known.fatal, failure: known };
  const repeatable = chain.find((cause) => cause instanceof RepeatableFailure);
  if (repeatable) return { ...once, retry: true, unbilled: true, failure: repeatable.failure };
  const own = chain.find((cause) => cause instanceof EndpointError);
  if (own)
    return {
      ...once,
      unbilled: own.unbilled,
      failure: new ChatFailure('provider', `${thing}: ${own.message}`, { cause: error }),
    };
  const answered = chain.find((cause) => cause instanceof AnsweredError);
  if (!answered) return readConnection(chain, error, thing);
  const unusable = chain.find((cause) => cause instanceof UnusableAnswer);
  return readError(answered, unusable?.headers ?? answered.headers, thing, now);
}

function readError(
  answered: AnsweredError,
  headers: Headers,
  thing: string,
  now: number,
): RequestFailure {
  const { status, text, hasBegun } = answered;
  const facts = errorFacts(text);
  const afterMs = retryAfter(headers, facts, now);
  const { retry, overload, fatal, next } = errorClassOf(status, facts, afterMs);
  const end = next === '' || /[.!?…]$/.test(facts.message) ? '' : '.';
  const what = hasBegun
    ? `${thing} failed while answering`
    : `${thing} answered ${status}${status < 400 ? ' with an error' : ''}`;
  const body = readBody(text);
  return {
    retry,
    afterMs,
    overload,
    unbilled: !hasBegun,
    failure: new ChatFailure('provider', `${what}: ${facts.message}${end}${next}`, {
      fatal,
      cause: answered,
      ...(isJsonObject(body) && { response: body }),
    }),
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
  // The Fetch standard refuses ports of other protocols before anything is sent.
  const badPort = chain.some(({ message }) => message === 'bad port');
  const text = badPort
    ? `${thing}: HTTP may not use this port (bad port). Serve the endpoint on another one.`
    : certificate
      ? `${thing}: its certificate is not trusted (${excerpt(said)}).`
      : `${thing}: the connection failed (${excerpt(said)}).`;
  const fatal = certificate || badPort || codes.some((code) => unreachable.has(code));
  return {
    retry: !certificate && !badPort && !chain.some(isRefusedHere),
    afterMs: null,
    overload: false,
    unbilled: fatal,
    failure: new ChatFailure('provider', text, { fatal, cause: error }),
  };
}

/** Nothing listens on that port of this computer, which doesn't change within a wait. */
function isRefusedHere(cause: Error & { code?: unknown; address?: unknown }): boolean {
  const { code, address } = cause;
  return code === 'ECONNREFUSED' && typeof address === 'string' && isLoopback(address);
}

function causesOf(error: unknown): Error[] {
  // Where several addresses were tried, the first error is enough.
  return errorChain(error).flatMap((cause) =>
    cause instanceof AggregateError && cause.errors[0] instanceof Error
      ? [cause, cause.errors[0]]
      : [cause],
  );
}
