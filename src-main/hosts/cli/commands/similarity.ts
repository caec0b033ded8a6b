import { counted, NOT_DEFINED } from '../../../../src-shared/display/numbers.ts';
import { appSettings, defaultAppSettings } from '../../../../src-shared/domain/settings.ts';
import {
  textModel,
  textModelProviders,
  type TextModel,
} from '../../../../src-shared/domain/textModel.ts';
import {
  overlapWeights,
  describeSemanticSource,
  similarityMeasure,
  similarityMeasures,
  type SimilarityMeasure,
  isFlagged,
  type EmbeddingModel,
  type OverlapWeights,
  embeddingModelOf,
} from '../../../../src-shared/domain/similarity.ts';
import {
  findingTexts,
  pairScoreText,
  measureNouns,
  flaggedTools,
  similarityAdvice,
  similarityHeadline,
} from '../../../../src-shared/display/similarityTexts.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { createOpenEmbedder } from '../../../adapters/llm/embeddings/openEmbedder.ts';
import { createOpenChatModel } from '../../../adapters/llm/openChatModel.ts';
import {
  compareOnce,
  maxListedPairs,
  type SimilarityListing,
} from '../../../services/similarity/compareOnce.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { similarityReport } from '../../../services/reports/subjects/similarityReport.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { similarityDocument } from '../../../services/reports/documents/similarityDocument.ts';
import { define, inSession, type OptionsOf } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { webAddress } from '../input/optionValues.ts';
import { table } from '../output/output.ts';
import { makeReportOf, plannedReports, reportFlags, writeReports } from '../output/reportFiles.ts';
import { onInterrupt } from '../signals.ts';
import { systemSecrets } from '../input/systemSecrets.ts';
import { examineWith } from '../input/examineTools.ts';
import {
  additionFlags,
  readAdditionOptions,
  rejectAdditionOptions,
} from '../input/modelOptions.ts';
import { toolsOfSources } from '../input/toolsOfSources.ts';

const minShownPairs = 20;
const maxShownPairs = 200;

const flags = [
  {
    '--tools <file>': 'tools from a file, or a folder of skills (- reads standard input)',
    '--server <name...>': 'registered servers',
    '--url <url...>': 'HTTP servers that are not registered',
    '--only <tool...>': 'only these tools of the source (server:tool)',
    '--measure <measure>': {
      about:
        'orders and flags the pairs by similarity or overlap (default: ' +
        `${defaultAppSettings.similarityMeasure}; of registered servers, that of the settings)`,
      of: similarityMeasure,
    },
    '--threshold <x>': {
      about:
        'flags pairs with at least this score, 0 to 1 (default: ' +
        `${defaultAppSettings.similarityThreshold}; of registered servers, that of the ` +
        'settings)',
      of: appSettings.shape.similarityThreshold,
    },
    '--full': 'also scores name, description and parameters as one text',
    '--matrix': 'the overlap of every pair as a matrix',
    '--recommend': 'issues of flagged pairs, and what to change, with JSON Patches',
    '--weights <semantic,parameters,description>':
      'weights of the overlap; they sum to 1 (default: 0.5,0.3,0.2; of registered servers, ' +
      'those of the settings)',
    '--embedding-model <model>':
      'embeddings instead of TF-IDF: an OpenAI model, one at --base-url, or the path of a folder with an ONNX encoder',
    '--base-url <url>': 'the endpoint of the embedding model, such as http://127.0.0.1:11434/v1',
    '--revise-by <provider/model>': 'with --recommend: a model rewrites the tools of flagged pairs',
    '--revise-url <url>': 'the endpoint of that model',
  },
  additionFlags('embedding'),
  additionFlags('revise'),
  reportFlags(formatsBySubject.similarity),
] as const;
type SimilarityOptions = OptionsOf<typeof flags>;

