import { closeSync, openSync, readSync } from 'node:fs';
import { addWords, frameHeaderBytes, headerBytes, magic } from './walFile.ts';

export interface SalvagedJournal {
  pageSize: number;
  /** Pages of the database after the last readable commit; null where no commit is readable. */
  pageCount: number | null;
  /** Where the newest readable version of each page begins, by page number. */
  pages: Map<number, number>;
  /** Frames that were committed, and those of them that are damaged or gone. */
  frames: number;
  damaged: number;
}

type Sums = readonly [number, number];

const isPageSize = (bytes: number): boolean =>
  bytes >= 512 && bytes <= 65_536 && Number.isInteger(Math.log2(bytes));

/**
 * Reads a journal past damaged frames. The header of each frame holds the running checksum up to it,
 * so the frame after a damaged one is checked from there, or, where that checksum itself is damaged,
 * from the one that was computed. Frames count up to the last readable commit, or up to the number
 * that the session recorded. Null where it has no readable frame.
 * https://www.sqlite.org/fileformat2.html#the_write_ahead_log (format, and checksum algorithm)
 *
 * @param pageSizeOfFile for a journal whose beginning is damaged
 * @param committed what the session recorded: the first salt of the journal and its frames
 */
export function readDamagedJournal(
  file: string,
  pageSizeOfFile: number,
  committed: { salt: number; frames: number } | null,
): SalvagedJournal | null {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(headerBytes);
    readSync(handle, head, 0, headerBytes, 0);
    const word = head.readUInt32BE(0);
    const said = (word & 1) === 1;
    const [first, second] = addWords([0, 0], head.subarray(0, 24), said);
    const isSound =
      (word & 0xfffffffe) >>> 0 === magic &&
      first === head.readUInt32BE(24) &&
      second === head.readUInt32BE(28);
    const written = head.readUInt32BE(8);
    // A damaged beginning says nothing; the database has the same page size.
    const pageSize = isPageSize(pageSizeOfFile) ? pageSizeOfFile : written;
    if (!isPageSize(pageSize)) return null;
    // The first frame is always of the present round, and says its salts too.
    if (!isSound) readSync(handle, head, 16, 8, headerBytes + 8);
    const found = (isSound ? [said] : [true, false]).map((bigEndian) =>
      readFrames(handle, { pageSize, bigEndian, head, committed }),
    );
    const best = found.reduce((a, b) => (b.pages.size > a.pages.size ? b : a));
    return best.pages.size === 0 ? null : best;
  } finally {
    closeSync(handle);
  }
}

function readFrames(
  handle: number,
  how: {
    pageSize: number;
    bigEndian: boolean;
    head: Buffer;
    committed: { salt: number; frames: number } | null;
  },
): SalvagedJournal {
  const { pageSize, bigEndian, head, committed } = how;
  const frame = Buffer.from(new ArrayBuffer(frameHeaderBytes + pageSize));
  const sum = (from: Sums): Sums =>
    addWords(
      addWords(from, frame.subarray(0, 8), bigEndian),
      frame.subarray(frameHeaderBytes),
      bigEndian,
    );
  /** The running checksums that may hold before the next frame. */
  let before: Sums[] = [[head.readUInt32BE(24), head.readUInt32BE(28)]];
  const salts = head.subarray(16, 24);
  const sound: { index: number; page: number; pageCount: number; offset: number }[] = [];
  let [end, pageCount] = [0, 0];
  for (let index = 0; ; index += 1) {
    const offset = headerBytes + index * frame.length;
    if (readSync(handle, frame, 0, frame.length, offset) < frame.length) break;
    const said: Sums = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
    const computed = before.map(sum);
    const isSound = computed.some(([a, b]) => a === said[0] && b === said[1]);
    // Frames that an earlier round of the journal left fit each other, but have other salts.
    const isOwn =
      frame.subarray(8, 16).equals(salts) || (isSound && sound.at(-1)?.index === index - 1);
    before = isSound ? [said] : [said, ...computed.slice(0, 1)];
    if (!isSound || !isOwn) continue;
    const commit = frame.readUInt32BE(4);
    sound.push({
      ...{ index, page: frame.readUInt32BE(0), pageCount: commit },
      offset: offset + frameHeaderBytes,
    });
    if (commit > 0) [end, pageCount] = [index + 1, commit];
  }
  const isRecorded = committed !== null && committed.salt === salts.readUInt32BE(0);
  const frames = Math.max(end, isRecorded ? committed.frames : 0);
  const kept = sound.filter(({ index }) => index < frames);
  return {
    ...{ pageSize, frames, damaged: frames - kept.length },
    pageCount: pageCount === 0 ? null : pageCount,
    pages: new Map(kept.map(({ page, offset }) => [page, offset])),
  };
}
