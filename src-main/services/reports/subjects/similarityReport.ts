import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import {
  describeSemanticSource,
  isFlagged,
  similarityMeasures,
  type Differentiation,
} from '../../../../src-shared/domain/similarity.ts';
import {
  findingTexts,
  issueTexts,
  measureTitles,
  pairScoreText,
  flaggedTools,
  similarityAdvice,
  similarityHeadline,
} from '../../../../src-shared/display/similarityTexts.ts';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { publish } from '../documents/published.ts';
import { similarityDocument } from '../documents/similarityDocument.ts';
import type { Mark, Report, ReportMatrix, ReportTable } from '../report.ts';
import type { SimilarityResult } from './similarityResult.ts';
import { factsFrom, field, tableOf, tables, type Field } from './tableOf.ts';

/** In a larger matrix no cell could be read. */
const maxMatrixTools = 40;

/**
 * The report of a similarity analysis: findings first, then the matrix when it is readable,
 * pairs, and recommendations.
 */
export function similarityReport(result: SimilarityResult, generated: string): Report {
  const { toolIds, semanticSource, measure, threshold, weights, full, pairs, total, findings } =
    result;
  const flagged = pairs.filter((pair) => isFlagged(pair, threshold));
  const counts = {
    flagged: flagged.length,
    tools: flaggedTools(pairs, threshold),
    findings: findings.length,
  };
  const [first] = pairs;
  const table = pairsTable(result);
  return {
    subject: 'similarity',
    title: `Similarity of ${counted(toolIds.length, 'tool')}`,
    generated,
    opening: {
      headline: [similarityHeadline(counts)],
      lines: [
        [similarityAdvice(counts, threshold, measure)],
        ...(first
          ? [
              [
                `Highest ${measure}: `,
                { code: toolIds[first.a] ?? '' },
                ' and ',
                { code: toolIds[first.b] ?? '' },
                ` (${pairScoreText(first.score)}).`,
              ],
            ]
          : []),
      ],
    },
    facts: factsFrom(
      ['Tools', formatCount(toolIds.length)],
      [
        'Pairs',
        `${total}${total > pairs.length ? `, the ${pairs.length} of highest ${measure} are listed` : ''}`,
      ],
      ['Flagged', `${flagged.length}: ${measure} of ${threshold} or higher`],
      ['Semantic dimension', describeSemanticSource(semanticSource, full), 'untrusted'],
      [
        'Overlap',
        `${weights.semantic} × semantic + ${weights.parameters} × parameters + ` +
          `${weights.description} × description; each from 0 to 1`,
      ],
    ),
    parts: [
      ...tables(findings.length > 0 && findingsTable(result)),
      ...(toolIds.length <= maxMatrixTools && total === pairs.length
        ? [{ part: 'matrix' as const, ...scoreMatrix(result) }]
        : []),
      ...tables(table, adviceTable(result.recommendations)),
    ],
    csv: table,
    document: () => publish(similarityDocument, result),
    alerts: () => [
      ...findingRows(result).map(({ name, title, detail }) => ({
        level: 'warning' as const,
        title: `${name} ${title}`,
        message: detail,
      })),
      ...flagged.map(({ a, b, score }) => ({
        level: 'warning' as const,
        title: `A model could confuse ${toolIds[a] ?? ''} and ${toolIds[b] ?? ''}`,
        message: `Their ${measure} is ${pairScoreText(score)}.`,
      })),
    ],
  };
}

function findingRows({ findings, toolIds }: SimilarityResult) {
  const tools = toolIds.map((id) => {
    const { server, tool } = splitToolId(id);
    return { server, name: tool };
  });
  return findings.map((finding) => ({
    ids: finding.tools.map((at) => toolIds[at] ?? ''),
    ...findingTexts(finding, tools),
  }));
}

/** Tools that share a name or a purpose. */
const findingsTable = (result: SimilarityResult): ReportTable =>
  tableOf(
    'Findings',
    findingRows(result),
    [
      field('text', 'Tool', 'tool', ({ name }) => name),
      field('word', 'Finding', 'finding', ({ title }) => title),
      field('text', 'Details', 'details', ({ detail }) => detail),
      field('code', 'Tools', 'tools', ({ ids }) => ids),
    ],
    { row: () => ({ important: true }) },
  );

