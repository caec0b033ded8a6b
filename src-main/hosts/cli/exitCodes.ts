import { ORPCError } from '@orpc/client';
import { CommanderError } from 'commander';
import { ServiceError, errors } from '../../../src-shared/contract/errors.ts';
import type { Judgement } from '../../../src-shared/domain/judgement.ts';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import { WorkspaceInUse } from '../../services/settings/workspaceInUse.ts';

/**
 * The contract with calling programs: 0 passed, 1 a gate failed, 2 bad usage or input, 3 could not
 * finish. An error that is not a failed gate never ends with 1.
 */
export const exitCodes = { pass: 0, gateFailed: 1, usage: 2, incomplete: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Bad input that the command line finds before it calls a service. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The most severe of several codes: 2 before 3 before 1. */
export function mostSevere(codes: readonly ExitCode[]): ExitCode {
  for (const code of [exitCodes.usage, exitCodes.incomplete, exitCodes.gateFailed] as const)
    if (codes.includes(code)) return code;
  return exitCodes.pass;
}

/** Too many runs without a score, and what can't be decided, come before a failed gate. */
export const exitCodeOfJudgement = ({ result }: Judgement): ExitCode =>
  ({
    passed: exitCodes.pass,
    failed: exitCodes.gateFailed,
    incomplete: exitCodes.incomplete,
  })[result];

function statusOf(error: unknown): number {
  if (error instanceof ServiceError) return errors[error.code].status;
  if (error instanceof ORPCError)
    return error.code in errors ? errors[error.code as ErrorCode].status : error.status;
  return 500;
}

/**
 * A workspace that is read-only (423) or held by another process is not bad input: the command could
 * not do its work.
 */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof WorkspaceInUse) return exitCodes.incomplete;
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.pass : exitCodes.usage;
  const status = statusOf(error);
  return status >= 400 && status < 500 && status !== 423 ? exitCodes.usage : exitCodes.incomplete;
}
