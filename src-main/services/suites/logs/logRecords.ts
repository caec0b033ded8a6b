import { closeSync, fstatSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { maxSuiteFileBytes } from '../../../../src-shared/contract/suites.ts';
import { recognizeBytes } from '../../../../src-shared/display/fileKinds.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { orElse } from '../../../../src-shared/domain/orElse.ts';
import { NotPlainFile, openPlainFileSync } from '../../../runtime/plainFile.ts';
import type { OnRead } from '../exchange/caseExchange.ts';
import { readMessages } from '../exchange/chatMessages.ts';
import { readCsv } from '../exchange/csvText.ts';

export type LogRecord = { line: number; value: JsonObject } | { line: number; why: string };

export type LogSource = { text: string } | { path: string };

/** Why a log as a whole can’t be read. */
export class UnreadableLog extends Error {
  override readonly name = 'UnreadableLog';
}

const megabytes = maxSuiteFileBytes / 1024 / 1024;
const chunkBytes = 1024 * 1024;

/**
 * The records of a log: the objects of JSON lines, those of a list in JSON, or the rows of a table.
 * Lines are read one after the other, so that a file may have any size; every other form is read at
 * once. Throws UnreadableLog.
 */
export function* logRecords(
  source: LogSource,
  fileName: string,
  onRead: OnRead = () => undefined,
): Generator<LogRecord> {
  const chunks = 'text' in source ? [source.text] : chunksOf(source.path, onRead);
  let rest = '';
  let line = 0;
  let isLines: boolean | null = null;
  for (const chunk of chunks) {
    rest += chunk;
    isLines ??= startsWithRecord(rest);
    if (isLines !== true) {
      if (rest.length > maxSuiteFileBytes)
        throw new UnreadableLog(
          `It isn’t JSON lines, and has more than the ${megabytes} MB that are read at once. Write one record per line: \`jq -c ${quoted(rest)} FILE\`.`,
        );
      continue;
    }
    const parts = rest.split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield* readLine(part, ++line);
    if (rest.length > maxSuiteFileBytes)
      throw new UnreadableLog(`Line ${line + 1} has more than ${megabytes} MB.`);
  }
  if (isLines === true) yield* readLine(rest, ++line);
  else if (rest.trim() !== '') yield* readWhole(rest, fileName);
}

/** What jq takes of a document that begins so, to print each of its records on a line. */
const quoted = (start: string): string =>
  /^\ufeff?\s*\{\s*"resourceSpans"/.test(start)
    ? "'.resourceSpans[] | {resourceSpans: [.]}'"
    : "'.[]'";

/** Whether the first line that isn’t empty is a whole object; null while it isn’t complete. */
function startsWithRecord(text: string): boolean | null {
  const start = text.replace(/^\ufeff/, '').trimStart();
  if (start !== '' && !start.startsWith('{')) return false;
  const end = start.indexOf('\n');
  if (end < 0) return null;
  return (
    isJsonObject(readJson(start.slice(0, end)) ?? null) ||
    /^\{\s*"[^]*\}\s*$/.test(start.slice(0, end))
  );
}

const readJson = (text: string): JsonValue | undefined =>
  orElse(() => parseJson(text.replace(/^\ufeff/, '')) as JsonValue, undefined);

function* readLine(text: string, line: number): Generator<LogRecord> {
  if (text.trim() === '') return;
  const value = readJson(text);
  if (isJsonObject(value ?? null)) yield { line, value: value as JsonObject };
  else
    yield {
      line,
      why: value === undefined ? 'It isn’t JSON, perhaps cut off.' : 'It isn’t a JSON object.',
    };
}

function* readWhole(text: string, fileName: string): Generator<LogRecord> {
  const value = readJson(text);
  if (value !== undefined) {
    const whole = Array.isArray(value) && isConversation(value) ? { messages: value } : value;
    const list = Array.isArray(whole) ? whole : [whole];
    for (const [at, each] of list.entries())
      yield isJsonObject(each)
        ? { line: at + 1, value: each }
        : { line: at + 1, why: 'It isn’t a JSON object.' };
    return;
  }
  const objects = oneAfterAnother(text);
  if (objects.length > 0) {
    for (const [at, each] of objects.entries()) yield { line: at + 1, value: each };
    return;
  }
  if (!/\.(?:csv|tsv)$/i.test(fileName))
    throw new UnreadableLog(
      /^\s*[[{]/.test(text)
        ? 'Its JSON can’t be read: it may be cut off. JSON lines are read as far as they go.'
        : 'It is neither JSON nor JSON lines. Export the log as one of them.',
    );
  const { header, rows, problem } = readCsv(text);
  if (problem !== null) throw new UnreadableLog(problem.message);
  for (const { cells, line } of rows)
    yield {
      line,
      value: Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])),
    };
}

/** Objects on several lines, one after the other, as some programs append them to a file; none if there is anything else. */
function oneAfterAnother(text: string): JsonObject[] {
  const parts = text.trim().split(/(?<=^\})\s*\n(?=\{)/m);
  const read = parts.map(readJson);
  return parts.length > 1 && read.every((each) => isJsonObject(each ?? null))
    ? (read as JsonObject[])
    : [];
}

/** Whether a list is one conversation: its entries are messages, and a model said some of them. */
const isConversation = (list: JsonValue[]): boolean =>
  list.length > 1 &&
  list.every(
    (each) => isJsonObject(each) && ['content', 'parts', 'data'].some((name) => name in each),
  ) &&
  readMessages(list)?.some(({ role }) => role === 'assistant') === true;

function openLog(path: string): number {
  try {
    return openPlainFileSync(path);
  } catch (error) {
    throw error instanceof NotPlainFile ? new UnreadableLog(error.message) : error;
  }
}

/** The text of a file, part by part. */
function* chunksOf(path: string, onRead: OnRead): Generator<string> {
  const file = openLog(path);
  try {
    const decoder = new StringDecoder('utf8');
    const bytes = Buffer.alloc(chunkBytes);
    const { size } = fstatSync(file);
    let done = 0;
    let isFirst = true;
    for (;;) {
      const length = readSync(file, bytes, 0, chunkBytes, null);
      if (length === 0) break;
      const part = bytes.subarray(0, length);
      if (isFirst) {
        const kind = recognizeBytes(part);
        if (kind !== null) throw new UnreadableLog(`It’s ${kind.kind}. ${kind.remedy}`);
        if (part.includes(0)) throw new UnreadableLog('It isn’t text in UTF-8. Save it as UTF-8.');
      }
      isFirst = false;
      yield decoder.write(part);
      onRead((done += length), size);
    }
    yield decoder.end();
  } finally {
    closeSync(file);
  }
}