/** Hundredths, rounded down: 100 is only shown for identical texts. */
function scoreMatrix({ toolIds, pairs, measure }: SimilarityResult): ReportMatrix {
  const scoreOf = new Map(pairs.map(({ a, b, score }) => [`${a}-${b}`, score]));
  return {
    title: measureTitles[measure],
    note: 'In hundredths; 100 means identical. Select a cell to see its pair.',
    corner: '',
    rows: toolIds,
    columns: toolIds,
    cell: (row, column) => {
      if (row === column) return { shown: '', weight: 0 };
      const cell = `${Math.min(row, column)}-${Math.max(row, column)}`;
      const score = scoreOf.get(cell) ?? 0;
      const shown = String(Math.floor(score * 100 + 1e-9));
      return {
        shown,
        weight: score,
        link: {
          cell,
          label: `${toolIds[row] ?? ''} and ${toolIds[column] ?? ''}: ${pairScoreText(score)}`,
        },
      };
    },
  };
}

/** The listed pairs with all dimensions; also the content of CSV. */
function pairsTable({ toolIds, pairs, measure, full, threshold }: SimilarityResult): ReportTable {
  const mark = (flagged: boolean): Mark =>
    flagged ? { sign: '!', word: 'flagged', tone: 'bad' } : { sign: '–', word: 'no', tone: 'soft' };
  const score = (
    title: string,
    name: string,
    read: (pair: (typeof pairs)[number]) => number | null,
  ): Field<(typeof pairs)[number]> => field('number', title, name, read, { text: pairScoreText });
  // The chosen one first.
  const measures = similarityMeasures.toSorted(
    (one, other) => Number(other === measure) - Number(one === measure),
  );
  return tableOf(
    'Pairs',
    pairs,
    [
      field('code', 'Tool', 'tool_a_id', ({ a }) => toolIds[a] ?? ''),
      field('code', 'Tool', 'tool_b_id', ({ b }) => toolIds[b] ?? ''),
      field('mark', 'Flagged', 'flagged', (pair) => mark(isFlagged(pair, threshold))),
      ...measures.map((one) =>
        one === 'overlap'
          ? score(measureTitles[one], 'overlap', ({ overlap }) => overlap)
          : score(measureTitles[one], 'similarity_score', ({ similarityScore }) => similarityScore),
      ),
      full && score('Full similarity', 'full_similarity_score', (pair) => pair.fullSimilarityScore),
      score('Semantic', 'semantic', ({ dimensions }) => dimensions.semantic),
      score('Parameters', 'parameters', ({ dimensions }) => dimensions.parameters),
      score('Description', 'description', ({ dimensions }) => dimensions.description),
    ],
    {
      main: true,
      emptyText: 'No pairs.',
      row: (pair) => ({
        units: `${pair.a}-${pair.b}`,
        important: isFlagged(pair, threshold),
      }),
    },
  );
}

/**
 * The issues of flagged pairs, each with what to do about it; the column for revised descriptions
 * only appears when a model was asked.
 */
function adviceTable(recommendations: readonly Differentiation[]): ReportTable {
  const rows = recommendations.flatMap(({ toolPair, issues, recommendations: items, unrevised }) =>
    issues.flatMap(({ type, priority, evidence }) => {
      const own: (Differentiation['recommendations'][number] | null)[] = items.filter(
        ({ issue }) => issue === type,
      );
      // Of a tool with an open signal there is a diagnosis alone.
      if (own.length === 0) own.push(null);
      return own.map((item) => ({
        ...{ toolPair, type, priority, evidence, item },
        failure: unrevised.find(({ toolId }) => toolId === item?.toolId),
      }));
    }),
  );
  return tableOf(
    'What to change',
    rows,
    [
      field('code', 'Tools', 'tools', ({ toolPair }) => toolPair),
      field('word', 'Priority', 'priority', ({ priority }) => priority),
      field('word', 'Issue', 'issue', ({ type }) => issueTexts[type]),
      field('text', 'Evidence', 'evidence', ({ evidence }) => evidence),
      field('text', 'Change', 'recommendation', ({ item }) => item && item.recommendation),
      field('text', 'Why', 'rationale', ({ item }) => item && item.rationale),
      field('code', 'JSON Patch', 'apply_commands', ({ item }) =>
        item?.applyCommands.length ? JSON.stringify(item.applyCommands) : null,
      ),
      recommendations.some(
        ({ unrevised, recommendations: items }) =>
          unrevised.length > 0 ||
          items.some(({ revisedDescription }) => revisedDescription !== null),
      ) &&
        field(
          'text',
          'By a model',
          'revised_description',
          ({ item, failure }) =>
            item?.revisedDescription ?? (failure ? `No text: ${failure.reason}` : null),
        ),
    ],
    { emptyText: 'No recommendations.' },
  );
}
