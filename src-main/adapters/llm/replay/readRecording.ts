import { orElse } from '../../../../src-shared/domain/orElse.ts';
import { decodeText } from '../../../../src-shared/display/decodeText.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { errorCode } from '../../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import {
  recordedExchange,
  recordedOffer,
  recordedTask,
  type RecordedExchange,
  type RecordedOffer,
  type RecordedTask,
  type RecordedTools,
} from '../../../../src-shared/domain/recordedExchange.ts';
import { fileCause } from '../../../runtime/fileProblem.ts';
import { FileTooLarge, NotPlainFile, readPlainFile } from '../../../runtime/plainFile.ts';
import type { ServerListing } from '../../../../src-shared/domain/tool.ts';

/** A larger recording is rejected before it is read, because it would be held in memory. */
const maxBytes = 400 * 1024 * 1024;
const newline = 0x0a;

export interface Recording {
  /** In the order of the file. */
  exchanges: RecordedExchange[];
  /** Whole runs of tasks, in the order of the file. */
  tasks: RecordedTask[];
  /** Tools of the tasks' servers as they were last listed; null if none were recorded. */
  tools: RecordedTools | null;
  /** What was left out; null where nothing was. */
  warning: string | null;
}

/**
 * Reads a recording: JSON lines, skipping empty ones. An incomplete last line (no line end and
 * invalid JSON) is left out with a warning. Throws ServiceError INVALID with file and line for a
 * damaged line, NOT_FOUND where there is no file.
 */
export async function readRecording(file: string): Promise<Recording> {
  const bytes = asUtf8(await readBytes(file), file);
  const exchanges: RecordedExchange[] = [];
  const tasks: RecordedTask[] = [];
  const offers: RecordedTools[] = [];
  let line = 0;
  for (let start = 0; start < bytes.length;) {
    line += 1;
    const found = bytes.indexOf(newline, start);
    const end = found < 0 ? bytes.length : found;
    const { text, problem } = decodeText(bytes.subarray(start, end));
    start = end + 1;
    if (problem !== null && found >= 0)
      throw damagedLine(file, line, `Column ${problem.column}: ${problem.cause}`);
    if (text?.trim() === '') continue;
    const value = text === null ? undefined : parse(text);
    if (value === undefined && found < 0) {
      return {
        exchanges,
        tasks,
        tools: latestOf(offers),
        warning: `${file}: line ${line} was cut off while it was being written and is skipped.`,
      };
    }
    if (value === undefined) throw damagedLine(file, line, "It isn't valid JSON.");
    const kind = kindOf(value);
    const checked = schemas[kind].safeParse(value);
    if (!checked.success) {
      const issue = checked.error.issues[0];
      throw damagedLine(
        file,
        line,
        "It isn't a recorded exchange: " +
          `${issue ? `"${issue.path.join('.')}": ${issue.message}` : 'its format is different'}.`,
      );
    }
    // The value from the file, not the schema's copy: a byte-identical replay keeps the key order.
    if (kind === 'offer') offers.push((value as RecordedOffer).offered);
    else if (kind === 'task') tasks.push(value as RecordedTask);
    else exchanges.push(value as RecordedExchange);
  }
  return { exchanges, tasks, tools: latestOf(offers), warning: null };
}

const schemas = { exchange: recordedExchange, task: recordedTask, offer: recordedOffer };

function kindOf(value: unknown): keyof typeof schemas {
  if (typeof value !== 'object' || value === null) return 'exchange';
  if ('offered' in value) return 'offer';
  return 'task' in value ? 'task' : 'exchange';
}

/** Joins listings by server: the last one of each counts, like the last answer to a request. */
function latestOf(offers: readonly RecordedTools[]): RecordedTools | null {
  if (offers.length === 0) return null;
  const latest = new Map<string, { from: RecordedTools; listing: ServerListing }>();
  for (const from of offers)
    for (const listing of from.servers) latest.set(listing.server, { from, listing });
  const kept = [...latest.values()];
  return {
    servers: kept.map(({ listing }) => listing),
    tools: kept.flatMap(({ from, listing }) =>
      from.tools.filter(({ tool }) => tool.server === listing.server),
    ),
  };
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readPlainFile(file, { maxBytes });
  } catch (error) {
    const isLarge = error instanceof FileTooLarge;
    const isUnfit = isLarge || error instanceof NotPlainFile;
    throw new ServiceError(
      isUnfit ? 'INVALID' : errorCode(error) === 'ENOENT' ? 'NOT_FOUND' : 'TROUBLE',
      {
        thing: `Recording ${file}`,
        cause: fileCause(error, 'read'),
        nextStep: isLarge
          ? 'Record fewer cases per file.'
          : 'Choose a file that an evaluation was recorded to.',
        field: 'replayFile',
      },
      { cause: error },
    );
  }
}

/** A recording with a byte order mark of UTF-16, as UTF-8: its lines are found by their bytes. */
function asUtf8(bytes: Buffer, file: string): Buffer {
  if (!/^(?:fffe|feff|00|..00)/.test(bytes.toString('hex', 0, 2))) return bytes;
  const { text, problem } = decodeText(bytes);
  if (problem !== null)
    throw damagedLine(file, problem.line, `Column ${problem.column}: ${problem.cause}`);
  return Buffer.from(text);
}

function parse(text: string): unknown {
  return orElse(() => parseJson(text), undefined);
}

function damagedLine(file: string, line: number, cause: string): ServiceError {
  return new ServiceError('INVALID', {
    thing: `Recording ${file}, line ${line}`,
    cause,
    nextStep: 'Remove the line, or record the evaluation again.',
    field: 'replayFile',
  });
}
