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
    facts: [
      { name: 'Tools', value: formatCount(toolIds.length) },
      {
        name: 'Pairs',
        value: `${total}${total > pairs.length ? `, the ${pairs.length} of highest ${measure} are listed` : ''}`,
      },
      { name: 'Flagged', value: `${flagged.length}: ${measure} of ${threshold} or higher` },
      {
        name: 'Semantic dimension',
        value: describeSemanticSource(semanticSource, full),
        untrusted: true,
      },
      {
        name: 'Overlap',
        value:
          `${weights.semantic} × semantic + ${weights.parameters} × parameters + ` +
          `${weights.description} × description; each from 0 to 1`,
      },
    ],
    parts: [
      ...(findings.length > 0 ? [{ part: 'table' as const, ...findingsTable(result) }] : []),
      ...(toolIds.length <= maxMatrixTools && total === pairs.length
        ? [{ part: 'matrix' as const, ...scoreMatrix(result) }]
        : []),
      { part: 'table', ...table },
      { part: 'table', ...adviceTable(result.recommendations) },
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
function findingsTable(result: SimilarityResult): ReportTable {
  return {
    title: 'Findings',
    columns: [
      { title: 'Tool', name: 'tool', kind: 'text' },
      { title: 'Finding', name: 'finding', kind: 'word' },
      { title: 'Details', name: 'details', kind: 'text' },
      { title: 'Tools', name: 'tools', kind: 'code' },
    ],
    rows: () =>
      findingRows(result).map(({ ids, name, title, detail }) => ({
        cells: [name, title, detail, ids],
        important: true,
      })),
  };
}

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
  // The chosen one first.
  const measures = similarityMeasures.toSorted(
    (one, other) => Number(other === measure) - Number(one === measure),
  );
  return {
    title: 'Pairs',
    main: true,
    emptyText: 'No pairs.',
    columns: [
      { title: 'Tool', name: 'tool_a_id', kind: 'code' },
      { title: 'Tool', name: 'tool_b_id', kind: 'code' },
      { title: 'Flagged', name: 'flagged', kind: 'mark' },
      ...measures.map((one) => ({
        title: measureTitles[one],
        name: one === 'overlap' ? 'overlap' : 'similarity_score',
        kind: 'number' as const,
        text: pairScoreText,
      })),
      ...(full
        ? [
            {
              title: 'Full similarity',
              name: 'full_similarity_score',
              kind: 'number' as const,
              text: pairScoreText,
            },
          ]
        : []),
      { title: 'Semantic', name: 'semantic', kind: 'number', text: pairScoreText },
      { title: 'Parameters', name: 'parameters', kind: 'number', text: pairScoreText },
      { title: 'Description', name: 'description', kind: 'number', text: pairScoreText },
    ],
    *rows() {
      for (const pair of pairs) {
        const { a, b, fullSimilarityScore, dimensions } = pair;
        const flagged = isFlagged(pair, threshold);
        const scores = [
          ...measures.map((one) => (one === 'overlap' ? pair.overlap : pair.similarityScore)),
          ...(full ? [fullSimilarityScore] : []),
          dimensions.semantic,
          dimensions.parameters,
          dimensions.description,
        ];
        yield {
          cells: [toolIds[a] ?? '', toolIds[b] ?? '', mark(flagged), ...scores],
          units: `${a}-${b}`,
          important: flagged,
        };
      }
    },
  };
}

/**
 * The issues of flagged pairs, each with what to do about it; the column for revised descriptions
 * only appears when a model was asked.
 */
function adviceTable(recommendations: readonly Differentiation[]): ReportTable {
  const hasRevisions = recommendations.some(
    ({ unrevised, recommendations: items }) =>
      unrevised.length > 0 || items.some(({ revisedDescription }) => revisedDescription !== null),
  );
  return {
    title: 'What to change',
    emptyText: 'No recommendations.',
    columns: [
      { title: 'Tools', name: 'tools', kind: 'code' },
      { title: 'Priority', name: 'priority', kind: 'word' },
      { title: 'Issue', name: 'issue', kind: 'word' },
      { title: 'Evidence', name: 'evidence', kind: 'text' },
      { title: 'Change', name: 'recommendation', kind: 'text' },
      { title: 'Why', name: 'rationale', kind: 'text' },
      { title: 'JSON Patch', name: 'apply_commands', kind: 'code' },
      ...(hasRevisions
        ? [{ title: 'By a model', name: 'revised_description', kind: 'text' as const }]
        : []),
    ],
    rows: () =>
      recommendations.flatMap(({ toolPair, issues, recommendations: items, unrevised }) =>
        issues.flatMap(({ type, priority, evidence }) => {
          const own = items.filter(({ issue }) => issue === type);
          const found = [toolPair, priority, issueTexts[type], evidence];
          // Of a tool with an open signal there is a diagnosis alone.
          if (own.length === 0)
            return [{ cells: [...found, null, null, null, ...(hasRevisions ? [null] : [])] }];
          return own.map(({ recommendation, rationale, toolId, revisedDescription, ...item }) => {
            const failure = unrevised.find((one) => one.toolId === toolId);
            return {
              cells: [
                ...found,
                recommendation,
                rationale,
                item.applyCommands.length === 0 ? null : JSON.stringify(item.applyCommands),
                ...(hasRevisions
                  ? [revisedDescription ?? (failure ? `No text: ${failure.reason}` : null)]
                  : []),
              ],
            };
          });
        }),
      ),
  };
}
