import { z } from 'zod';

/** Every error that a caller can act on says which thing, why, and what to do next. */
export const errorData = z.object({
  thing: z.string(),
  cause: z.string(),
  nextStep: z.string(),
  /** The field of the input that is at fault, where there is one. */
  field: z.string().optional(),
});
export type ErrorData = z.infer<typeof errorData>;

/**
 * The closed list of typed errors. `status` is what the loopback host answers and what the command
 * line maps to an exit code (4xx = bad input = 2, 5xx = trouble = 3). Anything else is
 * INTERNAL_SERVER_ERROR, logged once and without internals on the wire.
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
 * Thrown by services, adapters and store; the rpc room turns it into the contract's typed error of
 * the same code.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly data: ErrorData;

  constructor(code: ErrorCode, data: ErrorData, options?: { cause?: unknown }) {
    super(`${data.thing}: ${data.cause} ${data.nextStep}`.trim(), options);
    this.code = code;
    this.data = data;
  }
}
