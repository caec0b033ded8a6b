import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/*
 * Reads SQLite's write-ahead journal as SQLite does after a crash: frames count up to the last
 * commit before the first frame whose salts or running checksum don't fit.
 * https://www.sqlite.org/walformat.html
 */

export const headerBytes = 32;
export const frameHeaderBytes = 24;
/** The two magic numbers differ in the last bit, which says how words are read for checksums. */
export const magic = 0x377f0682;

export interface WalHeader {
  pageSize: number;
  /** Changes whenever SQLite starts the journal from its beginning again. */
  salt: number;
  /** The same for the whole session: the salt minus the number of its restarts. */
  identity: string;
}

/** Where a scan ended, to go on from there once more was committed. */
export interface WalPosition {
  header: WalHeader;
  /** Committed frames up to here. */
  frames: number;
  sums: readonly [number, number];
}

interface JournalPage {
  checksum: number;
  /** Where in the journal it begins. */
  offset: number;
}

export interface WalScan extends WalPosition {
  /** The newest version of each page, by page number. */
  pages: Map<number, JournalPage>;
  /** Pages of the database after the last commit; null where no commit was found. */
  pageCount: number | null;
}

/** Null where there is no journal with content, and `damaged` where its header is not SQLite's. */
export function readWalHeader(file: string): WalHeader | 'damaged' | null {
  const handle = openIfThere(file);
  if (handle === null) return null;
  try {
    return fstatSync(handle).size === 0 ? null : (parseHeader(handle)?.header ?? 'damaged');
  } finally {
    closeSync(handle);
  }
}

/**
 * Reads all committed frames up to `end`, or those after `from` where the journal was not restarted
 * since.
 */
export function scanWal(
  file: string,
  from: WalPosition | null = null,
  end = Number.POSITIVE_INFINITY,
): WalScan | null {
  const handle = openIfThere(file);
  if (handle === null) return null;
  try {
    const start = parseHeader(handle);
    if (start === null) return null;
    const goesOn = from?.header.salt === start.header.salt ? from : null;
    return scanFrames(handle, start.salts, goesOn ?? { ...start, frames: 0 }, end);
  } finally {
    closeSync(handle);
  }
}

function scanFrames(handle: number, salts: Buffer, from: WalPosition, end: number): WalScan {
  const { pageSize } = from.header;
  const frame = Buffer.from(new ArrayBuffer(frameHeaderBytes + pageSize));
  const sum = frameSum(handle, frame);
  const scan: WalScan = { ...from, pages: new Map(), pageCount: null };
  const uncommitted = new Map<number, JournalPage>();
  let sums = from.sums;
  for (let index = from.frames; ; index += 1) {
    if (index >= end) return scan;
    const at = headerBytes + index * frame.length;
    if (readSync(handle, frame, 0, frame.length, at) < frame.length) return scan;
    if (!frame.subarray(8, 16).equals(salts)) return scan;
    sums = sum(sums);
    if (frame.readUInt32BE(16) !== sums[0] || frame.readUInt32BE(20) !== sums[1]) return scan;
    uncommitted.set(frame.readUInt32BE(0), {
      checksum: crc32(frame.subarray(frameHeaderBytes)),
      offset: at + frameHeaderBytes,
    });
    const pageCount = frame.readUInt32BE(4);
    if (pageCount === 0) continue;
    for (const [number, page] of uncommitted) scan.pages.set(number, page);
    uncommitted.clear();
    Object.assign(scan, { frames: index + 1, sums, pageCount });
  }
}

/** The running checksum after a frame: over the first 8 bytes of its header, and its page. */
function frameSum(handle: number, frame: Buffer) {
  const head = frame.subarray(0, 8);
  const page = frame.subarray(frameHeaderBytes);
  const bigEndian = isBigEndian(handle);
  return (sums: readonly [number, number]) =>
    addWords(addWords(sums, head, bigEndian), page, bigEndian);
}

/** SQLite's running checksum over words of 32 bits. */
export function addWords(
  [first, second]: readonly [number, number],
  bytes: Buffer,
  bigEndian: boolean,
): [number, number] {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let a = first | 0;
  let b = second | 0;
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + words.getInt32(at, !bigEndian) + b) | 0;
    b = (b + words.getInt32(at + 4, !bigEndian) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
}

function isBigEndian(handle: number): boolean {
  const word = Buffer.alloc(4);
  readSync(handle, word, 0, 4, 0);
  return (word.readUInt32BE(0) & 1) === 1;
}

function parseHeader(handle: number): (Omit<WalPosition, 'frames'> & { salts: Buffer }) | null {
  const head = Buffer.alloc(headerBytes);
  if (readSync(handle, head, 0, headerBytes, 0) < headerBytes) return null;
  if ((head.readUInt32BE(0) & 0xfffffffe) >>> 0 !== magic) return null;
  const sums = addWords([0, 0], head.subarray(0, 24), isBigEndian(handle));
  if (head.readUInt32BE(24) !== sums[0] || head.readUInt32BE(28) !== sums[1]) return null;
  const salt = head.readUInt32BE(16);
  return {
    header: {
      pageSize: head.readUInt32BE(8),
      salt,
      identity: String((salt - head.readUInt32BE(12)) >>> 0),
    },
    sums,
    salts: head.subarray(16, 24),
  };
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
