import {
  NOT_DEFINED,
  formatDecimal,
  formatSigned,
} from '../../../../src-shared/display/numbers.ts';
import { basename } from 'node:path';
import type { DatasetWarning } from '../../../../src-shared/domain/datasetWarning.ts';
import type {
  BaselineFile,
  Corpus,
  GoldenSet,
  Rankings,
  RetrievalReport,
} from '../../../../src-shared/domain/retrieval.ts';
import { retrievalMetrics } from '../../../../src-shared/domain/retrieval.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { reportIntervals } from '../../../../src-shared/metrics/retrievalScore.ts';
import { retrievalReport } from '../../../services/reports/subjects/retrievalReport.ts';
import { compareRetrievers } from '../../../services/retrieval/compareRetrievers.ts';
import {
  readBaseline,
  readCorpus,
  readGolden,
  readRankings,
} from '../../../services/retrieval/datasetFiles.ts';
import {
  compareWithBaseline,
  toBaseline,
  scoreRankings,
  valuesOfReport,
} from '../../../services/retrieval/scoreRetrieval.ts';
import type { CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { define, type OptionsOf } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { askSearchTool, rankQueries } from '../input/ranking.ts';
import { noteWarnings } from '../output/datasetWarnings.ts';
import { recallMeaning } from '../../../../src-shared/display/retrievalMetricTexts.ts';
import { table } from '../output/output.ts';
import {
  makeReportOf,
  plannedReports,
  reportFlags,
  writeReports,
  type PlannedReport,
} from '../output/reportFiles.ts';
import { onInterrupt } from '../signals.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';
import { searchToolFlags } from '../input/searchTools.ts';
import { offlineRetrieverIds } from '../../../services/retrieval/offlineRetrieverIds.ts';
import { startTimeoutFlag, transports } from '../input/targets.ts';
import { additionFlags } from '../input/modelOptions.ts';

const flags = [
  additionFlags('embedding'),
  {
    '--corpus <file>': { about: 'the tools to search', required: true },
    '--golden <file>': { about: 'labeled requests', required: true },
    '--retriever <name>': {
      about: 'default, bm25, tfidf, hybrid, embedding or mcp',
      words: [...offlineRetrieverIds, 'embedding', 'mcp'],
    },
    '--ranking <file>': 'score this ranking instead: {"rankings": {"<query id>": ["tool_id", …]}}',
    '--baseline <file>': 'compare with these values; exit code 1 if one is lower',
    '--lenient': 'skip queries without a label instead of refusing them',
    '--save-baseline <file>': 'write the results there as a baseline',
    '--base-url <url>': 'embedding: address of a compatible endpoint; left out: OpenAI',
    '--model <model>': 'embedding: its model, or the path of a folder with an ONNX encoder',
    '--server <name>': 'mcp: a registered server',
    '--stdio <command>': 'mcp: an unregistered stdio server',
    '--url <url>': 'mcp: an unregistered HTTP server',
    '--transport <transport>': {
      about: 'mcp: streamable-http or sse',
      default: 'streamable-http',
      of: transports,
    },
    '--start-timeout <seconds>': `mcp: ${startTimeoutFlag['--start-timeout <seconds>']}`,
    ...searchToolFlags,
    '--try <query>': 'mcp: try this one query, show how the answer is read, and score nothing',
  },
  reportFlags(formatsBySubject.retrieval),
] as const;
type RetrievalOptions = OptionsOf<typeof flags>;

export const retrieval = define({
  flags,
  notes:
    'Examples:\n  touchstone retrieval --corpus datasets/corpus_v1.json --golden ' +
    'datasets/retrieval_golden_v1.json --retriever default --baseline ' +
    'datasets/baseline_v6.json\n' +
    '  touchstone retrieval --corpus c.json --golden g.json --retriever mcp --stdio "npx ' +
    'my-server" --search-tool find_tools --items tools --id "{server}:{name}"',
  async run({ options, ...context }) {
    const { io, output } = context;
    if ((options.retriever === undefined) === (options.ranking === undefined))
      throw new UsageError('retrieval: Give either --retriever NAME or --ranking FILE.');
    const reports = await plannedReports(options, io, formatsBySubject.retrieval, {
      given: options.baseline !== undefined,
      option: '--baseline',
    });
    if (options.saveBaseline !== undefined) await checkOutput(options.saveBaseline);
    const datasets = await readDatasets(options, io);
    noteWarnings(output, datasets.warnings);
    const abort = new AbortController();
    const unsubscribe = onInterrupt(() => abort.abort());
    try {
      if (options.try === undefined)
        await scoreRetrieval(options, datasets, reports, context, abort.signal);
      else
        printTrial(
          await askSearchTool(options, context, options.try, abort.signal),
          datasets.corpus,
          context,
        );
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      output.error('retrieval: Canceled. Nothing was written.');
      io.setExitCode(exitCodes.incomplete);
    } finally {
      unsubscribe();
    }
  },
});

interface Datasets {
  corpus: Corpus;
  golden: GoldenSet;
  /** Ids of queries without a label, which are left out. */
  unlabeled: readonly string[];
  warnings: readonly DatasetWarning[];
  baseline: BaselineFile | null;
}

async function readDatasets(options: RetrievalOptions, io: CommandIo): Promise<Datasets> {
  const corpus = readCorpus(await readInput(options.corpus, io), nameOf(options.corpus));
  const { golden, unlabeled, warnings } = readGolden(
    await readInput(options.golden, io),
    nameOf(options.golden),
    corpus,
    { lenient: options.lenient ?? false },
  );
  const baseline =
    options.baseline === undefined
      ? null
      : readBaseline(await readInput(options.baseline, io), nameOf(options.baseline));
  return { corpus, golden, unlabeled, warnings, baseline };
}

/** Shows how the answer of a search tool is understood. */
function printTrial(
  { ids, answer }: { ids: string[]; answer: string },
  corpus: Corpus,
  { output }: CommandContext,
): void {
  const known = new Set(corpus.tools.map((tool) => tool.tool_id));
  const document = { ranking: ids, unknown: ids.filter((id) => !known.has(id)), answer };
  output.answer(document, () =>
    [
      ...ids.map((id, at) => `${at + 1}. ${id}${known.has(id) ? '' : '  (no tool of the corpus)'}`),
      '',
      `The answer began: ${answer.slice(0, 500)}`,
    ].join('\n'),
  );
}

async function scoreRetrieval(
  options: RetrievalOptions,
  datasets: Datasets,
  reports: readonly PlannedReport[],
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> {
  const { corpus, golden, unlabeled, baseline } = datasets;
  const { io, output } = context;
  if (unlabeled.length > 0)
    output.note(
      `${unlabeled.length} queries without a label are skipped: ` +
        `${unlabeled.slice(0, 5).join(', ')}${unlabeled.length > 5 ? ', …' : ''}`,
    );
  const { id, rankings } =
    options.ranking === undefined
      ? await rankQueries(options, context, { corpus, golden }, signal)
      : { id: 'ranking', rankings: await readRankingFile(options.ranking, datasets, io) };
  const scored = scoreRankings(golden, corpus.version, id, rankings);
  const report = baseline
    ? compareWithBaseline(scored, baseline, nameOf(options.baseline ?? ''))
    : scored;
  if (options.saveBaseline !== undefined)
    await writeDocument(options.saveBaseline, toBaseline(scored, baseline ?? {}));
  output.answer(report, () => text(report, baseline !== null));
  if (reports.length > 0) {
    const ranked = [{ id, title: id, rankings, milliseconds: 0 }];
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
      leftOut: scored.left_out,
      results: compareRetrievers(corpus, golden, ranked, against, Infinity),
    };
    await writeReports(
      makeReportOf((generated) => retrievalReport(shown, generated), options),
      reports,
      context,
    );
  }
  if (report.gate && !report.gate.passed) {
    output.error(`The gate failed: ${report.gate.failed.join(', ')} fell below the baseline.`);
    io.setExitCode(exitCodes.gateFailed);
  }
}

const readRankingFile = async (
  file: string,
  { corpus, golden }: Datasets,
  io: CommandIo,
): Promise<Rankings> => readRankings(await readInput(file, io), nameOf(file), corpus, golden);

const nameOf = (file: string): string => (file === '-' ? 'standard input' : basename(file));

const writeDocument = (file: string, document: object): Promise<void> =>
  writeOutput(file, `${JSON.stringify(document, null, 1)}\n`);

function text(report: RetrievalReport, compared: boolean): string {
  const values = valuesOfReport(report);
  const intervals = reportIntervals(report);
  const rows = retrievalMetrics.map((metric) => {
    const interval = intervals[metric];
    const delta = report.baseline_delta?.[metric];
    return [
      metric,
      formatDecimal(values[metric], 4),
      interval ? `[${formatDecimal(interval.low, 3)}–${formatDecimal(interval.high, 3)}]` : '',
      ...(compared
        ? [
            delta === undefined ? NOT_DEFINED : formatSigned(delta, 4),
            report.gate?.failed.includes(metric) ? 'falls short' : '',
          ]
        : []),
    ];
  });
  const meaning = recallMeaning(report.retriever, (k) => values[`recall_at_${k}`]);
  return [
    `${report.retriever} on ${report.golden_version} over ${report.corpus_version} · ` +
      `${report.queries} ` +
      `queries${report.left_out.length > 0 ? ` · ${report.left_out.length} left out` : ''}`,
    table([['metric', 'value', '95 %', ...(compared ? ['to baseline', ''] : [])], ...rows]),
    ...(meaning === null ? [] : [meaning]),
    ...(report.gate ? [`gate: ${report.gate.passed ? 'passed' : 'failed'}`] : []),
  ].join('\n');
}
