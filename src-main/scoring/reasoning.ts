import type { Classification } from '../../src-shared/domain/score.ts';
import type { ChoiceFault } from './confusions.ts';
import type { Row } from './compareArguments.ts';
import { enumerate, quote } from './describe.ts';
import type { CallScore } from './matchParameters.ts';

/** A matched call with its scores. */
interface ScoredCall {
  toolId: string;
  score: CallScore;
}

export interface Findings {
  classification: Classification;
  /** Labels of expected calls, and of calls made: a tool ID, or the name as the model wrote it. */
  expected: string[];
  made: string[];
  /** Names that were called but never offered. */
  phantoms: string[];
  faults: ChoiceFault[];
  scored: ScoredCall[];
}

/** An argument that nothing expects; one that is expected to be absent has an expected value. */
const isExtra = (row: Row): boolean => row.verdict === 'unexpected' && row.expected === undefined;

function parametersInWords({ toolId, score }: ScoredCall): string {
  if (!score.readable) return `The arguments of ${toolId} could not be read.`;
  const parts: string[] = [];
  if (score.expected > 0)
    parts.push(`${score.matched} of ${score.expected} expected parameters match`);
  const namesOf = (isMeant: (row: Row) => boolean) =>
    score.rows.filter(isMeant).map(({ name }) => name);
  const wrong = namesOf(
    (row) => row.verdict === 'wrong_value' || (row.verdict === 'unexpected' && !isExtra(row)),
  );
  if (wrong.length > 0) parts.push(`wrong: ${enumerate(wrong)}`);
  const extra = namesOf(isExtra);
  if (extra.length > 0)
    parts.push(`extra ${extra.length === 1 ? 'argument' : 'arguments'}: ${enumerate(extra)}`);
  if (score.missing.length > 0) parts.push(`left out: ${enumerate(score.missing)}`);
  if (score.hallucinated.length > 0)
    parts.push(`not in its schema: ${enumerate(score.hallucinated)}`);
  if (score.conformanceReason !== null) {
    parts.push(
      score.conforms === false
        ? `against its schema: ${score.conformanceReason}`
        : `schema undecided: ${score.conformanceReason}`,
    );
  }
  return parts.length === 0 ? '' : `${toolId}: ${parts.join('; ')}.`;
}

function faultInWords(fault: ChoiceFault): string {
  const { expected, selected } = fault;
  const parts: string[] = [];
  if (selected !== null && !fault.phantom && fault.queryOnlySelected.length > 0) {
    parts.push(
      `${selected} speaks of ${quote(fault.queryOnlySelected)} as the query ` +
        `does${expected === null ? '' : `, ${expected} does not`}`,
    );
  }
  if (expected !== null && fault.queryOnlyExpected.length > 0)
    parts.push(`${expected} speaks of ${quote(fault.queryOnlyExpected)}`);
  if (expected !== null && selected !== null && fault.shared.length > 0)
    parts.push(`both say ${quote(fault.shared)}`);
  if (expected !== null && selected === null && fault.queryNowhere.length > 0)
    parts.push(`${expected} says nothing of ${quote(fault.queryNowhere)}`);
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

/**
 * What the scorer saw, in sentences that name the tools and quote the words. Used if the model gave
 * no reasoning of its own.
 */
export function reasonInWords(findings: Findings): string {
  const made = findings.made.length === 0 ? 'nothing' : enumerate(findings.made);
  const lead = {
    TP: `The model called ${made}, as expected.`,
    TN: 'No call was expected, and the model made none.',
    FP: `No call was expected, but the model called ${made}.`,
    FN: `Expected ${enumerate(findings.expected)}, but the model called ${made}.`,
  }[findings.classification];
  const phantoms =
    findings.phantoms.length === 0 ? '' : `Never offered: ${quote(findings.phantoms)}.`;
  const details =
    findings.classification === 'TP'
      ? findings.scored.map(parametersInWords)
      : findings.faults.map(faultInWords);
  return [lead, phantoms, ...details].filter((sentence) => sentence !== '').join(' ');
}
