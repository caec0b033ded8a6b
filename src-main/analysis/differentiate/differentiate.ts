import { adviceMessage, noRuleFits } from '../../../src-shared/display/adviceTexts.ts';
import type { Advice, AdviceEdit } from '../../../src-shared/domain/advice.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type {
  AnalysedTool,
  Differentiation,
  IssueType,
  PatchOperation,
  Priority,
  RecommendationItem,
} from '../../../src-shared/domain/similarity.ts';
import { advise } from '../advice/advise.ts';
import { lookAlike, saysDeprecated } from '../advice/pairAdvice.ts';
import { diagnose, issueOfAdvice, urgentFirst, type Diagnosis } from './issues.ts';
import { countWords, pairWords } from './pairWords.ts';

const priorityOf = ({ kind }: Advice): Priority => (kind === 'boundary' ? 'medium' : 'high');

function patchOf(edit: AdviceEdit): PatchOperation[] {
  return edit.type === 'text' ? [{ op: 'replace', path: edit.path, value: edit.newText }] : [];
}

/**
 * Issues and recommendations for pairs of these tools, without a model. Pairs with a tool of
 * `openSignals` (tool IDs), or with names that look the same, get the issues alone: one of the two
 * may imitate the other. Source: docs/rules.md §4.
 */
export function createDifferentiator(
  tools: readonly AnalysedTool[],
  openSignals: ReadonlySet<string> = new Set(),
) {
  const counts = countWords(tools);
  return {
    /**
     * What is unclear about a pair, and what to change. There is at least one issue; a text to paste
     * is only there where a rule is sure.
     */
    advise(a: AnalysedTool, b: AnalysedTool, similarityScore: number): Differentiation {
      const toolPair: Differentiation['toolPair'] = [
        toolId(a.server, a.name),
        toolId(b.server, b.name),
      ];
      const base = { toolPair, similarityScore, unrevised: [] };
      const diagnosed = diagnose([a, b], pairWords(a, b, counts));
      if (toolPair.some((id) => openSignals.has(id)) || lookAlike(a, b))
        return { ...base, issues: diagnosed.map(issueOf), recommendations: [] };
      const pieces = advise({
        tools: [a, b, ...tools.filter((tool) => tool !== a && tool !== b)],
        pairs: [{ a: 0, b: 1 }],
      });
      const proposed = pieces.flatMap(itemsOf);
      // A deprecated tool is hidden, not reworded; and where a text is proposed for an issue, that
      // is what to do about it.
      const isToGo = [a, b].some(({ description }) => saysDeprecated.test(description));
      const answered = new Set<IssueType>(pieces.map(({ kind }) => issueOfAdvice[kind]));
      const described = isToGo ? [] : diagnosed.filter(({ type }) => !answered.has(type));
      return {
        ...base,
        issues: urgentFirst([
          ...pieces.map((piece) => ({
            type: issueOfAdvice[piece.kind],
            priority: priorityOf(piece),
            evidence: evidenceOf(piece, diagnosed),
          })),
          ...diagnosed.filter(({ type }) => !answered.has(type)).map(issueOf),
        ]),
        recommendations: urgentFirst([...proposed, ...described.map(itemOf)]),
      };
    },
  };
}

const issueOf = ({ type, priority, evidence }: Diagnosis) => ({ type, priority, evidence });

/** Why the advice is given, and what the definitions show about the same issue. */
function evidenceOf({ kind, why }: Advice, diagnosed: readonly Diagnosis[]): string {
  const same = diagnosed.find(
    ({ type, rationale }) => type === issueOfAdvice[kind] && rationale !== noRuleFits,
  );
  return same === undefined ? why : `${why} ${same.evidence}`;
}

const itemsOf = (piece: Advice): RecommendationItem[] =>
  piece.edits.map((edit) => ({
    issue: issueOfAdvice[piece.kind],
    toolId: edit.toolId,
    priority: priorityOf(piece),
    recommendation: adviceMessage(piece, edit),
    rationale: piece.why,
    revisedDescription: null,
    applyCommands: patchOf(edit),
  }));

const itemOf = ({ type, priority, toolId: id, recommendation, rationale }: Diagnosis) => ({
  issue: type,
  toolId: id,
  priority,
  recommendation,
  rationale,
  revisedDescription: null,
  applyCommands: [],
});
