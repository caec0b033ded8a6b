import type { Command } from 'commander';
import { basename } from 'node:path';
import type {
  Corpus,
  GoldenSet,
  RetrievalReport,
} from '../../../../src-shared/domain/retrieval.ts';
import { retrievalMetrics } from '../../../../src-shared/domain/retrieval.ts';
import { embeddingProviderAt } from '../../../../src-shared/domain/provider.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { retrieverSpec, type RetrieverSpec } from '../../../../src-shared/domain/retrievalRun.ts';
import { reportIntervals } from '../../../../src-shared/metrics/retrievalScore.ts';
import { connectAsThisProgram } from '../../../createServices.ts';
import { createOpenEmbedder } from '../../../adapters/llm/embeddings/openEmbedder.ts';
import { retrievalReport } from '../../../services/reports/subjects/retrievalReport.ts';
import { compareRetrievers } from '../../../services/retrieval/compareRetrievers.ts';
import {
  readBaseline,
  readCorpus,
  readGolden,
  readRankings,
} from '../../../services/retrieval/datasetFiles.ts';
import { openRetriever } from '../../../services/retrieval/openRetriever.ts';
import { rankAll } from '../../../services/retrieval/retrievers.ts';
import {
  compareWithBaseline,
  toBaseline,
  scoreRankings,
  valuesOfReport,
} from '../../../services/retrieval/scoreRetrieval.ts';
import { openServerSearch } from '../../../services/retrieval/serverSearch.ts';
import { contextOf, type CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { webAddress } from '../input/optionValues.ts';
import type { Output } from '../output/output.ts';
import { table } from '../output/output.ts';
import {
  addReportOptions,
  makeReportOf,
  plannedReports,
  writeReports,
  type ReportOptions,
} from '../output/reportFiles.ts';
import {
  askRegisteredServer,
  rankByRegistered,
  searchOf,
  unregisteredSearch,
  type SearchOptions,
} from '../input/searchTools.ts';
import { workspaceOf } from '../session.ts';
import { onInterrupt } from '../signals.ts';
import { systemSecrets } from '../input/systemSecrets.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';

interface RetrievalOptions extends ReportOptions, SearchOptions {
  corpus: string;
  golden: string;
  retriever?: string;
  ranking?: string;
  baseline?: string;
  lenient?: boolean;
  saveBaseline?: string;
  baseUrl?: string;
  model?: string;
  try?: string;
}

export function addRetrieval(retrieval: Command, io: CommandIo): void {
  retrieval
    .requiredOption('--corpus <file>', 'the tools that are searched')
    .requiredOption('--golden <file>', 'requests with labels')
    .option('--retriever <name>', 'default, bm25, tfidf, hybrid, embedding or mcp')
    .option(
      '--ranking <file>',
      'score this ranking instead: {"rankings": {"<query id>": ["tool_id", …]}}',
    )
    .option('--baseline <file>', 'compare with these values; 1 where one falls short')
    .option('--lenient', 'leave queries without a label out instead of refusing them')
    .option('--save-baseline <file>', 'write what was measured there as a baseline')
    .option('--base-url <url>', 'embedding: address of a compatible endpoint; left out: OpenAI')
    .option('--model <model>', 'embedding: its model')
    .option('--server <name>', 'mcp: a registered server')
    .option('--stdio <command>', 'mcp: a stdio server that is not registered')
    .option('--url <url>', 'mcp: an HTTP server that is not registered')
    .option('--transport <transport>', 'mcp: streamable-http or sse', 'streamable-http')
    .option('--search-tool <name>', 'mcp: the tool that searches')
    .option('--argument <name>', 'mcp: its argument that takes the query', 'query')
    .option('--with <json>', 'mcp: further arguments of every call')
    .option('--items <path>', 'mcp: where the hits stand in the answer, as in result.tools', '')
    .option('--id <template>', 'mcp: how a hit names its tool, as in {server}:{name}', '{tool_id}')
    .option('--try <query>', 'mcp: ask this one query, show what is understood, and score nothing');
  addReportOptions(retrieval, formatsBySubject.retrieval)
    .addHelpText(
      'after',
      '\nExamples:\n  touchstone retrieval --corpus datasets/corpus_v1.json --golden ' +
        'datasets/retrieval_golden_v1.json --retriever default --baseline ' +
        'datasets/baseline_v1.json\n' +
        '  touchstone retrieval --corpus c.json --golden g.json --retriever mcp --stdio "npx ' +
        'my-server" --search-tool find_tools --items tools --id "{server}:{name}"',
    )
    .action(async (options: RetrievalOptions, command: Command) => {
      const context = contextOf(command, io);
      const { output } = context;
      if ((options.retriever === undefined) === (options.ranking === undefined))
        throw new UsageError('retrieval: Give --retriever NAME or --ranking FILE, one of the two.');
      const reports = await plannedReports(options, io, formatsBySubject.retrieval, {
        given: options.baseline !== undefined,
        option: '--baseline',
      });
      if (options.saveBaseline !== undefined) await checkOutput(options.saveBaseline);
      const corpus = readCorpus(await readInput(options.corpus, io), nameOf(options.corpus));
      const { golden, unlabelled } = readGolden(
        await readInput(options.golden, io),
        nameOf(options.golden),
        corpus,
        { lenient: options.lenient ?? false },
      );
      const baseline =
        options.baseline === undefined
          ? null
          : readBaseline(await readInput(options.baseline, io), nameOf(options.baseline));
      const abort = new AbortController();
      const done = onInterrupt(() => abort.abort());
      try {
        if (options.try !== undefined) {
          const tried = await tryOne(options, context, options.try, abort.signal);
          const known = new Set(corpus.tools.map((tool) => tool.tool_id));
          const document = {
            ranking: tried.ids,
            unknown: tried.ids.filter((id) => !known.has(id)),
            answer: tried.answer,
          };
          output.answer(document, () =>
            [
              ...tried.ids.map(
                (id, at) => `${at + 1}. ${id}${known.has(id) ? '' : '  (no tool of the corpus)'}`,
              ),
              '',
              `The answer began: ${tried.answer.slice(0, 500)}`,
            ].join('\n'),
          );
          return;
        }
        if (unlabelled.length > 0)
          output.note(
            `${unlabelled.length} queries without a label are left out: ` +
              `${unlabelled.slice(0, 5).join(', ')}${unlabelled.length > 5 ? ', …' : ''}`,
          );
        const measured =
          options.ranking === undefined
            ? await rank(options, context, { corpus, golden }, abort.signal)
            : {
                id: 'ranking',
                rankings: readRankings(
                  await readInput(options.ranking, io),
                  nameOf(options.ranking),
                  corpus,
                  golden,
                ),
              };
        const plain = scoreRankings(golden, corpus.version, measured.id, measured.rankings);
        const report = baseline
          ? compareWithBaseline(plain, baseline, nameOf(options.baseline ?? ''))
          : plain;
        if (options.saveBaseline !== undefined)
          await writeDocument(options.saveBaseline, toBaseline(plain, baseline?.tolerance));
        output.answer(report, () => text(report, baseline !== null));
        if (reports.length > 0) {
          const ranked = [
            { id: measured.id, title: measured.id, rankings: measured.rankings, milliseconds: 0 },
          ];
          const against =
            baseline === null
              ? null
              : {
                  file: baseline,
                  version: nameOf(options.baseline ?? ''),
                  tolerance: baseline.tolerance,
                };
          const shown = {
            corpusVersion: corpus.version,
            goldenVersion: golden.version,
            queries: golden.queries,
            leftOut: plain.left_out,
            results: compareRetrievers(corpus, golden, ranked, against, Infinity),
          };
          await writeReports(
            makeReportOf((generated) => retrievalReport(shown, generated), options),
            reports,
            context,
          );
        }
        if (report.gate && !report.gate.passed) {
          output.error(
            `The gate failed: ${report.gate.failed.join(', ')} fell short of the baseline.`,
          );
          io.setExitCode(exitCodes.gateFailed);
        }
      } catch (error) {
        if (!abort.signal.aborted) throw error;
        output.error('retrieval: It was cancelled. Nothing was written.');
        io.setExitCode(exitCodes.incomplete);
      } finally {
        done();
      }
    });
}

const connector = (context: CommandContext) =>
  connectAsThisProgram({
    folder: workspaceOf(context),
    commandLine: context.io.commandLine,
  });

const nameOf = (file: string): string => (file === '-' ? 'standard input' : basename(file));

const writeDocument = (file: string, document: object): Promise<void> =>
  writeOutput(file, `${JSON.stringify(document, null, 1)}\n`);

async function rank(
  options: RetrievalOptions,
  context: CommandContext,
  { corpus, golden }: { corpus: Corpus; golden: GoldenSet },
  signal: AbortSignal,
) {
  const { output } = context;
  const began = Date.now();
  const progress = (done: number): void => {
    output.progress(done, golden.queries.length, began);
  };
  try {
    if (options.retriever === 'mcp' && options.server !== undefined) {
      return {
        id: 'mcp',
        rankings: await rankByRegistered(
          context,
          { name: options.server, search: searchOf(options) },
          corpus,
          golden,
          signal,
          progress,
        ),
      };
    }
    const spec = specOf(options);
    const retriever = await openRetriever(
      spec,
      corpus,
      {
        connect: connector(context),
        embeddings: {
          open: createOpenEmbedder({ secrets: systemSecrets(context.io) }),
          cache: null,
        },
        findServer: () => null,
      },
      signal,
    );
    try {
      // Built-in retrievers finish before anyone could read a progress bar.
      return {
        id: retriever.id,
        rankings: await rankAll(
          retriever,
          golden,
          signal,
          spec.kind === 'offline' ? undefined : progress,
        ),
      };
    } finally {
      await retriever.close();
    }
  } finally {
    output.endProgress();
  }
}

function specOf(options: RetrievalOptions): RetrieverSpec {
  if (options.retriever === 'embedding') {
    if (options.model === undefined)
      throw new UsageError(
        'retrieval: The embedding retriever needs --model NAME; it needs --base-url URL too ' +
          'where that is no model of OpenAI.',
      );
    const baseUrl = webAddress(options.baseUrl, '--base-url') ?? null;
    return parseSpec({
      kind: 'embedding',
      provider: embeddingProviderAt(baseUrl),
      baseUrl,
      model: options.model,
    });
  }
  if (options.retriever !== 'mcp') return parseSpec({ kind: 'offline', id: options.retriever });
  return parseSpec({ kind: 'mcp', ...unregisteredSearch(options) });
}

async function tryOne(
  options: RetrievalOptions,
  context: CommandContext,
  query: string,
  signal: AbortSignal,
) {
  if (options.retriever !== 'mcp') throw new UsageError('retrieval: --try is for --retriever mcp.');
  if (options.server !== undefined)
    return askRegisteredServer(
      context,
      { name: options.server, search: searchOf(options) },
      query,
      signal,
    );
  const { server, search } = unregisteredSearch(options);
  const opened = await openServerSearch(connector(context), { ...server, search }, signal);
  try {
    return await opened.ask(query, signal);
  } finally {
    await opened.close();
  }
}

function parseSpec(spec: unknown): RetrieverSpec {
  const read = retrieverSpec.safeParse(spec);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new UsageError(
    `retrieval: ${issue?.path.join('.') ?? ''}: ` +
      `${issue?.message ?? 'The options do not fit together.'}`,
  );
}

function text(report: RetrievalReport, compared: boolean): string {
  const values = valuesOfReport(report);
  const intervals = reportIntervals(report);
  const rows = retrievalMetrics.map((metric) => {
    const interval = intervals[metric];
    const delta = report.baseline_delta?.[metric];
    return [
      metric,
      values[metric].toFixed(4),
      interval ? `[${interval.low.toFixed(3)}–${interval.high.toFixed(3)}]` : '',
      ...(compared
        ? [
            delta === undefined ? '–' : `${delta < 0 ? '' : '+'}${delta.toFixed(4)}`,
            report.gate?.failed.includes(metric) ? 'falls short' : '',
          ]
        : []),
    ];
  });
  return [
    `${report.retriever} on ${report.golden_version} over ${report.corpus_version} · ` +
      `${report.queries} ` +
      `queries${report.left_out.length > 0 ? ` · ${report.left_out.length} left out` : ''}`,
    table([['metric', 'value', '95 %', ...(compared ? ['to baseline', ''] : [])], ...rows]),
    ...(report.gate ? [`gate: ${report.gate.passed ? 'passed' : 'failed'}`] : []),
  ].join('\n');
}
