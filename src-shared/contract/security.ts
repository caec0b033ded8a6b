import { z } from 'zod';
import { modelConfiguration } from '../domain/model.ts';
import { detectionBaseline } from '../domain/detectionBaseline.ts';
import {
  corpusEntry,
  corpusOverview,
  ruleDetectors,
  scanReport,
  scoreReport,
  toolFinding,
} from '../domain/security.ts';
import { rejectedTool, tool } from '../domain/tool.ts';
import { procedure } from './base.ts';

const byId = z.strictObject({ id: z.string() });
const half = z.enum(['all', 'development', 'held-out']).default('all');
const textFile = z.object({ fileName: z.string(), content: z.string() });

export const securityContract = {
  corpora: procedure.output(z.array(corpusOverview)),
  corpus: procedure.input(byId).output(
    corpusOverview.extend({
      content: z.array(corpusEntry.extend({ half: z.enum(['development', 'held-out']) })),
    }),
  ),
  /** Makes a copy that can be edited. */
  copyCorpus: procedure
    .input(z.strictObject({ id: z.string(), name: z.string().trim().min(1).max(100) }))
    .output(corpusOverview),
  /** Rejected as a whole if an entry has no license, no label or a duplicate id. */
  importCorpus: procedure
    .input(
      z.strictObject({
        name: z.string().trim().min(1).max(100),
        content: z.string().max(64 * 1024 * 1024),
        /** Accepts texts of any license; the corpus can't be exported then. */
        private: z.boolean().default(false),
      }),
    )
    .output(corpusOverview),
  /** Throws INVALID for a private corpus. */
  exportCorpus: procedure.input(byId).output(textFile),
  /** Returns what was deleted, so that it can be imported again. */
  removeCorpus: procedure
    .input(byId)
    .output(z.object({ name: z.string(), content: z.string(), private: z.boolean() })),
  saveEntry: procedure
    .input(z.strictObject({ corpusId: z.string(), entry: corpusEntry, isNew: z.boolean() }))
    .output(corpusEntry),
  deleteEntry: procedure
    .input(z.strictObject({ corpusId: z.string(), id: z.string() }))
    .output(corpusEntry),
  /** The baselines that come with the program, by file name, the newest first. */
  baselines: procedure.output(
    z.array(z.object({ fileName: z.string(), baseline: detectionBaseline })),
  ),
  /** Reads a baseline file, or throws INVALID with what is wrong in it. */
  readBaseline: procedure
    .input(z.strictObject({ fileName: z.string().max(1000), content: z.string().max(1_000_000) }))
    .output(detectionBaseline),
  score: procedure
    .input(
      z.strictObject({
        corpusId: z.string(),
        half,
        detectors: z.array(z.enum(ruleDetectors)).min(1).optional(),
        /**
         * `recordFile`: every answer is appended to this file, so that the scoring can be repeated
         * without the model.
         */
        judge: z
          .strictObject({
            model: modelConfiguration,
            runs: z.number().int().min(1).max(25),
            recordFile: z.string().max(4000).nullable().default(null),
          })
          .nullable()
          .default(null),
      }),
    )
    .output(scoreReport),
  /** Scores the verdicts of another detector with the same code. */
  scoreVerdicts: procedure
    .input(
      z.strictObject({
        corpusId: z.string(),
        half,
        name: z.string(),
        content: z.string().max(64 * 1024 * 1024),
      }),
    )
    .output(scoreReport),
  /** Scans the tools of the last listings; null = of every server. */
  scan: procedure
    .input(z.strictObject({ serverIds: z.array(z.string()).nullable() }))
    .output(scanReport),
  /**
   * Findings for tools on a screen: of a server's last listing, of an evaluation (compared with the
   * listing before it), of the workshop, or of tools that only the screen knows.
   */
  toolFindings: procedure
    .input(
      z.strictObject({
        serverId: z.string().optional(),
        evaluationId: z.string().optional(),
        workshopIds: z.array(z.string()).max(10_000).optional(),
        tools: z
          .array(tool.pick({ server: true, name: true, description: true, inputSchema: true }))
          .max(1_000)
          .optional(),
      }),
    )
    .output(z.array(toolFinding)),
  /** Scans a tools file, with the tools of all servers as peers. */
  scanFile: procedure
    .input(
      z.strictObject({ fileName: z.string().max(1000), text: z.string().max(64 * 1024 * 1024) }),
    )
    .output(scanReport.extend({ rejected: z.array(rejectedTool) })),
  /** Marks findings as safe, all or none. Each returns when its tool or instructions change. */
  accept: procedure
    .input(
      z.strictObject({
        serverId: z.string(),
        fingerprints: z.array(z.string()).min(1).max(10_000),
        reason: z.string().trim().max(2000).default(''),
      }),
    )
    .output(z.array(toolFinding)),
  withdraw: procedure
    .input(z.strictObject({ fingerprints: z.array(z.string()).min(1).max(10_000) }))
    .output(z.object({ withdrawn: z.number().int() })),
};
