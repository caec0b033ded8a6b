import type {
  CandidateComparison,
  ComparedSide,
  PassedWhen,
} from '../../../src-shared/domain/comparison.ts';
import { modelsDiffer, type ComparedTerms } from '../results/comparedSide.ts';
import { differingConditions, pooledConditions } from '../runs/conditions.ts';
import { answerCandidates, sortPairs } from '../results/comparePairs.ts';
import { pairCases } from '../results/pairCases.ts';
import { pairModels } from './comparability.ts';
import type { ReportedModel } from './reportFile.ts';
import {
  casesOf,
  sideOf,
  toolChangesOf,
  type NamedReport,
  type ReportedCase,
} from './reportSides.ts';

/** A model of a report; null = all of its models together. */
export interface ReportSide {
  from: NamedReport;
  model: ReportedModel | null;
}

/** One candidate with its own baseline. */
export interface ReportComparison {
  baseline: ComparedSide;
  candidate: CandidateComparison;
}

const question = ({ hash }: ReportedCase): string => hash;

/**
 * Compares pairs of sides case by case, as `compare` does with evaluations of the workspace
 * (docs/rules.md §3, Comparisons). The p-values of all pairs are adjusted together.
 */
export function compareReports(
  pairs: readonly { before: ReportSide; after: ReportSide }[],
  when: PassedWhen,
): ReportComparison[] {
  const sides = pairs.map(({ before, after }) => ({
    before: sideOf(before.from, before.model, when),
    after: sideOf(after.from, after.model, when),
    cases: pairCases(casesOf(before.from.report), casesOf(after.from.report), {
      before: question,
      after: question,
    }),
  }));
  const compared = answerCandidates(
    sides.map(({ before, after, cases }) => sortPairs(before, after, cases)),
  );
  return compared.flatMap((candidate, at) => {
    const [pair, own] = [pairs[at], sides[at]];
    if (pair === undefined || own === undefined) return [];
    const { before, after } = pair;
    return {
      baseline: own.before.shown,
      candidate: {
        ...candidate,
        tools: toolChangesOf(before.from.report, after.from.report),
        modelDiffers:
          before.model !== null && after.model !== null && modelsDiffer(before.model, after.model),
        conditions: differingConditions(termsOf(before).conditions, termsOf(after).conditions),
      },
    };
  });
}

/** Each model with its own baseline, or all models together. Models without a partner are left out. */
export function comparePerModel(
  baseline: NamedReport,
  now: NamedReport,
  { pooled, when }: { pooled: boolean; when: PassedWhen },
): ReportComparison[] {
  const pairs = pooled
    ? [{ before: null, after: null }]
    : pairModels(baseline.report.models, now.report.models).pairs;
  return compareReports(
    pairs.map(({ before, after }) => ({
      before: { from: baseline, model: before },
      after: { from: now, model: after },
    })),
    when,
  );
}

/** The terms of a side, of one model or of all together. */
export const termsOf = ({ from: { report }, model }: ReportSide): ComparedTerms => ({
  unit: report.unit,
  mode: report.mode,
  user: report.user,
  model,
  conditions: model?.conditions ?? pooledConditions(report.models.map((each) => each.conditions)),
});