export const similarity = define({
  flags,
  example: 'similarity --tools tools.json --threshold 0.8 --recommend --json',
  async run({ options, ...context }) {
    const { io, output } = context;
    const given = {
      measure: options.measure,
      threshold: options.threshold,
      weights: readWeights(options.weights),
    };
    const embeddingModel = readModel(options);
    const reviser = readReviser(options);
    const defaults =
      options.server === undefined
        ? defaultAppSettings
        : await inSession(context, 'read', ({ client }) => client.settings.get());
    const measure = given.measure ?? defaults.similarityMeasure;
    const threshold = given.threshold ?? defaults.similarityThreshold;
    const weights = given.weights ?? defaults.overlapWeights;
    const reports = await plannedReports(options, io, formatsBySubject.similarity);
    const found = await toolsOfSources('similarity', context, options);
    for (const { server, name, reason } of found.rejected)
      output.note(`rejected ${server}:${name}: ${reason}`);
    for (const { server, reason } of found.failed) output.error(`${server}: ${reason}`);
    const stop = new AbortController();
    const unsubscribe = onInterrupt(() => stop.abort());
    try {
      const startedAt = Date.now();
      const compared = await compareOnce(found.tools, {
        measure,
        threshold,
        weights,
        full: options.full ?? false,
        embeddingModel,
        ...(options.only === undefined ? {} : { toolIds: options.only }),
        reviser: reviser && {
          model: reviser,
          open: createOpenChatModel(systemSecrets(context)),
        },
        openEmbedder: createOpenEmbedder(systemSecrets(context)),
        matrix: options.matrix ?? false,
        recommend: options.recommend ?? false,
        examine: examineWith(context, {
          tools: found.tools,
          registered: options.server !== undefined,
        }),
        signal: stop.signal,
        onProgress: (done, total) =>
          Date.now() - startedAt > 1_000 && output.progress(done, total, startedAt, 'parts'),
      });
      output.endProgress();
      if (!output.json)
        output.note(
          'Semantic dimension: ' +
            `${describeSemanticSource(compared.semanticSource, options.full ?? false)}.`,
        );
      if (compared.total > compared.pairs.length || compared.floor > 0)
        output.note(
          `${counted(compared.pairs.length, 'pair')} of highest ${measure} ` +
            `${compared.pairs.length === 1 ? 'is' : 'are'} listed (at most ` +
            `${maxListedPairs}).`,
        );
      const result = {
        ...compared,
        threshold,
        weights,
        full: options.full ?? false,
        generatedAt: options.stamp === undefined ? systemClock.now() : null,
      };
      await output.answerInTurns(
        publish(similarityDocument, result),
        () => text(compared, threshold),
        stop.signal,
      );
      await writeReports(
        makeReportOf((generated) => similarityReport(result, generated), options),
        reports,
        context,
      );
      const missing = compared.recommendations.flatMap(({ toolPair, unrevised }) =>
        unrevised.map(
          ({ toolId, reason }) =>
            `${toolId} vs. ${toolPair.find((id) => id !== toolId) ?? toolId} was not ` +
            `rewritten: ${reason}`,
        ),
      );
      for (const one of missing) output.error(one);
      if (found.failed.length > 0 || missing.length > 0) io.setExitCode(exitCodes.incomplete);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      output.endProgress();
      output.error('similarity: Canceled. No report was written.');
      io.setExitCode(exitCodes.incomplete);
    } finally {
      unsubscribe();
    }
  },
});

function parseShare(value: string, option: string): number {
  const number = Number(value);
  if (value.trim() !== '' && number >= 0 && number <= 1) return number;
  throw new UsageError(`${option} ${value}: It needs a number from 0 to 1.`);
}

function readWeights(value: string | undefined): OverlapWeights | null {
  if (value === undefined) return null;
  const parts = value.split(',').map((part) => parseShare(part, '--weights'));
  const [semantic = -1, parameters = -1, description = -1] = parts;
  const read = overlapWeights.safeParse({ semantic, parameters, description });
  if (parts.length !== 3 || !read.success)
    throw new UsageError(
      `--weights ${value}: It needs three numbers from 0 to 1 that sum to 1: ` +
        'semantic,parameters,description.',
    );
  return read.data;
}

function readModel(options: SimilarityOptions): EmbeddingModel | null {
  const { embeddingModel: model, baseUrl } = options;
  const added = readAdditionOptions(options, 'embedding');
  const address = webAddress(baseUrl, '--base-url');
  if (model === undefined && address !== undefined)
    throw new UsageError(
      `--base-url ${address}: It needs --embedding-model, the model to ask there.`,
    );
  if (model === undefined) {
    rejectAdditionOptions(options, 'embedding', '--embedding-model, the model to ask');
    return null;
  }
  return { ...embeddingModelOf(model, address ?? null), ...added };
}

