import { externalRetriever } from './retrievalRun.ts';
import { z } from 'zod';
import { clientIds } from './clientFacts.ts';
import { inlineSources } from './evaluation.ts';
import { answer, difference } from './comparison.ts';
import { estimate } from './metrics.ts';
import { inlineTool, tool } from './tool.ts';
import { encodingName, tokenMetrics, toolTokens } from './tokens.ts';
import { modelConfiguration } from './model.ts';
import { price, pricedProvider } from './price.ts';
import { whatIfChange } from './whatIf.ts';
import { wireApis } from './wireFormat.ts';

/**
 * The tools to count or search: of registered servers as last listed (null = all), of a frozen
 * snapshot, of a corpus, or of a file.
 */
export const toolSource = z.union([
  z.strictObject({ servers: z.array(z.string()).nullable() }),
  z.strictObject({ snapshotId: z.string() }),
  z.strictObject({ corpus: z.string() }),
  z.strictObject({ tools: z.array(inlineTool) }),
]);
export type ToolSource = z.infer<typeof toolSource>;

/** Token count of the same tools in one provider's format. */
const formatTokens = z.object({
  format: z.string(),
  /** The wire format that was counted; null for what a provider measured. */
  wireApi: z.enum(wireApis).nullable().default(null),
  tokenCount: z.number(),
  /**
   * Estimated: counted here on the formatted text. Measured: reported by the provider for its
   * requests, prompt included.
   */
  basis: z.enum(['estimated', 'measured']),
  /** Number of measured requests; null if estimated. */
  requests: z.number().int().nullable(),
  note: z.string(),
});
export type FormatTokens = z.infer<typeof formatTokens>;

export const countedModel = z.strictObject({
  provider: pricedProvider,
  model: z.string().min(1).max(100),
});
export type CountedModel = z.infer<typeof countedModel>;

export const tokenReport = z.object({
  /** For a model, the encoding that comes closest to its own. */
  encoding: encodingName,
  /**
   * The model in whose wire format every tool is counted, with its price if one is known. Null if
   * the tools are counted as their servers list them.
   */
  model: countedModel
    .extend({ format: z.string(), price: price.nullable() })
    .nullable()
    .default(null),
  tools: z.array(toolTokens.extend({ server: z.string(), name: z.string() })),
  servers: z.array(
    z.object({ server: z.string(), tools: z.number().int(), tokenCount: z.number().int() }),
  ),
  total: z.number().int(),
  formats: z.array(formatTokens),
  /** Servers without a listing, with the reason. */
  unavailable: z.array(z.object({ server: z.string(), reason: z.string() })),
});
export type TokenReport = z.infer<typeof tokenReport>;

/** Which tools no case needs, as far as cases and evaluations tell. */
export const toolUse = z.object({
  /** Cases of all suites. */
  cases: z.number().int(),
  /** Evaluations that a person started for their own sake and that offered tools. */
  evaluations: z.number().int(),
  /**
   * Tools that at least one of these evaluations offered, that no case expects or allows, and that
   * none of their runs called.
   */
  neverUsed: z.array(z.string()),
});
export type ToolUse = z.infer<typeof toolUse>;

/** What is left after every suggested cut, and how to measure what the cuts cost. */
export const cutTrial = z.object({
  before: z.number().int(),
  after: z.number().int(),
  /** For the base, the changes of tools that it offered; without a base, all of them. */
  changes: z.array(whatIfChange),
  /** A finished evaluation of the built-in selector with at least one of the tools. */
  base: z
    .object({
      id: z.string(),
      number: z.number().int(),
      suiteName: z.string(),
      modelSettingsId: z.string().nullable(),
    })
    .nullable(),
});
export type CutTrial = z.infer<typeof cutTrial>;

export const tokenTrend = z.array(
  z.object({
    listedAt: z.string(),
    snapshotId: z.string(),
    tools: z.number().int(),
    tokenCount: z.number().int(),
    added: z.array(z.string()),
    removed: z.array(z.string()),
    changed: z.array(z.string()),
  }),
);
export type TokenTrend = z.infer<typeof tokenTrend>;

export const findToolRequest = z.strictObject({
  source: toolSource,
  description: z.string().max(20_000),
  keywords: z.string().max(20_000).default(''),
  k: z.number().int().min(1).max(1000).default(5),
  /** One of `retrieval.retrievers`. */
  retriever: z.string().min(1).default('default'),
  encoding: encodingName.default('cl100k_base'),
});

export const foundTools = z.object({
  tools: z.array(
    z.object({ toolId: z.string(), score: z.number(), tokenCount: z.number().int(), tool }),
  ),
  offered: z.number().int(),
  tokenMetrics,
  /** Servers whose tools are not in the baseline, and why: a client could not use them. */
  excluded: z.array(z.object({ server: z.string(), reason: z.string() })),
});
export type FoundTools = z.infer<typeof foundTools>;

export const frontierRequest = z.strictObject({
  /** Null if the suite comes with the request. */
  suiteId: z.string().nullable(),
  servers: z.array(z.string()).nullable().default(null),
  model: modelConfiguration,
  /** Null = every tool. */
  ks: z
    .array(z.number().int().min(1).max(10_000).nullable())
    .min(1, 'Choose at least one k.')
    .max(20),
  /** Built-in retrievers by name. */
  retrievers: z
    .array(z.union([z.string().min(1), externalRetriever]))
    .min(1, 'Choose at least one retriever.')
    .max(6),
  repetitions: z.number().int().min(1).max(20).default(1),
  concurrency: z.number().int().min(1).max(256).default(8),
  encoding: encodingName.default('cl100k_base'),
  /** Tools are presented as this client shows them; left out: as a provider takes them. */
  client: z.enum(clientIds).optional(),
  inline: inlineSources.optional(),
});
export type FrontierRequest = z.infer<typeof frontierRequest>;

const frontierPoint = z.object({
  retriever: z.string(),
  k: z.number().int().nullable(),
  evaluationId: z.string(),
  evaluationNumber: z.number().int(),
  state: z.string(),
  done: z.number().int(),
  runs: z.number().int(),
  failed: z.number().int(),
  /** Mean tokens of the tool definitions per case. */
  tokens: z.number().nullable(),
  accuracy: estimate,
  selectionF1: estimate,
  /**
   * Share of cases with the right tools minus that with all tools, over the same cases, by the test
   * of comparisons. `adjustedP`, by Holm over all k of the retriever, decides the answer. Null for
   * all tools, or while unknown.
   */
  difference: difference
    .extend({ n: z.number().int(), pValue: z.number(), adjustedP: z.number(), answer })
    .nullable(),
});
export type FrontierPoint = z.infer<typeof frontierPoint>;

export const frontier = z.object({
  id: z.string(),
  suiteName: z.string(),
  encoding: encodingName,
  createdAt: z.string(),
  /** The client as which tools were presented; null: as a provider takes them. */
  client: z.enum(clientIds).nullable(),
  points: z.array(frontierPoint),
  /** For each retriever, a sentence about the k below which accuracy drops. */
  answers: z.array(
    z.object({ retriever: z.string(), k: z.number().int().nullable(), sentence: z.string() }),
  ),
});
export type Frontier = z.infer<typeof frontier>;
