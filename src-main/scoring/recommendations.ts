import type { Advice } from '../../src-shared/domain/advice.ts';
import { adviceMessage } from '../../src-shared/display/adviceTexts.ts';
import type { ConfidenceCategory, Recommendation } from '../../src-shared/domain/score.ts';
import { toolsOfLabel } from '../../src-shared/domain/labels.ts';
import { rightCalls } from '../../src-shared/domain/testCase.ts';
import { advise, type AdvisedFailure } from '../analysis/advice/advise.ts';
import { nextStep } from './nextStep.ts';
import type { Findings } from './reasoning.ts';
import { readSchema } from './schema/readSchema.ts';
import type { OfferedTool, ScoreInput } from './scoreInput.ts';

interface RecommendationInput {
  findings: Findings;
  expectedCalls: ScoreInput['expectation']['expectedCalls'];
  query: string;
  tools: readonly OfferedTool[];
  category: ConfidenceCategory;
  undecided: string | null;
}

/** The wrong choices of one run, or the wrong arguments of its correct calls. */
function failuresOf({ findings, expectedCalls, query }: RecommendationInput): AdvisedFailure[] {
  const values = expectedCalls
    .flatMap(rightCalls)
    .map(({ parameters }) => JSON.stringify(parameters ?? {}))
    .join(' ');
  const choices = findings.faults.map(({ expected, selected }): AdvisedFailure => ({
    query,
    values,
    expected: expected === null ? null : (toolsOfLabel(expected)[0] ?? expected),
    called: selected,
    wrongArguments: [],
  }));
  if (findings.classification !== 'TP') return choices;
  return findings.scored.map(({ toolId, score }) => ({
    query,
    values,
    expected: toolId,
    called: toolId,
    wrongArguments: score.rows.filter(
      ({ verdict }) => verdict === 'wrong_value' || verdict === 'missing',
    ),
  }));
}

/** Advice whose text has words of the request, or an expected value. */
const kindsFromCase: ReadonlySet<Advice['kind']> = new Set(['missing_words', 'parameter']);

/**
 * The recommendations of a case that is held out for proofs: a text that is written with its words
 * could not be proved on it (docs/rules.md §4, Proven candidates). What was made of the case itself is
 * left out, and a sentence says so.
 */
export function withoutHeldOut(recommendations: readonly Recommendation[]): Recommendation[] {
  const hidden = recommendations.filter(({ fromCase }) => fromCase === true);
  const [first] = hidden;
  if (first === undefined) return [...recommendations];
  const tools = [...new Set(hidden.flatMap(({ toolId }) => toolId ?? []))].join(', ');
  return [
    {
      toolId: first.toolId,
      priority: first.priority,
      message:
        `This case is held out for proofs, so no text for ${tools} is made of its request. ` +
        'The editor of the tool makes its texts of cases that are not held out.',
    },
    ...recommendations.filter(({ fromCase }) => fromCase !== true),
  ];
}

/**
 * What to change after one run, without a model: the advice of its own failures (docs/rules.md §4,
 * Advice), or the next step where no rule gives a text for a wrong choice, then schemas that could
 * not decide. Never empty for FP and FN.
 */
export function recommend(input: RecommendationInput): Recommendation[] {
  const priority = input.category === 'misleading' ? 'high' : 'medium';
  const advice = advise({ tools: input.tools, failures: failuresOf(input) }).flatMap((piece) =>
    piece.edits.map((edit) => ({
      toolId: edit.toolId,
      priority: priority as Recommendation['priority'],
      message: adviceMessage(piece, edit),
      ...(kindsFromCase.has(piece.kind) && { fromCase: true }),
    })),
  );
  const advised = new Set<string | null>(advice.map(({ toolId }) => toolId));
  const unadvised = input.findings.faults.filter(
    ({ expected, selected }) =>
      !advised.has(selected) && !toolsOfLabel(expected ?? '').some((id) => advised.has(id)),
  );
  const steps = unadvised.map((fault) => nextStep(fault, input.tools, input.findings.phantoms));
  return [...advice, ...steps, ...schemaAdvice(input)];
}

const maxNamed = 3;

/** A schema that could not decide the run, and keywords that decide nothing. */
function schemaAdvice({ findings, tools, undecided }: RecommendationInput): Recommendation[] {
  // Where a schema decided, it has been read within the limits.
  const isDecided = findings.classification === 'TP' && undecided === null;
  const called = new Set(isDecided ? findings.scored.map(({ toolId }) => toolId) : []);
  const unreadable = tools
    .filter(({ toolId }) => called.has(toolId))
    .flatMap(({ toolId, inputSchema }): Recommendation[] => {
      const found = readSchema(inputSchema).unreadable;
      if (found.length === 0) return [];
      const named = found.slice(0, maxNamed).map(({ path, reason }) => `${path}: ${reason}`);
      const more = found.length > maxNamed ? `; and ${found.length - maxNamed} more` : '';
      return [
        {
          toolId,
          priority: 'low',
          message:
            `The input schema of ${toolId} has keywords that can't be read, so they decide nothing. ` +
            `${named.join('; ')}${more}.`,
        },
      ];
    });
  const blind: Recommendation[] =
    undecided === null ? [] : [{ toolId: null, priority: 'medium', message: undecided }];
  return [...blind, ...unreadable];
}