function readReviser(options: SimilarityOptions): TextModel | null {
  const { reviseBy, reviseUrl, recommend } = options;
  const address = webAddress(reviseUrl, '--revise-url');
  if (reviseBy === undefined && address !== undefined)
    throw new UsageError(`--revise-url ${address}: It needs --revise-by, the model to ask there.`);
  if (reviseBy === undefined) {
    rejectAdditionOptions(options, 'revise', '--revise-by, the model to ask');
    return null;
  }
  if (recommend !== true)
    throw new UsageError(
      `--revise-by ${reviseBy}: It needs --recommend, whose recommendations carry the text.`,
    );
  const at = reviseBy.indexOf('/');
  const read = textModel.safeParse({
    provider: reviseBy.slice(0, Math.max(0, at)),
    model: reviseBy.slice(at + 1),
    baseUrl: address ?? null,
    ...readAdditionOptions(options, 'revise'),
  });
  if (!read.success)
    throw new UsageError(
      `--revise-by ${reviseBy}: It needs PROVIDER/MODEL, with one of ` +
        `${textModelProviders.join(', ')}.`,
    );
  return read.data;
}

const optional = (score: number | null): string =>
  score === null ? NOT_DEFINED : pairScoreText(score);

/** The findings in sentences; then the pairs with the same numbers as in the window. */
function text(listing: SimilarityListing, threshold: number): string {
  const { toolIds, pairs, total, recommendations, matrix, measure } = listing;
  const isFull = pairs.some(({ fullSimilarityScore }) => fullSimilarityScore !== null);
  return [
    ...findingLines(listing, threshold),
    '',
    table([
      [
        '',
        ...columnsOf(measure),
        ...(isFull ? ['full'] : []),
        'semantic',
        'parameters',
        'description',
        'tool',
        'tool',
      ],
      ...pairRows(listing, threshold),
    ]),
    `${counted(total, 'pair')} of ${counted(toolIds.length, 'tool')}; ! marks ${measureNouns[measure]} of ` +
      `${threshold} or higher` +
      (pairs.length > minShownPairs ? '. Write all pairs with --report or --json.' : '.'),
    ...recommendations.flatMap(({ toolPair, issues, recommendations: items }) => [
      '',
      toolPair.join(' and '),
      ...issues.map(({ type, priority, evidence }) => `  ${type} (${priority}): ${evidence}`),
      ...items.flatMap(({ toolId, recommendation, rationale, applyCommands, ...item }) => [
        `    ${recommendation}`,
        ...(issues.some(({ evidence }) => evidence.includes(rationale))
          ? []
          : [`      ${rationale}`]),
        ...(applyCommands.length === 0
          ? []
          : [`      ${toolId ?? ''}, JSON Patch: ${JSON.stringify(applyCommands)}`]),
        ...(item.revisedDescription === null
          ? []
          : [`      ${toolId ?? ''}, by a model: ${item.revisedDescription}`]),
      ]),
    ]),
    ...(matrix
      ? [
          '',
          table([
            ['', ...toolIds],
            ...matrix.map((row, at) => [toolIds[at] ?? '', ...row.map(pairScoreText)]),
          ]),
        ]
      : []),
  ].join('\n');
}

function findingLines(
  { toolIds, pairs, findings, measure }: SimilarityListing,
  threshold: number,
): string[] {
  const flagged = pairs.filter((pair) => isFlagged(pair, threshold)).length;
  const counts = { flagged, tools: flaggedTools(pairs, threshold), findings: findings.length };
  const tools = toolIds.map((id) => {
    const { server, tool } = splitToolId(id);
    return { server, name: tool };
  });
  return [
    `${similarityHeadline(counts)}.`,
    similarityAdvice(counts, threshold, measure),
    ...findings.flatMap((finding) => {
      const { name, title, detail } = findingTexts(finding, tools);
      return ['', `  ${name} ${title}`, `    ${detail}`];
    }),
  ];
}

/** The chosen measure first. */
const columnsOf = (measure: SimilarityMeasure) =>
  similarityMeasures.toSorted((one, other) => Number(other === measure) - Number(one === measure));

function pairRows({ toolIds, pairs, measure }: SimilarityListing, threshold: number): string[][] {
  const flagged = pairs.filter((pair) => isFlagged(pair, threshold)).length;
  return pairs
    .slice(0, Math.max(minShownPairs, Math.min(flagged, maxShownPairs)))
    .map((pair) => [
      isFlagged(pair, threshold) ? '!' : '',
      ...columnsOf(measure).map((one) =>
        pairScoreText(one === 'overlap' ? pair.overlap : pair.similarityScore),
      ),
      ...(pair.fullSimilarityScore === null ? [] : [optional(pair.fullSimilarityScore)]),
      optional(pair.dimensions.semantic),
      optional(pair.dimensions.parameters),
      optional(pair.dimensions.description),
      toolIds[pair.a] ?? '',
      toolIds[pair.b] ?? '',
    ]);
}
