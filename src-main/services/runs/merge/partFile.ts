import { closeSync, openSync, readSync } from 'node:fs';
import type { z } from 'zod';
import { FileTooLarge } from '../../../runtime/plainFile.ts';
import { createYielder } from '../../../runtime/yieldToEventLoop.ts';

const chunkBytes = 64 * 1024;
/** All of a report but its lists of runs fits into memory. */
const maxHeadBytes = 256 * 1024 * 1024;
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

function* chunksOf(file: string, position = 0): Generator<Buffer, void> {
  const fd = openSync(file, 'r');
  try {
    for (let at = position; ;) {
      const buffer = Buffer.allocUnsafe(chunkBytes);
      const length = readSync(fd, buffer, 0, chunkBytes, at);
      if (length === 0) return;
      at += length;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(fd);
  }
}

/** Follows JSON byte by byte: how deep it is, and whether it is within a string. */
class Nesting {
  depth = 0;
  inString = false;
  #isEscaped = false;

  /** Takes the next byte; false if it belongs to a string. */
  take(byte: number): boolean {
    if (this.inString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.inString = false;
      return false;
    }
    if (byte === quote) this.inString = true;
    else if (byte === openBrace || byte === openBracket) this.depth += 1;
    else if (byte === closeBrace || byte === closeBracket) this.depth -= 1;
    return byte !== quote;
  }
}

/** A report without its lists of runs, which can be larger than memory. */
export interface ScannedPart {
  /** The report as JSON, with `runs` and `shard.runs` empty. */
  head: string;
  /** How many runs `shard.runs` has, and where its first one is in the file; null: no such list. */
  runs: number;
  runsAt: number | null;
  /** Where the first row of the report's own list of runs is. */
  rowsAt: number | null;
}

/**
 * Reads the JSON report of a part once, and keeps all but its runs: memory doesn't grow with their
 * number. Throws TypeError for text that is not UTF-8, which no JSON with a NUL is, and FileTooLarge.
 */
export async function scanPart(file: string): Promise<ScannedPart> {
  const yieldIfDue = createYielder();
  const nesting = new Nesting();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const kept: Buffer[] = [];
  let keptBytes = 0;
  const keep = (part: Buffer): void => {
    kept.push(part);
    keptBytes += part.length;
  };
  /** The last string outside of the lists, as far as a key of interest is long. */
  let last = '';
  const path = ['', ''];
  let list: { depth: number; isOwn: boolean } | null = null;
  let [position, runs]: [number, number] = [0, 0];
  let runsAt: number | null = null;
  let rowsAt: number | null = null;
  for (const chunk of chunksOf(file)) {
    await yieldIfDue();
    if (chunk.includes(0)) throw new TypeError('It has a NUL.');
    if (keptBytes > maxHeadBytes) throw new FileTooLarge(position, maxHeadBytes);
    decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      const wasInString = nesting.inString;
      const isSign = nesting.take(byte);
      const { depth } = nesting;
      if (list !== null) {
        if (depth < list.depth) {
          list = null;
          from = at;
        } else if (list.isOwn && isSign && byte === comma && depth === list.depth) runs += 1;
        else if (list.isOwn && runs === 0 && byte > 0x20) runs = 1;
      } else if (depth > 3) continue;
      else if (wasInString) {
        if (nesting.inString && last.length < 8) last += String.fromCharCode(byte);
      } else if (byte === quote) last = '';
      else if (byte === colon && depth <= 2) path[depth - 1] = last;
      else if (byte === openBracket) {
        const isOwn = depth === 3 && path[0] === 'shard' && path[1] === 'runs';
        if (!isOwn && !(depth === 2 && path[0] === 'runs')) continue;
        list = { depth, isOwn };
        if (isOwn) runsAt = position + at + 1;
        else rowsAt = position + at + 1;
        keep(chunk.subarray(from, at + 1));
      }
    }
    if (list === null) keep(chunk.subarray(from));
    position += chunk.length;
  }
  decoder.decode();
  const head = Buffer.concat(kept)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  return { head, runs, runsAt, rowsAt };
}

/** One item of a list in a file, as JSON. */
interface ListedText {
  text: string;
  /** Its place in the file, in bytes. */
  at: number;
  length: number;
}

/** The items of a list whose first one is at a place of a file, one after the other. */
export function* listedTexts(file: string, start: number): Generator<ListedText, void> {
  const nesting = new Nesting();
  let pieces: Buffer[] = [];
  let begin = start;
  let position = start;
  for (const chunk of chunksOf(file, start)) {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      const isSign = nesting.take(byte);
      const isEnd = nesting.depth < 0;
      if (!isEnd && !(isSign && byte === comma && nesting.depth === 0)) continue;
      const text = Buffer.concat([...pieces, chunk.subarray(from, at)]).toString('utf8');
      if (text.trim() !== '') yield { text, at: begin, length: position + at - begin };
      if (isEnd) return;
      pieces = [];
      from = at + 1;
      begin = position + from;
    }
    pieces.push(chunk.subarray(from));
    position += chunk.length;
  }
}

/** The runs of a scanned part as JSON, one after the other, in its order. */
export function* runTexts(file: string, { runsAt }: ScannedPart): Generator<string, void> {
  if (runsAt === null) return;
  for (const { text } of listedTexts(file, runsAt)) yield text;
}

/** A part of an evaluation whose runs are read from its file one by one. */
export type PartOf<Head, Run> = Head & {
  runs: number;
  /** Of the runs that were read, how many were never started. */
  pending: number;
  eachRun: () => Generator<Run, void>;
};

/** Opens the report of a part. Throws ZodError or SyntaxError where it was changed. */
export async function openPart<Head, Run extends { status: string }>(
  file: string,
  head: z.ZodType<Head>,
  run: z.ZodType<Run>,
): Promise<PartOf<Head, Run>> {
  const scanned = await scanPart(file);
  const part = {
    ...head.parse(JSON.parse(scanned.head)),
    ...{ runs: scanned.runs, pending: 0 },
    *eachRun(): Generator<Run, void> {
      part.pending = 0;
      for (const text of runTexts(file, scanned)) {
        const read = run.parse(JSON.parse(text));
        if (read.status === 'pending') part.pending += 1;
        yield read;
      }
    },
  };
  return part;
}
