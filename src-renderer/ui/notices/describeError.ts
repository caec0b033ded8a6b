import { visibleText } from '../text/Foreign.tsx';

export interface DescribedError {
  /** What failed. */
  thing: string;
  cause: string;
  nextStep: string;
  code: string | null;
  /** The invalid input field, if the answer names it. */
  field: string | null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The core sends the path as text; a check on this side has it in parts. */
function issuePath(issue: Record<string, unknown>): string {
  if (typeof issue['path'] === 'string') return issue['path'];
  if (!Array.isArray(issue['path'])) return '';
  return issue['path']
    .map((part: unknown) => (isRecord(part) ? String(part['key']) : String(part)))
    .join('.');
}

/**
 * Turns what a failed call threw into text for people: typed errors as they are, rejected input by
 * its first issue, and a fallback for anything else.
 */
export function describeError(error: unknown): DescribedError {
  const code = isRecord(error) ? text(error['code']) : null;
  const data = isRecord(error) && isRecord(error['data']) ? error['data'] : null;
  const cause = data === null ? null : text(data['cause']);
  if (data !== null && cause !== null) {
    return {
      thing: text(data['thing']) ?? 'Something went wrong',
      cause,
      nextStep: text(data['nextStep']) ?? '',
      code,
      field: text(data['field']),
    };
  }
  const issues: unknown[] = data !== null && Array.isArray(data['issues']) ? data['issues'] : [];
  const first = issues.find(isRecord);
  if (first !== undefined) {
    const field = issuePath(first);
    return {
      thing: field === '' ? 'The input' : `The field “${field}”`,
      cause: text(first['message']) ?? 'Invalid value.',
      nextStep: 'Correct it and try again.',
      code,
      field: field === '' ? null : field,
    };
  }
  return {
    thing: 'Something went wrong',
    cause: error instanceof Error && error.message !== '' ? error.message : 'No reason given.',
    nextStep: 'Try again. If it keeps failing, report it with the details.',
    code,
    field: null,
  };
}

/**
 * The message for one form field, if the error is about that field (`config.url` counts for `url`).
 */
export function errorOfField(error: unknown, field: string): string | undefined {
  if (error === null || error === undefined) return undefined;
  const described = describeError(error);
  if (described.field === null) return undefined;
  const own =
    described.field === field ||
    described.field.endsWith(`.${field}`) ||
    described.field.startsWith(`${field}.`);
  return own ? visibleText(`${described.cause} ${described.nextStep}`.trim()) : undefined;
}

/** Everything that the error carries, as plain text for a bug report. */
export function errorDetails(error: unknown): string {
  const { thing, cause, nextStep, code, field } = describeError(error);
  const lines = [
    `${thing}: ${cause}`,
    nextStep,
    code === null ? '' : `Code: ${code}`,
    field === null ? '' : `Field: ${field}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}
