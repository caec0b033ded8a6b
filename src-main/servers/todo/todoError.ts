import type { JsonObject } from '../../../src-shared/domain/json.ts';

/**
 * The error codes of the tools. A task of another user is NOT_FOUND, so that its existence stays
 * hidden.
 */
export const errorCodes = ['VALIDATION_ERROR', 'AUTH_ERROR', 'NOT_FOUND', 'SERVER_ERROR'] as const;
export type TodoErrorCode = (typeof errorCodes)[number];

/**
 * An error whose message callers may read; every other one becomes SERVER_ERROR without a reason.
 */
export class TodoError extends Error {
  override readonly name = 'TodoError';
  readonly code: TodoErrorCode;
  readonly details: JsonObject | null;

  constructor(code: TodoErrorCode, message: string, details: JsonObject | null = null) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

export function invalid(field: string, constraint: string): TodoError {
  return new TodoError('VALIDATION_ERROR', 'Invalid input data', { field, constraint });
}

export function taskNotFound(id: number): TodoError {
  return new TodoError('NOT_FOUND', `Todo with id ${id} not found`);
}
