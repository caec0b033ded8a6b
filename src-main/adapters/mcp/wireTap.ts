import type { TreeExit } from '../process/spawnTree.ts';

/** What a connection sends and receives, as it is on the wire, before anything is made of it. */
export type WireEvent =
  | ({ kind: 'sent' | 'received' | 'stderr' } & TappedText)
  | {
      kind: 'http';
      method: string;
      url: string;
      headers: readonly (readonly [name: string, value: string])[];
      /** Null if none came. */
      answer: {
        status: number;
        statusText: string;
        headers: readonly (readonly [name: string, value: string])[];
      } | null;
      /** Why no answer came; empty if one did. */
      problem: string;
    }
  | { kind: 'process'; pid: number; exit: TreeExit | null };

/** Called for every event of one connection, in order. It must not throw and returns at once. */
export type WireTap = (event: WireEvent) => void;

export interface TappedText {
  /** Its beginning, at most `maxTapped` bytes. */
  text: string;
  /** The size of all of it, in bytes of UTF-8. */
  bytes: number;
}

const maxTapped = 256 * 1024;

/** The beginning of a text, copied, because a part of a string keeps the whole one in memory. */
export function beginningOf(data: Buffer | string): TappedText {
  const start = typeof data === 'string' ? Buffer.from(data.slice(0, maxTapped)) : data;
  const isWhole = typeof data !== 'string' || data.length <= maxTapped;
  return {
    text: start.toString('utf8', 0, maxTapped),
    bytes: isWhole ? start.length : Buffer.byteLength(data),
  };
}
