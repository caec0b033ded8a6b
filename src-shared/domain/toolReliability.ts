import { z } from 'zod';
import { estimate } from './metrics.ts';

/** What became of the calls of one tool that were sent to its server. */
const toolReliability = z.object({
  tool: z.string(),
  calls: z.number().int(),
  /** Answered with an error, also one about arguments that a model got wrong. */
  errors: z.number().int(),
  /** Sent, and no usable answer came in time. */
  noAnswer: z.number().int(),
  /** Sent, and the server or its connection ended first. */
  crashes: z.number().int(),
  /** All three ÷ calls, with runs as clusters of the interval. */
  failureRate: estimate,
  /** Milliseconds of the calls that were answered, by nearest rank; null if none was. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
});
export type ToolReliability = z.infer<typeof toolReliability>;

/** The calls of a server in task evaluations that executed tools. */
export const serverReliability = z.object({
  /** Evaluations that are looked at: the newest ones. */
  evaluations: z.number().int(),
  runs: z.number().int(),
  /** The tool that fails most often first. */
  tools: z.array(toolReliability),
});
export type ServerReliability = z.infer<typeof serverReliability>;
