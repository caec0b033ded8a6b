import { createHash } from 'node:crypto';

/** A text is turned into bytes some at a time: all at once would take its size in memory again. */
const stepLength = 1024 * 1024;

/** SHA-256 of a text or of bytes, in hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  const hash = createHash('sha256');
  if (typeof data !== 'string' || data.length <= stepLength) return hash.update(data).digest('hex');
  for (let at = 0; at < data.length;) {
    // Both halves of a character stay together.
    const end =
      at + stepLength + ((data.charCodeAt(at + stepLength - 1) & 0xfc00) === 0xd800 ? 1 : 0);
    hash.update(data.slice(at, end));
    at = end;
  }
  return hash.digest('hex');
}
