import { z } from 'zod';
import { orElse } from '../../../../src-shared/domain/orElse.ts';
import { signalWithTimeout } from '../../../runtime/deadline.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { Endpoint } from './openEndpoint.ts';
import { excerpt } from './excerpt.ts';

const listed = z.looseObject({ data: z.array(z.looseObject({ id: z.string().min(1) })) });
const timeLimitMs = 10_000;

/** The models that an endpoint lists, sorted. Throws ServiceError TROUBLE where it lists none. */
export async function listModels(
  endpoint: Endpoint,
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<{ host: string; models: string[] }> {
  const host = new URL(endpoint.baseURL).host;
  let text: string;
  let status: number;
  try {
    const response = await endpoint.fetch(`${endpoint.baseURL}${path}`, {
      headers: { accept: 'application/json', ...headers },
      signal: signalWithTimeout(signal, timeLimitMs),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    const late = error instanceof Error && error.name === 'TimeoutError';
    throw listError(
      endpoint.thing,
      late
        ? `It didn't answer within ${timeLimitMs / 1000} s.`
        : `It can't be reached: ${excerpt(causeOf(error))}`,
    );
  }
  if (status === 401 || status === 403)
    throw listError(endpoint.thing, `It answered ${status}: the key was refused. ${excerpt(text)}`);
  const read = status === 200 ? listed.safeParse(parse(text)) : null;
  if (!read?.success)
    throw listError(endpoint.thing, `It lists no models (status ${status}): ${excerpt(text)}`);
  return { host, models: [...new Set(read.data.data.map(({ id }) => id))].sort() };
}

function parse(text: string): unknown {
  return orElse((): unknown => JSON.parse(text), null);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function listError(thing: string, cause: string): ServiceError {
  return new ServiceError('TROUBLE', {
    thing: `Models of ${thing}`,
    cause,
    nextStep: 'Check the address and the key, or enter the model name.',
    field: 'model',
  });
}
