import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { orElse } from '../../../../src-shared/domain/orElse.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type {
  ExecutionError,
  ExecutionStatus,
} from '../../../../src-shared/domain/toolExecution.ts';

export interface ExecutionResult {
  status: Extract<ExecutionStatus, 'SUCCESS' | 'FAILED' | 'TIMEOUT' | 'CANCELLED'>;
  output: JsonValue;
  error: { code: ExecutionError; message: string } | null;
  stderrTail: string;
  /** The beginning of output that was not a valid result. */
  excerpt: string | null;
}

export interface ExecutionCall {
  arguments: JsonObject;
  secrets: ReadonlyMap<string, string>;
  /** Takes secrets out of what the tool says, before it is cut. */
  redact: (text: string) => string;
  /** Time that is left of the tool's limit. */
  limitMs: number;
  /** How much memory each process of a script may allocate; null for no limit. */
  memoryBytes: number | null;
  /** Hosts that a person allowed by name, wherever they lead. */
  allowedHosts: readonly string[];
}

/** Larger outputs are of no use to a model or in a log. */
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

/** The beginning of an output as readable text, with a marker if it was cut. */
export function createExcerpt(
  bytes: Buffer,
  cut: boolean,
  redact: ExecutionCall['redact'],
): string | null {
  if (bytes.length === 0) return null;
  const text = redact(bytes.subarray(0, maxExcerptLength * 4).toString('utf8'));
  const shown = text.slice(0, maxExcerptLength);
  return cut || shown.length < text.length || bytes.length > maxExcerptLength * 4
    ? `${shown}\n… [cut: ` +
        `${cut ? `more than ${Math.round(maxOutputBytes / 1024)} kB were written` : `${formatCount(bytes.length)} bytes in all`}]`
    : shown;
}

/** Decodes UTF-8 strictly. Returns null instead of replacing invalid bytes. */
export function decodeText(bytes: Buffer): string | null {
  return orElse(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), null);
}
