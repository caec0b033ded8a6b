import { z } from 'zod';
import { runCauseKinds, type RunCause } from '../../../../src-shared/domain/taskTools.ts';
import { published } from './published.ts';

/** A tool's id. */
export const tool = z.string().nullable();

/** What the model did; reports of earlier versions lack it. */
export const didDocument = published<RunCause>()({
  kind: z.enum(runCauseKinds),
  tool: tool.describe('The tool at fault; null: none is known.'),
  called: tool.describe('What was called in its place or last; null: nothing.'),
  limit: z.string().optional(),
})
  .nullable()
  .optional();

/** What became of the calls of a tool at its server; reports of earlier versions lack it. */
export const calledServer = {
  sent: z.int().optional().describe('Calls that were sent to the server.'),
  no_answer: [
    z
      .int()
      .optional()
      .describe('Calls that were sent and got no answer: each may have taken effect.'),
    'unanswered',
  ],
  crashes: z
    .int()
    .optional()
    .describe('Those of them during which the server or its connection ended.'),
} as const;
