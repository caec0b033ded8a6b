import { z } from 'zod';
import { datasetWarning } from '../domain/datasetWarning.ts';
import { goldenQuery, tolerances } from '../domain/retrieval.ts';
import {
  comparisonRequest,
  corpusToolEntry,
  datasetEntry,
  retrievalComparison,
  retrievalDatasets,
  retrieverSpec,
  serverSearch,
} from '../domain/retrievalRun.ts';
import { procedure } from './base.ts';

/** A larger dataset is rejected before it is parsed. */
const maxDatasetBytes = 64 * 1024 * 1024;
const byVersion = z.strictObject({ version: z.string() });

export const retrievalContract = {
  datasets: procedure.output(retrievalDatasets),
  corpus: procedure
    .input(byVersion)
    .output(z.object({ version: z.string(), tools: z.array(corpusToolEntry) })),
  golden: procedure.input(byVersion).output(
    z.object({
      version: z.string(),
      corpusVersion: z.string(),
      queries: z.array(goldenQuery),
      warnings: z.array(datasetWarning),
    }),
  ),
  /**
   * Imports a file of one of these kinds under its version. The corpus of a golden set must exist.
   */
  importFile: procedure
    .input(
      z.strictObject({
        kind: z.enum(['corpus', 'golden', 'baseline']),
        fileName: z.string().max(1000),
        text: z.string().max(maxDatasetBytes),
        lenient: z.boolean().default(false),
      }),
    )
    .output(datasetEntry),
  /** Makes a corpus from the last listed tools of registered servers. */
  corpusFromServers: procedure
    .input(
      z.strictObject({
        servers: z.array(z.string()).min(1, 'Choose at least one server.'),
        version: z.string().trim().min(1).max(200),
      }),
    )
    .output(datasetEntry),
  /** Saves changed queries as the next version. The version they are based on stays unchanged. */
  saveGolden: procedure
    .input(
      z.strictObject({
        basedOn: z.string(),
        corpusVersion: z.string(),
        queries: z.array(goldenQuery).min(1, 'A golden set needs a query.').max(100_000),
        lenient: z.boolean().default(false),
      }),
    )
    .output(datasetEntry),
  exportFile: procedure
    .input(z.strictObject({ kind: z.enum(['corpus', 'golden', 'baseline']), version: z.string() }))
    .output(z.object({ fileName: z.string(), text: z.string() })),
  remove: procedure
    .input(z.strictObject({ kind: z.enum(['corpus', 'golden', 'baseline']), version: z.string() }))
    .output(z.object({ token: z.string(), what: z.string() })),
  /** The built-in rankers, best first. */
  retrievers: procedure.output(z.array(z.object({ id: z.string(), title: z.string() }))),
  /** Sends one query to one retriever and returns how its answer was understood. */
  tryRetriever: procedure
    .input(
      z.strictObject({
        retriever: retrieverSpec,
        corpus: z.string(),
        query: z.string().min(1).max(20_000),
      }),
    )
    .output(
      z.object({
        ranking: z.array(z.string()),
        unknown: z.array(z.string()),
        answer: z.string().nullable(),
      }),
    ),
  /**
   * Sends queries to the search tool of a registered server over one connection and returns how
   * each answer was understood.
   */
  askSearchTool: procedure
    .input(
      z.strictObject({
        server: z.string().min(1),
        search: serverSearch,
        queries: z.array(z.string().max(20_000)).min(1).max(100),
      }),
    )
    .output(z.array(z.object({ ids: z.array(z.string()), answer: z.string() }))),
  compare: procedure.input(comparisonRequest).output(retrievalComparison),
  /** Saves the metrics of one retriever as the next version of the baseline. */
  saveBaseline: procedure
    .input(
      z.strictObject({
        corpus: z.string(),
        golden: z.string(),
        retriever: retrieverSpec,
        lenient: z.boolean().default(false),
        tolerance: tolerances,
      }),
    )
    .output(datasetEntry),
};
