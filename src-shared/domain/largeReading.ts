import { z } from 'zod';
import { jsonValue, type JsonValue } from './json.ts';

/** Hashes of a value and, as far as there is room, of what is in it. */
export interface Outline {
  /** The beginning of the SHA-256 of its JSON with sorted keys. */
  hash: string;
  /** Elements of a list. */
  length?: number | undefined;
  /** By name or index; by `0-511` for elements of a long list. Absent: there was no room. */
  inner?: Record<string, Outline> | undefined;
}
const outline: z.ZodType<Outline> = z.lazy(() =>
  z.strictObject({
    hash: z.string(),
    length: z.int().optional(),
    inner: z.record(z.string(), outline).optional(),
  }),
);

/** What is kept of a reading that is too long to be kept whole. */
export const largeReading = z.strictObject({
  /** Characters of the whole reading. */
  length: z.int(),
  /** What was read of it: a part, and how that is compared. */
  of: z.string(),
  /** The pointer to the part. */
  at: z.string(),
  /** `kept`: it is the text of the result, as JSON; `hashed`: it is too long as well. */
  part: z.enum(['kept', 'missing', 'hashed']),
  /** Characters of a hashed part as JSON with sorted keys. */
  partLength: z.int().optional(),
  /** Of a hashed part that is compared with another reading. */
  outline: outline.optional(),
  /** Of a hashed part that is compared with a value: what the comparison said. */
  verdict: z
    .strictObject({
      passed: z.boolean().nullable(),
      reason: z.string(),
      actual: (jsonValue as z.ZodType<JsonValue, JsonValue>).optional(),
    })
    .optional(),
});
export type LargeReading = z.infer<typeof largeReading>;
