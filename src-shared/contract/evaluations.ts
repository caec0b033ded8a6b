import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  evaluation,
  evaluationEvent,
  evaluationRequest,
  evaluationSettings,
  evaluationSummary,
  runDetail,
  runFilter,
  runRow,
} from '../domain/evaluation.ts';
import { evaluationPlan } from '../domain/evaluationPlan.ts';
import { shardReport } from '../domain/shardContent.ts';
import { sentToolsOfModel } from '../domain/sentTools.ts';
import { suiteFile } from '../domain/suiteFile.ts';
import { argumentsMode } from '../domain/testCase.ts';
import { inlineTool, rejectedTool, toolSnapshot } from '../domain/tool.ts';
import { runSorts } from '../domain/runSorts.ts';
import { whatIfChange } from '../domain/whatIf.ts';
import { listingChanges } from './servers.ts';
import { procedure } from './base.ts';
import { undoToken } from './servers.ts';

/** A larger tools file is rejected before it is parsed. */
const maxToolsFileLength = 64 * 1024 * 1024;

const byId = z.strictObject({ id: z.string() });

const page = z.strictObject({
  id: z.string(),
  filter: runFilter.default({}),
  sort: z.enum(runSorts).default('position'),
  descending: z.boolean().default(false),
  offset: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).max(500).default(100),
});

/** How one server's frozen tools differ from one of its listings. */
const toolChange = z.object({
  server: z.string(),
  serverId: z.string().nullable(),
  /**
   * `before`: compared with the last listing before the tools were frozen. `during`: compared with
   * the first different listing while the evaluation ran or when it ended.
   */
  when: z.enum(['before', 'during']),
  /** When that listing was made. */
  seenAt: z.string(),
  /** Changes from the earlier to the later state. */
  changes: listingChanges,
});
export type ToolChange = z.infer<typeof toolChange>;

export const evaluationsContract = {
  list: procedure
    .input(
      z.strictObject({
        suiteId: z.string().optional(),
        limit: z.number().int().min(1).max(500).default(100),
        /**
         * `originals`: the limit counts evaluations that people started for their own sake, and
         * the derived ones since then come along. Not for one suite.
         */
        limitOf: z.enum(['all', 'originals']).optional(),
      }),
    )
    .output(z.array(evaluation)),
  get: procedure.input(byId).output(evaluation),
  /** What `start` would do, without doing it. */
  plan: procedure.input(evaluationRequest).output(evaluationPlan),
  /**
   * Like `plan`, with input tokens counted by the models' endpoints that can: one request per list
   * of servers, which no model answers.
   */
  countPlan: procedure.input(evaluationRequest).output(evaluationPlan),
  /** Commits the plan and returns the evaluation, which is then accepted but not finished. */
  start: procedure.input(evaluationRequest).output(evaluation),
  /**
   * Repeats an evaluation's frozen cases on its frozen tools with changes. Comparing the two shows
   * which cases flip.
   */
  whatIf: procedure
    .input(
      z.strictObject({
        id: z.string(),
        /** Null = all models of the evaluation. */
        modelSettingsId: z.string().nullable().default(null),
        changes: z.array(whatIfChange).min(1, 'Change at least one tool.').max(1000),
        repetitions: z.number().int().min(1).max(100).optional(),
        /** Replaces the limit of the evaluation; if missing, that one holds. */
        spendLimitUsd: evaluationSettings.shape.spendLimitUsd.unwrap().optional(),
      }),
    )
    .output(evaluation),
  /** Reads a tools file for a what-if. Nothing is written. */
  readTools: procedure
    .input(
      z.strictObject({
        fileName: z.string().max(1000),
        text: z.string().max(maxToolsFileLength),
      }),
    )
    .output(z.object({ tools: z.array(inlineTool), rejected: z.array(rejectedTool) })),
  /**
   * Runs the case of one run again with the same model on the same frozen tools, as a new
   * evaluation.
   */
  rerunCase: procedure
    .input(z.strictObject({ id: z.string(), runId: z.string() }))
    .output(evaluation),
  /**
   * Makes one ended evaluation of the JSON reports of all its parts. INVALID where they are not the
   * parts of one evaluation.
   */
  merge: procedure
    .input(z.strictObject({ parts: z.array(shardReport).min(1).max(1000) }))
    .output(evaluation),
  cancel: procedure.input(byId).output(evaluation),
  resume: procedure.input(byId).output(evaluation),
  /**
   * Every event after `afterSeq`, in order; ends after `ended`. A reader that falls behind gets
   * LAGGED and can resume.
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
  /** Index of a run in the list; null if the filter excludes it. */
  runPlace: procedure
    .input(page.omit({ offset: true, limit: true }).extend({ runId: z.string() }))
    .output(z.object({ index: z.number().int().nullable() })),
  snapshot: procedure.input(byId).output(toolSnapshot.nullable()),
  /**
   * Servers whose tools changed since they were last seen before the evaluation, or while it ran.
   * These mark its runs.
   */
  toolChanges: procedure.input(byId).output(z.array(toolChange)),
  /**
   * What each model was sent of the frozen tools, and what of them was left out or changed. Empty
   * until they are frozen.
   */
  sentTools: procedure.input(byId).output(z.array(sentToolsOfModel)),
  rescore: procedure
    .input(
      z.strictObject({
        id: z.string(),
        highConfidence: z.number().min(0).max(1).optional(),
        /** Cases whose suite or own setting names a mode keep it. */
        argumentsMode: argumentsMode.optional(),
        /**
         * `suite`: uses the current expectations of the suite for cases whose query is unchanged.
         */
        expectations: z.enum(['frozen', 'suite']).optional(),
        /** Uses the expectations of this file instead. */
        suite: suiteFile.optional(),
      }),
    )
    .output(evaluationSummary),
  deleteRawTraffic: procedure.input(byId).output(z.object({ runs: z.number().int() })),
  remove: procedure.input(byId).output(undoToken),
};
