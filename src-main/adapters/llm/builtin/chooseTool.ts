import { formatDecimal } from '../../../../src-shared/display/numbers.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { contentTerms } from '../../../analysis/contentTerms.ts';
import { defaultRanker } from '../../../analysis/rankers/default.ts';
import type { Index } from '../../../analysis/rankers/ranker.ts';
import { groupsOf } from '../../../analysis/relatedWords.ts';
import { slotsOf, type Slot } from './slots.ts';

/**
 * Below this score of the `default` ranker no tool is called. Range 0–1.
 *
 * It was chosen on datasets/sample/todo-sample.suite.yaml alone: for every floor from 0 to 1 we
 * counted the cases of at most one call that pass. The count is highest (39) from 0.060 to 0.192
 * and from 0.218 to 0.280. The floor is in the upper range, which makes fewer unneeded calls. From
 * 0.03 to 0.32 the count is at most three lower, so the exact value matters little. A test checks
 * that the floor is still one of the best.
 */
export const scoreFloor = 0.26;

export interface Candidate {
  tool: SnapshotTool;
  score: number;
}

export interface Choice {
  /** The best tools, at most five, best first. */
  ranking: Candidate[];
  /** Null where the best score is below the floor, or there is no tool. */
  tool: SnapshotTool | null;
  /**
   * The margin (s1 − s2) / s1 of the best score over the next, s2 = 0 where there is no second; 1
   * where no tool is called. Range 0–1.
   */
  confidence: number;
  reasoning: string;
}

/** A list of tools, indexed once. */
export interface PreparedTools {
  tools: readonly SnapshotTool[];
  index: Index;
  stems: readonly ReadonlySet<string>[];
  slots: (Slot[] | undefined)[];
}

export function prepareTools(tools: readonly SnapshotTool[]): PreparedTools {
  return {
    tools,
    index: defaultRanker.index(tools),
    stems: tools.map(
      (tool) => new Set(contentTerms(`${tool.name} ${tool.description}`).map((term) => term.stem)),
    ),
    slots: [],
  };
}

/** The parameters of a listed tool, read from its schema when it is first chosen. */
export function slotsOfTool(prepared: PreparedTools, tool: SnapshotTool): Slot[] {
  const at = prepared.tools.indexOf(tool);
  return (prepared.slots[at] ??= slotsOf(tool.inputSchema));
}

/**
 * Picks the first tool of the `default` ranking, or none below `scoreFloor`. Confidence is the
 * margin. Source: docs/rules.md §3.
 *
 * @param intent the query without its values: quotations, numbers and addresses are content,
 *   not intent
 */
export function chooseTool(prepared: PreparedTools, intent: string): Choice {
  const ranked = prepared.index.top(intent, 5);
  const ranking = ranked.flatMap(({ toolIndex, score }): Candidate[] => {
    const tool = prepared.tools[toolIndex];
    return tool ? [{ tool, score }] : [];
  });
  const first = ranking[0];
  if (!first) return { ranking, tool: null, confidence: 1, reasoning: 'No tools were offered.' };
  const shared = sharedWords(intent, prepared.stems[ranked[0]?.toolIndex ?? 0] ?? new Set());
  const second = ranking[1];
  const scores =
    `best score ${formatDecimal(first.score, 2)} for ` +
    `${nameOf(first.tool)}${second ? `, next ${formatDecimal(second.score, 2)} for ${nameOf(second.tool)}` : ''}`;
  const words = `shared words: ${shared.length > 0 ? shared.join(', ') : 'none'}`;
  if (first.score < scoreFloor) {
    return {
      ranking,
      tool: null,
      confidence: 1,
      reasoning: `No tool: the ${scores}, is below the floor of ${formatDecimal(scoreFloor, 2)}; ${words}.`,
    };
  }
  const margin = (first.score - (second?.score ?? 0)) / first.score;
  return {
    ranking,
    tool: first.tool,
    confidence: Math.min(1, Math.max(0, margin)),
    reasoning: `Called ${nameOf(first.tool)}: ${scores}; ${words}.`,
  };
}

const nameOf = (tool: SnapshotTool): string => toolId(tool.server, tool.name);

/**
 * The distinct words of the query that a tool's name or description contains, itself or by a
 * related word, in their order.
 */
function sharedWords(query: string, stems: ReadonlySet<string>): string[] {
  const groups = new Set([...stems].flatMap((known) => groupsOf(known)));
  const shared = contentTerms(query).filter(
    (term) => stems.has(term.stem) || groupsOf(term.stem).some((group) => groups.has(group)),
  );
  return [...new Set(shared.map((term) => term.word))];
}

/** A test for stems that name the tool, related words included, as opposed to content. */
export function toolWordTest(tool: SnapshotTool): (stem: string) => boolean {
  const stems = new Set(contentTerms(tool.name).map((term) => term.stem));
  const groups = new Set([...stems].flatMap((known) => groupsOf(known)));
  return (candidate) =>
    stems.has(candidate) || groupsOf(candidate).some((group) => groups.has(group));
}
