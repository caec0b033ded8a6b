import { randomBytes } from 'node:crypto';

/** Random bytes that are drawn at once: drawing them one id at a time takes longer than all the rest. */
const pool = { bytes: Buffer.alloc(0), at: 0 };
const randomLength = 8;

/** The time of the last id in ms, and how many of that time there were. */
const last = { ms: 0, count: 0 };
const maxCount = 0xfff;

/**
 * A UUID of version 7 (RFC 9562): its time, a number that counts those of the same time, and 62 random
 * bits. What is made together so stands together in every index of ids; ids at random places would
 * write each page of an index again with each transaction of an import.
 */
export function orderedId(now: () => number = Date.now): string {
  // A clock that was set back doesn't break the order; after 4,096 ids, the next millisecond is used.
  const ms = Math.max(now(), last.ms);
  last.count = ms === last.ms ? last.count + 1 : 0;
  last.ms = ms;
  if (last.count > maxCount) {
    last.ms += 1;
    last.count = 0;
  }
  if (pool.at + randomLength > pool.bytes.length) {
    pool.bytes = randomBytes(128 * randomLength);
    pool.at = 0;
  }
  const time = last.ms.toString(16).padStart(12, '0');
  const count = last.count.toString(16).padStart(3, '0');
  const random = pool.bytes.toString('hex', pool.at, (pool.at += randomLength));
  // The first two of the random bits are those of the variant, 10.
  const variant = '89ab'[Number.parseInt(random.charAt(0), 16) & 3] ?? '8';
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
}
