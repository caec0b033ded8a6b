import { errorChain } from '../../../../src-shared/domain/errorText.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { TokenUsage } from '../../../../src-shared/domain/observation.ts';
import type { ChatFailure } from '../chatModel.ts';

/** An answer that can't be used, whatever it contains. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  /** No model has answered: nothing is billed. */
  readonly unbilled: boolean;

  constructor(message: string, { unbilled = true }: { unbilled?: boolean } = {}) {
    super(message);
    this.unbilled = unbilled;
  }
}

/** A failure of an attempt that may succeed when it is repeated. */
export class RepeatableFailure extends Error {
  override readonly name = 'RepeatableFailure';
  readonly failure: ChatFailure;

  constructor(failure: ChatFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** An error that an endpoint answered, by its status or in place of an answer. */
export class AnsweredError extends Error {
  override readonly name = 'AnsweredError';
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The model had begun to answer: whether that is billed is unknown. */
  readonly hasBegun: boolean;

  constructor(
    status: number,
    text: string,
    { headers = new Headers(), hasBegun = false }: { headers?: Headers; hasBegun?: boolean } = {},
  ) {
    // Nothing of what was said: the SDKs take some words for a timeout and drop the error.
    super(`status ${status}`);
    this.status = status;
    this.text = text;
    this.headers = headers;
    this.hasBegun = hasBegun;
  }
}

/** The status and the body of the error that was answered; null if it wasn't one. */
export const answeredError = (error: unknown): AnsweredError | null =>
  errorChain(error).find((cause) => cause instanceof AnsweredError) ?? null;

/** An answer whose end, or a member of it, says that the endpoint failed while it answered. */
export const brokenOff = (finish: unknown, error: JsonObject | null): AnsweredError => {
  const said = { code: finish, message: `It ended with ${JSON.stringify(finish)}.` };
  return new AnsweredError(200, JSON.stringify(error ?? said), { hasBegun: true });
};

/** An answer that can't be used, with the headers that it came with and the tokens that it reports. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
  readonly headers: Headers;
  readonly usage: TokenUsage | null;

  constructor(cause: unknown, headers: Headers, usage: TokenUsage | null) {
    super('The answer can’t be used.', { cause });
    this.headers = headers;
    this.usage = usage;
  }
}

/** For the SDKs, which keep only a part of an error that isn't written as their own provider does. */
export const withoutErrors =
  (fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    if (response.ok) return response;
    throw new AnsweredError(response.status, await response.text(), { headers: response.headers });
  };
