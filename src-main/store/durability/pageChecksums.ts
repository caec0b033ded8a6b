import { formatCount } from '../../../src-shared/display/numbers.ts';
import { existsSync, fstatSync, readFileSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { writeDurably } from './durableFile.ts';
import { readRaw } from './rawFile.ts';
import type { WalScan } from './walFile.ts';

/*
 * SQLite keeps no checksums in a database file, and its extension that would needs a compiled
 * library. So a file beside the database holds a CRC-32 of every page. It finds every change of up
 * to three bits of a page and every burst of up to 32, and misses other damage once in four
 * billion pages. Each page is either as its checksum says or in the journal, at every moment: see
 * `checkpoints.ts`.
 */
export const checksumFile = (file: string) => `${file}.checksums`;

export interface PageChecksums {
  pageSize: number;
  /** By page number minus 1; 0 where the content doesn't matter. */
  sums: Uint32Array;
}

const mark = 'TSPAGES1';
const headBytes = 16;
const chunkBytes = 1024 * 1024;
/** SQLite locks bytes at this place and never stores anything on their page. */
const lockedByte = 0x4000_0000;

/** Null where there is no such file, or it is damaged itself. */
export function readChecksums(file: string): PageChecksums | null {
  const path = checksumFile(file);
  if (!existsSync(path)) return null;
  const bytes = readFileSync(path);
  const end = bytes.length - 4;
  if (end < headBytes || bytes.toString('latin1', 0, 8) !== mark) return null;
  if (bytes.readUInt32LE(end) !== crc32(bytes.subarray(0, end))) return null;
  const sums = new Uint32Array((end - headBytes) / 4);
  Buffer.from(sums.buffer).set(bytes.subarray(headBytes, end));
  return { pageSize: bytes.readUInt32LE(8), sums };
}

export function writeChecksums(file: string, { pageSize, sums }: PageChecksums): void {
  const bytes = Buffer.alloc(headBytes + sums.length * 4 + 4);
  bytes.write(mark, 'latin1');
  bytes.writeUInt32LE(pageSize, 8);
  bytes.set(new Uint8Array(sums.buffer, sums.byteOffset, sums.byteLength), headBytes);
  const end = bytes.length - 4;
  bytes.writeUInt32LE(crc32(bytes.subarray(0, end)), end);
  writeDurably(checksumFile(file), bytes);
}

/** The checksums with the pages that a journal holds put in, as they are after its checkpoint. */
export function withJournal({ pageSize, sums }: PageChecksums, scan: WalScan): PageChecksums {
  const next = new Uint32Array(scan.pageCount ?? sums.length);
  next.set(sums.subarray(0, next.length));
  for (const [page, { checksum }] of scan.pages) if (page <= next.length) next[page - 1] = checksum;
  return { pageSize, sums: next };
}

export function computeChecksums(file: string): PageChecksums {
  const pageSize = readPageSize(file);
  const sums: number[] = [];
  readRaw(file, (handle) => eachPage(handle, pageSize, (page) => sums.push(crc32(page))));
  ignoreLockedPage(sums, pageSize);
  return { pageSize, sums: Uint32Array.from(sums) };
}

/**
 * What differs between the database file and its checksums, in words; null if nothing does. Pages
 * that the journal holds are read from there, so they don't matter.
 */
export function findDamage(
  file: string,
  checksums: PageChecksums,
  journal: JournaledPages | null,
): string | null {
  return readRaw(file, (handle) => findDamageIn(handle, checksums, journal));
}

interface JournaledPages {
  pageCount: number | null;
  pages: ReadonlyMap<number, unknown>;
}

/** The same for a file that is open. */
export function findDamageIn(
  handle: number,
  { pageSize, sums }: PageChecksums,
  journal: JournaledPages | null,
): string | null {
  const journaled = journal?.pageCount == null ? null : journal;
  const pageCount = journaled?.pageCount ?? sums.length;
  const damaged: number[] = [];
  let index = 0;
  const bytes = eachPage(handle, pageSize, (page) => {
    const sum = sums[index] ?? 0;
    index += 1;
    if (index > pageCount || sum === 0 || journaled?.pages.has(index)) return;
    if (crc32(page) !== sum) damaged.push(index);
  });
  const wanted = pageCount * pageSize;
  if (journaled === null && bytes !== wanted)
    return `it has ${formatCount(bytes)} bytes instead of ${formatCount(wanted)}`;
  for (let page = index + 1; page <= Math.min(pageCount, sums.length); page += 1)
    if (!journaled?.pages.has(page)) damaged.push(page);
  const [first] = damaged;
  if (first === undefined) return null;
  return damaged.length === 1
    ? `page ${formatCount(first)} of ${formatCount(pageCount)} differs from its checksum`
    : `${formatCount(damaged.length)} of ${formatCount(pageCount)} pages differ from their checksums, the first is page ${formatCount(first)}`;
}

function ignoreLockedPage(sums: number[], pageSize: number): void {
  const index = lockedByte / pageSize;
  if (index < sums.length) sums[index] = 0;
}

function readPageSize(file: string): number {
  const size = Buffer.alloc(2);
  readRaw(file, (handle) => readSync(handle, size, 0, 2, 16));
  const stored = size.readUInt16BE(0);
  return stored === 1 ? 65_536 : stored;
}

/** Calls `visit` with each page, also a last one that is cut short; returns the bytes of the file. */
function eachPage(handle: number, pageSize: number, visit: (page: Buffer) => void): number {
  const chunk = Buffer.alloc(chunkBytes);
  let at = 0;
  for (;;) {
    const read = readSync(handle, chunk, 0, chunkBytes, at);
    if (read === 0) return fstatSync(handle).size;
    at += read;
    for (let page = 0; page < read; page += pageSize)
      visit(chunk.subarray(page, Math.min(page + pageSize, read)));
  }
}
