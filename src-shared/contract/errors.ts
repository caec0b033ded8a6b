import { z } from 'zod';

import { asSentence } from '../domain/asSentence.ts';

/** Every error that a caller can act on says what failed, why, and what to do next. */
const errorData = z.object({
  thing: z.string(),
  cause: z.string(),
  nextStep: z.string(),
  /** How a command takes the next step. The window leaves it out. */
  onCommandLine: z.string().optional(),
  /** The input field that caused the error, if there is one. */
  field: z.string().optional(),
});
export type ErrorData = z.infer<typeof errorData>;

/**
 * The complete list of typed errors. `status` is the HTTP status of the loopback host and gives the
 * exit code of the command line (4xx: bad input, 2; 5xx: external failure, 3). Any other error is
 * INTERNAL_SERVER_ERROR; it is logged once and its details never leave the core.
 */
export const errors = {
  NOT_FOUND: { status: 404, data: errorData },
  INVALID: { status: 422, data: errorData },
  CONFLICT: { status: 409, data: errorData },
  READ_ONLY: { status: 423, data: errorData },
  LAGGED: { status: 429, data: errorData },
  TROUBLE: { status: 503, data: errorData },
} as const;
export type ErrorCode = keyof typeof errors;

/**
 * Thrown by services, adapters and the store. The rpc layer converts it to the typed error with the
 * same code.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly data: ErrorData;

  constructor(code: ErrorCode, data: ErrorData, options?: { cause?: unknown }) {
    const { thing, nextStep, onCommandLine = '' } = data;
    const cause = asSentence(data.cause);
    super(`${thing}: ${cause} ${nextStep} ${onCommandLine}`.trim().replaceAll('  ', ' '), options);
    this.code = code;
    this.data = { ...data, cause };
  }
}
