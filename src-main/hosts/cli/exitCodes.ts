import { ORPCError } from '@orpc/client';
import { CommanderError } from 'commander';
import { ServiceError, errors } from '../../../src-shared/contract/errors.ts';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';

/**
 * What a program that called us reads: 0 pass · 1 a gate failed · 2 usage or bad input · 3 trouble.
 * Trouble is never 1.
 */
export const exitCodes = { pass: 0, gateFailed: 1, usage: 2, incomplete: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Bad input that the command line finds itself. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Where several hold, the graver one wins: 2, then 3, then 1. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  for (const code of [exitCodes.usage, exitCodes.incomplete, exitCodes.gateFailed] as const)
    if (codes.includes(code)) return code;
  return exitCodes.pass;
}

function statusOf(error: unknown): number {
  if (error instanceof ServiceError) return errors[error.code].status;
  if (error instanceof ORPCError)
    return error.code in errors ? errors[error.code as ErrorCode].status : error.status;
  return 500;
}

/** A held workspace is nobody's bad input: the command could not do its work. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.pass : exitCodes.usage;
  const status = statusOf(error);
  return status >= 400 && status < 500 && status !== 423 ? exitCodes.usage : exitCodes.incomplete;
}
