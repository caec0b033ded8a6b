import { z } from 'zod';
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

/** A dataset is refused above this size, before it is parsed. */
export const maxDatasetBytes = 64 * 1024 * 1024;
const byVersion = z.strictObject({ version: z.string() });

export const retrievalContract = {
  datasets: procedure.output(retrievalDatasets),
  corpus: procedure
    .input(byVersion)
    .output(z.object({ version: z.string(), tools: z.array(corpusToolEntry) })),
  golden: procedure
    .input(byVersion)
    .output(
      z.object({ version: z.string(), corpusVersion: z.string(), queries: z.array(goldenQuery) }),
    ),
  /**
   * Reads a file of one of the kinds and keeps it under its version. A golden set's corpus must be
   * there first.
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
  /** The tools of registered servers, as last listed, as a new corpus. */
  corpusFromServers: procedure
    .input(
      z.strictObject({
        servers: z.array(z.string()).min(1, 'Choose at least one server.'),
        version: z.string().trim().min(1).max(200),
      }),
    )
    .output(datasetEntry),
  /** Keeps changed queries as the next version; the one that they were made from stays as it is. */
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
  /** The rankers of this program, best first. */
  retrievers: procedure.output(z.array(z.object({ id: z.string(), title: z.string() }))),
  /** Asks one retriever one query and says what its answer was understood as. */
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
   * Asks the search tool of a registered server many queries over one connection, each answer as it
   * was understood.
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
  /** What one retriever measured, kept as the next version of the reference. */
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
