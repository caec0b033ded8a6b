import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  evaluation,
  evaluationEvent,
  evaluationPlan,
  evaluationRequest,
  evaluationSummary,
  runDetail,
  runFilter,
  runRow,
} from '../domain/evaluation.ts';
import { suiteFile } from '../domain/suiteFile.ts';
import { inlineTool, rejectedTool, toolSnapshot } from '../domain/tool.ts';
import { whatIfChange } from '../domain/whatIf.ts';
import { listingChanges } from './servers.ts';
import { procedure } from './base.ts';
import { undoToken } from './servers.ts';

/** A file of tools is refused above this size, before it is parsed. */
const maxToolsFileLength = 64 * 1024 * 1024;

const byId = z.strictObject({ id: z.string() });
export const runSorts = [
  'position',
  'classification',
  'parameterCorrectness',
  'executionTimeMs',
  'confidence',
] as const;

const page = z.strictObject({
  id: z.string(),
  filter: runFilter.default({}),
  sort: z.enum(runSorts).default('position'),
  descending: z.boolean().default(false),
  offset: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).max(500).default(100),
});

/** One server's tools as an evaluation froze them, against a listing of that server. */
export const toolChange = z.object({
  server: z.string(),
  serverId: z.string().nullable(),
  /**
   * `before`: against the last listing before the tools were frozen; `during`: against the first
   * one while the evaluation ran, or at its end, that differs.
   */
  when: z.enum(['before', 'during']),
  /** When that listing was made. */
  seenAt: z.string(),
  /** From what was earlier to what was later. */
  changes: listingChanges,
});
export type ToolChange = z.infer<typeof toolChange>;

export const evaluationsContract = {
  list: procedure
    .input(
      z.strictObject({
        suiteId: z.string().optional(),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    )
    .output(z.array(evaluation)),
  get: procedure.input(byId).output(evaluation),
  /** What `start` would do, without doing it. */
  plan: procedure.input(evaluationRequest).output(evaluationPlan),
  /**
   * The same, with what goes in counted by the endpoints of the models where they can: one request
   * for each list of servers, which no model answers.
   */
  countPlan: procedure.input(evaluationRequest).output(evaluationPlan),
  /** Commits the plan and answers with the evaluation: accepted is not finished. */
  start: procedure.input(evaluationRequest).output(evaluation),
  /**
   * Repeats an evaluation's frozen cases on its frozen tools with changes; compared with it, it
   * tells which cases flip.
   */
  whatIf: procedure
    .input(
      z.strictObject({
        id: z.string(),
        /** Null = all its models. */
        modelSettingsId: z.string().nullable().default(null),
        changes: z.array(whatIfChange).min(1, 'Change at least one tool.').max(1000),
        repetitions: z.number().int().min(1).max(100).optional(),
      }),
    )
    .output(evaluation),
  /** Reads a file of tools for a what-if; nothing is written. */
  readTools: procedure
    .input(
      z.strictObject({
        fileName: z.string().max(1000),
        text: z.string().max(maxToolsFileLength),
      }),
    )
    .output(z.object({ tools: z.array(inlineTool), rejected: z.array(rejectedTool) })),
  /**
   * Puts the case of one run to the same model again, on the same frozen tools, as an evaluation of
   * its own.
   */
  rerunCase: procedure
    .input(z.strictObject({ id: z.string(), runId: z.string() }))
    .output(evaluation),
  cancel: procedure.input(byId).output(evaluation),
  resume: procedure.input(byId).output(evaluation),
  /**
   * Every event after `afterSeq`, in order; ends after `ended`. A reader that falls behind is cut
   * off with LAGGED and may resume.
   */
  watch: procedure
    .input(z.strictObject({ id: z.string(), afterSeq: z.number().int().min(0).default(0) }))
    .output(eventIterator(evaluationEvent)),
  summary: procedure
    .input(z.strictObject({ id: z.string(), modelSettingsId: z.string().nullable().default(null) }))
    .output(evaluationSummary),
  runs: procedure.input(page).output(z.object({ rows: z.array(runRow), total: z.number().int() })),
  run: procedure
    .input(page.omit({ offset: true, limit: true }).extend({ runId: z.string() }))
    .output(runDetail),
  /** Where a run stands in the list; null where the filter leaves it out. */
  runPlace: procedure
    .input(page.omit({ offset: true, limit: true }).extend({ runId: z.string() }))
    .output(z.object({ index: z.number().int().nullable() })),
  snapshot: procedure.input(byId).output(toolSnapshot.nullable()),
  /**
   * Servers whose tools were others when they were last seen before the evaluation, or became
   * others while it ran: what marks its runs.
   */
  toolChanges: procedure.input(byId).output(z.array(toolChange)),
  rescore: procedure
    .input(
      z.strictObject({
        id: z.string(),
        highConfidence: z.number().min(0).max(1).optional(),
        /**
         * `suite`: by the expectations that the suite has now, where a case still asks the same
         * query.
         */
        expectations: z.enum(['frozen', 'suite']).optional(),
        /** Expectations of this file instead. */
        suite: suiteFile.optional(),
      }),
    )
    .output(evaluationSummary),
  deleteRawTraffic: procedure.input(byId).output(z.object({ runs: z.number().int() })),
  remove: procedure.input(byId).output(undoToken),
};
