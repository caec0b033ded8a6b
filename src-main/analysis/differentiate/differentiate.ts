import {
  adviceForBoth,
  adviceMessage,
  noRuleFits,
} from '../../../src-shared/display/adviceTexts.ts';
import type { Advice, AdviceEdit, AdviceKind } from '../../../src-shared/domain/advice.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type {
  AnalysedTool,
  Differentiation,
  DifferentiationIssue,
  RecommendationItem,
  PatchOperation,
  Priority,
} from '../../../src-shared/domain/similarity.ts';
import { advise } from '../advice/advise.ts';
import { lookAlike } from '../advice/pairAdvice.ts';

/** The issue type of the published format that each kind of advice belongs to. */
const issueTypes: Record<AdviceKind, DifferentiationIssue['type']> = {
  same_name: 'naming_clarity',
  deprecated_twin: 'scope_clarity',
  boundary: 'scope_clarity',
  missing_words: 'terminology_overlap',
  parameter: 'parameter_uniqueness',
  unneeded_call: 'scope_clarity',
};

const priorityOf = ({ kind }: Advice): Priority => (kind === 'boundary' ? 'medium' : 'high');

function patchOf(edit: AdviceEdit): PatchOperation[] {
  return edit.type === 'text' ? [{ op: 'replace', path: edit.path, value: edit.newText }] : [];
}

/** Concerns both tools, so it names neither and patches none. */
const forBoth: RecommendationItem = {
  issue: 'scope_clarity',
  toolId: null,
  priority: 'low',
  recommendation: adviceForBoth,
  rationale: noRuleFits,
  revisedDescription: null,
  applyCommands: [],
};

export interface Differentiator {
  /** The advice for a pair in the published format; for both tools at once if no rule is sure. */
  advise(a: AnalysedTool, b: AnalysedTool, similarityScore: number): Differentiation;
}

/**
 * Advice for pairs of these tools, without a model; none for pairs with a tool of `openSignals`
 * (tool IDs). Source: docs/rules.md §4.
 */
export function createDifferentiator(
  tools: readonly AnalysedTool[],
  openSignals: ReadonlySet<string> = new Set(),
): Differentiator {
  return {
    advise(a, b, similarityScore) {
      const found = advise({
        tools: [a, b, ...tools.filter((tool) => tool !== a && tool !== b)],
        pairs: [{ a: 0, b: 1 }],
        openSignals,
      });
      const toolPair: Differentiation['toolPair'] = [
        toolId(a.server, a.name),
        toolId(b.server, b.name),
      ];
      const base = { toolPair, similarityScore, unrevised: [] };
      if (toolPair.some((id) => openSignals.has(id)) || lookAlike(a, b))
        return { ...base, issues: [], recommendations: [] };
      if (found.length === 0)
        return {
          ...base,
          issues: [{ type: forBoth.issue, priority: forBoth.priority, evidence: noRuleFits }],
          recommendations: [forBoth],
        };
      return {
        ...base,
        issues: found.map((piece) => ({
          type: issueTypes[piece.kind],
          priority: priorityOf(piece),
          evidence: piece.why,
        })),
        recommendations: found.flatMap((piece) =>
          piece.edits.map((edit) => ({
            issue: issueTypes[piece.kind],
            toolId: edit.toolId,
            priority: priorityOf(piece),
            recommendation: adviceMessage(piece, edit),
            rationale: piece.why,
            revisedDescription: null,
            applyCommands: patchOf(edit),
          })),
        ),
      };
    },
  };
}
