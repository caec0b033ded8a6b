import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type {
  ExecutionError,
  ExecutionStatus,
} from '../../../../src-shared/domain/toolExecution.ts';

/** How one execution ended. */
export interface ExecutionResult {
  status: Extract<ExecutionStatus, 'SUCCESS' | 'FAILED' | 'TIMEOUT' | 'CANCELLED'>;
  output: JsonValue;
  error: { code: ExecutionError; message: string } | null;
  stderrTail: string;
  /** What was written where it was no result. */
  excerpt: string | null;
}

export interface ExecutionCall {
  arguments: JsonObject;
  secrets: ReadonlyMap<string, string>;
  /** What is left of the tool's own limit. */
  limitMs: number;
}

/** Larger answers of a tool are no answers for a model, and not for a log either. */
export const maxOutputBytes = 1024 * 1024;
const maxExcerptLength = 4000;

export const succeeded = (output: JsonValue, stderrTail = ''): ExecutionResult => ({
  status: 'SUCCESS',
  output,
  error: null,
  stderrTail,
  excerpt: null,
});

export function failed(
  code: ExecutionError,
  message: string,
  more: { stderrTail?: string; excerpt?: string | null } = {},
): ExecutionResult {
  const status = code === 'timeout' ? 'TIMEOUT' : code === 'cancelled' ? 'CANCELLED' : 'FAILED';
  return {
    status,
    output: null,
    error: { code, message },
    stderrTail: more.stderrTail ?? '',
    excerpt: more.excerpt ?? null,
  };
}

/** The beginning of what was written, readable whatever it is, with a marker where it was cut. */
export function createExcerpt(bytes: Buffer, cut: boolean): string | null {
  if (bytes.length === 0) return null;
  const text = bytes.subarray(0, maxExcerptLength * 4).toString('utf8');
  const shown = text.slice(0, maxExcerptLength);
  return cut || shown.length < text.length || bytes.length > maxExcerptLength * 4
    ? `${shown}\n… [cut: ` +
        `${cut ? `more than ${Math.round(maxOutputBytes / 1024)} kB were written` : `${bytes.length} bytes in all`}]`
    : shown;
}

/** Strictly: what is no text is said, not replaced by question marks. */
export function decodeText(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
