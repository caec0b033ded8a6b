import { z } from 'zod';
import { candidate } from './candidate.ts';
import { outcome } from './outcomeSchema.ts';
import { severities } from './severity.ts';
import { snapshotTool } from './tool.ts';

/**
 * Which view a finding belongs to. Quality is what takes points from the tool's score, so a tool
 * with all ten has none of it; `requests` is what failing requests of a result show.
 */
export const toolFindingKinds = [
  'clients',
  'signals',
  'requests',
  'quality',
  'similar',
  'tokens',
] as const;
export type ToolFindingKind = (typeof toolFindingKinds)[number];

/** Something that is wrong with a tool, whatever found it. */
const toolPageFinding = z.object({
  kind: z.enum(toolFindingKinds),
  /** The rule, detector, kind of cut or other tool that it is about; the same one is one finding. */
  rule: z.string(),
  severity: z.enum(severities),
  title: z.string(),
  why: z.string(),
  /** What to do about it; empty where `why` says it. */
  fix: z.string(),
  /** What it takes from the ten points of the tool's quality; 0 for what no rule of quality found. */
  points: z.number().int(),
  /** Scored runs of the last result that failed because of it, or requests that show it. */
  failed: z.number().int(),
  /** Another tool that it is about. */
  other: z.string().nullable(),
  /** A text to open in the editor, ready to be tried. */
  edit: z.object({ path: z.string(), text: z.string() }).nullable(),
  /** True if the open proven candidate resolves it. */
  inFix: z.boolean(),
});
export type ToolPageFinding = z.infer<typeof toolPageFinding>;

const outcomeOfCase = z.object({ runId: z.string(), outcome });

const modelOfTool = z.object({
  id: z.string(),
  name: z.string(),
  scored: z.number().int(),
  /** Scored runs by outcome. */
  outcomes: z.partialRecord(outcome, z.number().int()),
});

export const toolPage = z.object({
  toolId: z.string(),
  /** The registered server; null if there is none of this name. */
  serverId: z.string().nullable(),
  /** As its server offers it, or as it was last known. */
  tool: snapshotTool,
  /** False if the server was listed without it, or isn't registered. */
  offered: z.boolean(),
  /** Why the server could not be reached when it was last tried; null if it could. */
  serverProblem: z.string().nullable(),
  listedAt: z.string().nullable(),
  /** In cl100k_base over the text as received; null where it can't be counted. */
  tokens: z.number().int().nullable(),
  /** Mean over the counted tools of all registered servers; null without one. */
  averageTokens: z.number().nullable(),
  /** Its texts from listing to listing, the newest first. */
  versions: z.array(z.object({ at: z.string(), tool: snapshotTool })),
  /** Worst first. */
  findings: z.array(toolPageFinding),
  /** Kinds that could not be examined, with the reason. */
  problems: z.array(z.object({ kind: z.enum(toolFindingKinds), reason: z.string() })),
  /** The open proven candidate, the newest first proven; null if there is none. */
  proven: candidate.nullable(),
  /** Tokens that it saves in every request; negative if it adds some. Null without one. */
  provenSaves: z.number().int().nullable(),
  /** The last ended result of cases that expected it and scored a run; null without one. */
  result: z
    .object({
      id: z.string(),
      number: z.number().int(),
      models: z.array(modelOfTool),
      /** What was called instead, with the times for each model; `(no tool)` and `(phantom)` too. */
      instead: z.array(z.object({ called: z.string(), times: z.array(z.number().int()) })),
    })
    .nullable(),
  /** Stored cases that expect it; `runs` has the first run that failed, else one that passed. */
  cases: z.array(
    z.object({
      id: z.string(),
      suiteId: z.string(),
      suiteName: z.string(),
      query: z.string(),
      /** One for each model of `result`; null where it has no scored run. */
      runs: z.array(outcomeOfCase.nullable()),
    }),
  ),
});
export type ToolPage = z.infer<typeof toolPage>;
