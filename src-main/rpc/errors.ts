import { randomBytes } from 'node:crypto';
import { ORPCError } from '@orpc/client';
import { ValidationError } from '@orpc/contract';
import { errors, ServiceError } from '../../src-shared/contract/errors.ts';
import type { Log } from '../runtime/log.ts';

/** One issue of an input, in the words of the schema. */
export interface InputIssue {
  path: string;
  message: string;
}

/** An answer lists at most this many issues: a hostile input can have millions. */
const maxIssues = 20;
const maxTextLength = 300;

function shorten(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

function pathOf(path: readonly (PropertyKey | { key: PropertyKey })[] | undefined): string {
  return shorten(
    (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
  );
}

/** A BAD_REQUEST that names the invalid fields. The input itself is never sent back. */
export function badRequest(
  name: string,
  issues: readonly InputIssue[],
): ORPCError<'BAD_REQUEST', { issues: InputIssue[] }> {
  const listed = issues.slice(0, maxIssues);
  const first = listed[0];
  const where = first === undefined || first.path === '' ? '' : `${first.path}: `;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new ORPCError('BAD_REQUEST', {
    message: `${name}: ${where}${first?.message ?? 'The input is not valid.'}${more}`,
    data: { issues: listed },
  });
}

/**
 * Converts every exception to an answer: a ServiceError keeps its code and data, invalid input says
 * where, and everything else is logged under a short reference, which is all that the caller sees.
 */
export function toWireError(error: unknown, name: string, log: Log): ORPCError<string, unknown> {
  if (error instanceof ServiceError) {
    return new ORPCError(error.code, {
      status: errors[error.code].status,
      message: error.message,
      data: error.data,
    });
  }
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST') {
    const { cause } = error;
    if (!(cause instanceof ValidationError)) return error as ORPCError<string, unknown>;
    return badRequest(
      name,
      cause.issues.map((issue) => ({ path: pathOf(issue.path), message: shorten(issue.message) })),
    );
  }
  const reference = randomBytes(4).toString('hex');
  log.error(`${reference} ${name}: ${describe(error)}`);
  return new ORPCError('INTERNAL_SERVER_ERROR', {
    message:
      `${name}: something went wrong inside Touchstone. The log has the details under ` +
      `${reference}.`,
    data: { reference },
  });
}

/** The same error without secrets in its message and data. */
export function redactError(
  error: ORPCError<string, unknown>,
  redactValue: <T>(value: T) => T,
): ORPCError<string, unknown> {
  const { code, status } = error;
  const [message, data] = [redactValue(error.message), redactValue(error.data)];
  return message === error.message && data === error.data
    ? error
    : new ORPCError(code, { status, message, data });
}

function describe(error: unknown): string {
  if (error instanceof ValidationError) {
    return `${error.message}: ${error.issues
      .slice(0, maxIssues)
      .map((issue) => `${pathOf(issue.path)}: ${shorten(issue.message)}`)
      .join('; ')}`;
  }
  if (!(error instanceof Error)) return shorten(String(error));
  const cause = error.cause === undefined ? '' : ` <- ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
