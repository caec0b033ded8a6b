import {
  type AnalysedTool,
  isFlagged,
  type IssueType,
  type SimilarityFinding,
  type SimilarityMeasure,
} from '../domain/similarity.ts';
import { counted, formatCount } from './numbers.ts';

/**
 * A similarity or an overlap with two digits, rounded down: 1.00 is shown only for identical texts,
 * and a number that reads as the threshold or more is flagged.
 */
export function pairScoreText(score: number): string {
  return (Math.floor(score * 100 + 1e-9) / 100).toFixed(2);
}

/** What orders and flags pairs, as a word at the beginning of a title and inside a sentence. */
export const measureTitles: Record<SimilarityMeasure, string> = {
  similarity: 'Similarity',
  overlap: 'Overlap',
};
export const measureNouns: Record<SimilarityMeasure, string> = {
  similarity: 'a similarity',
  overlap: 'an overlap',
};

/** What an analysis found, for its headline. */
export interface SimilarityCounts {
  /** Pairs at or above the threshold. */
  flagged: number;
  /** The tools in them, which are too similar; null where not every such pair is listed. */
  tools: number | null;
  /** Pairs that were confused in results, however similar they are. */
  confused?: number;
  /** Tools that share a name or a purpose. */
  findings: number;
}

/** The result in one sentence, the same in the window, on the command line and in reports. */
export function similarityHeadline(counts: SimilarityCounts): string {
  const { flagged, tools, findings } = counts;
  const finding = `${counted(findings, 'finding')} ${findings === 1 ? 'needs' : 'need'} a fix`;
  if (flagged === 0)
    return findings === 0 ? 'No tools are too similar' : `No tools are too similar, but ${finding}`;
  if (tools === null) return `${counted(flagged, 'pair')} of tools are too similar`;
  return `${tooSimilarText(tools)}${flagged === 1 ? '' : `, in ${counted(flagged, 'pair')}`}`;
}

/** How many tools are too similar to another one, in the same words wherever it is said. */
export const tooSimilarText = (tools: number): string =>
  `${counted(tools, 'tool')} ${tools === 1 ? 'is' : 'are'} too similar`;

export const flaggedTools = (
  pairs: readonly { a: number; b: number; score: number }[],
  threshold: number,
): number =>
  new Set(pairs.flatMap((pair) => (isFlagged(pair, threshold) ? [pair.a, pair.b] : []))).size;

export function similarityAdvice(
  counts: SimilarityCounts,
  threshold: number,
  measure: SimilarityMeasure,
): string {
  const { confused = 0 } = counts;
  const models =
    confused === 0
      ? ''
      : ` ${counted(confused, 'pair')} ${confused === 1 ? 'was' : 'were'} confused in results.`;
  return `${firstStep(counts, threshold, measure)}${models}`;
}

function firstStep(
  { flagged, findings }: SimilarityCounts,
  threshold: number,
  measure: SimilarityMeasure,
): string {
  if (findings > 0)
    return `Fix the ${findings === 1 ? 'finding' : `${findings} findings`} first: no wording can separate tools that share a name or a purpose.`;
  return flagged === 0
    ? `Pairs are flagged from ${measureNouns[measure]} of ${pairScoreText(threshold)}.`
    : `Flagged from ${measureNouns[measure]} of ${pairScoreText(threshold)}. Start with the pair at the top.`;
}

export const issueTexts: Record<IssueType, string> = {
  scope_clarity: 'Unclear scope',
  example_distinctiveness: 'Same example',
  parameter_uniqueness: 'Same parameters',
  naming_clarity: 'Similar names',
  terminology_overlap: 'Same words',
};

export interface FindingTexts {
  /** The tool that the finding is about, and what is said about it. */
  name: string;
  title: string;
  detail: string;
}

export function listed(items: readonly string[]): string {
  if (items.length < 3) return items.join(' and ');
  return `${items.slice(0, -1).join(', ')}, and ${items.at(-1) ?? ''}`;
}

/** More places than these are counted. */
const maxNamed = 4;

/** The first of many, and how many others there are. */
const firstOf = (items: readonly string[]): string[] =>
  items.length <= maxNamed
    ? [...items]
    : [...items.slice(0, maxNamed - 1), `${formatCount(items.length - maxNamed + 1)} others`];

/** A finding as a title and one or two sentences. */
export function findingTexts(
  { kind, tools: places }: SimilarityFinding,
  all: readonly Pick<AnalysedTool, 'server' | 'name'>[],
): FindingTexts {
  const tools = places.flatMap((at) => all[at] ?? []);
  const [first, second] = tools;
  const name = first?.name ?? '';
  if (kind === 'deprecated_twin')
    return {
      name,
      title: 'is a deprecated twin',
      detail: `Replaced by ${second?.name ?? ''}. While both are offered, a model may choose either: hide or remove ${name}.`,
    };
  const servers = new Set(tools.map(({ server }) => server));
  const others = tools
    .slice(1)
    .map((tool) => (tool.name === name ? tool.server : `${tool.server} as ${tool.name}`));
  return {
    name,
    title: `exists on ${servers.size} servers`,
    detail: `On ${listed(firstOf([first?.server ?? '', ...others]))}. A model can’t tell which one a request means: add the server to the name.`,
  };
}

/** How often models confused two tools: "confused 3×", or nothing. */
export function confusedText(confused: number): string {
  return confused === 0 ? '' : `confused ${formatCount(confused)}×`;
}
