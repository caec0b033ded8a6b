import { z } from 'zod';

/** One line of the log of what a server and this program send each other. Its text is read apart. */
const protocolMessage = z.object({
  /** Counts what was recorded for this server since the program started, from 1. */
  seq: z.number().int(),
  at: z.string(),
  /** Counts the connections to this server, from 1. */
  connection: z.number().int(),
  from: z.enum(['client', 'server']),
  /**
   * `text` is what should be a message and is none. `http` is a request with its status and headers,
   * `stderr` what the server prints, and `process` its start or end.
   */
  kind: z.enum(['request', 'notification', 'result', 'error', 'text', 'http', 'stderr', 'process']),
  /** Of a result or an error, the method of the request that it answers; null if none waits for it. */
  method: z.string().nullable(),
  /** The tool of a call and of its answer. */
  tool: z.string().nullable(),
  messageId: z.string().nullable(),
  answers: z.number().int().nullable(),
  /** From the request to its answer, in milliseconds. */
  durationMs: z.number().nullable(),
  /** The size of the whole message, in bytes of UTF-8. */
  bytes: z.number().int(),
  failed: z.boolean(),
  /** True if only the beginning of its text is kept. */
  isCut: z.boolean(),
  /** The beginning of what it says. */
  preview: z.string(),
});
export type ProtocolMessage = z.infer<typeof protocolMessage>;

export const protocolMessages = z.object({
  messages: z.array(protocolMessage),
  /** The first line that is kept. Lines before it were dropped or cleared. */
  firstSeq: z.number().int(),
  /** The last line that was recorded, whether it matches the search or not. */
  lastSeq: z.number().int(),
  /** Lines that were dropped since the log was cleared last, because newer ones needed the space. */
  dropped: z.number().int(),
});
export type ProtocolMessages = z.infer<typeof protocolMessages>;

/** What is kept for each server; older lines are dropped. */
export const maxProtocolMessages = 1000;
export const maxProtocolBytes = 4 * 1024 * 1024;
