import { z } from 'zod';
import { jsonObject } from './json.ts';
import { estimate } from './metrics.ts';
import {
  baselineFile,
  gateVerdict,
  goldenQuery,
  metricValues,
  retrievalMetric,
  tolerances,
} from './retrieval.ts';
import { embeddingModelName } from './provider.ts';
import { serverConfig } from './server.ts';
import { embeddingModel } from './similarity.ts';

/** How to call a server's search tool and where its answer has the ids. */
export const serverSearch = z.strictObject({
  tool: z.string().min(1, 'Name the search tool.'),
  argument: z.string().min(1, 'Name the argument that takes the query.'),
  /** Sent with every query. */
  fixedArguments: jsonObject.default({}),
  /** Dotted path to the list of hits; "" means that the answer is the list. */
  items: z.string().default(''),
  /** Tool ID of a result: members in braces; "{}" if the hit itself is a text. */
  id: z.string().min(1).default('{tool_id}'),
});
export type ServerSearch = z.infer<typeof serverSearch>;

export const retrieverSpec = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('offline'), id: z.string().min(1) }),
  z.strictObject({ kind: z.literal('embedding'), ...embeddingModel.shape }),
  z.strictObject({
    kind: z.literal('mcp'),
    server: z.union([
      z.string().min(1),
      z.strictObject({ name: z.string().min(1), config: serverConfig }),
    ]),
    search: serverSearch,
  }),
]);
export type RetrieverSpec = z.infer<typeof retrieverSpec>;

/** An external retriever: an embeddings endpoint, or the search tool of a registered server. */
export const externalRetriever = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('embedding'), ...embeddingModel.shape }),
  z.strictObject({ kind: z.literal('mcp'), server: z.string().min(1), search: serverSearch }),
]);
export type ExternalRetriever = z.infer<typeof externalRetriever>;

export function externalRetrieverName(spec: ExternalRetriever): string {
  if (spec.kind === 'mcp') return `${spec.search.tool} of ${spec.server}`;
  if (spec.provider === 'local')
    return `${embeddingModelName(spec.provider, spec.model)} on this computer`;
  return (
    `${spec.model} at ` +
    (spec.baseUrl === null
      ? spec.provider
      : (/^[a-z]+:\/\/([^/?#]+)/i.exec(spec.baseUrl)?.[1] ?? spec.baseUrl))
  );
}

export const datasetEntry = z.object({
  version: z.string(),
  /** Built in, or in this workspace. */
  origin: z.string(),
  bundled: z.boolean(),
  createdAt: z.string().nullable(),
});
export const retrievalDatasets = z.object({
  corpora: z.array(datasetEntry.extend({ tools: z.number().int(), servers: z.number().int() })),
  goldenSets: z.array(
    datasetEntry.extend({
      corpusVersion: z.string(),
      queries: z.number().int(),
      hardNegatives: z.number().int(),
      unlabeled: z.number().int(),
      /** How many queries name a tool they are labeled with. */
      warnings: z.number().int(),
    }),
  ),
  baselines: z.array(datasetEntry.extend({ baseline: baselineFile })),
});
export type RetrievalDatasets = z.infer<typeof retrievalDatasets>;

export const corpusToolEntry = z.object({ toolId: z.string(), description: z.string() });

/** Difference to the first retriever, with a bootstrap interval over queries. */
export const metricDifference = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  n: z.number().int(),
});

const retrieverResult = z.object({
  retriever: z.string(),
  title: z.string(),
  metrics: z.record(retrievalMetric, estimate),
  /** Null for the first one, which the others are compared with. */
  differences: z.record(retrievalMetric, metricDifference).nullable(),
  /** By query, in the order of the golden set. Ranks start at 1. */
  perQuery: z.array(
    z.object({
      id: z.string(),
      values: metricValues,
      firstRelevant: z.number().int().nullable(),
      top: z.array(z.string()),
      /** Length of the whole ranking, of which `top` is the beginning. */
      ranked: z.number().int(),
    }),
  ),
  baselineDelta: z.partialRecord(retrievalMetric, z.number()).nullable(),
  gate: gateVerdict.nullable(),
  milliseconds: z.number(),
});
export type RetrieverResult = z.infer<typeof retrieverResult>;

export const retrievalComparison = z.object({
  corpusVersion: z.string(),
  goldenVersion: z.string(),
  queries: z.array(goldenQuery),
  leftOut: z.array(z.string()),
  results: z.array(retrieverResult),
});
export type RetrievalComparison = z.infer<typeof retrievalComparison>;

export const comparisonRequest = z.strictObject({
  corpus: z.string(),
  golden: z.string(),
  retrievers: z.array(retrieverSpec).min(1, 'Choose at least one retriever.').max(8),
  lenient: z.boolean().default(false),
  /** Version of a baseline to compare with. */
  baseline: z.string().nullable().default(null),
  /** Replaces the tolerances of the baseline. */
  tolerance: tolerances.nullable().default(null),
});
