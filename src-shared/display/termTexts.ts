import { retrievalMetricTexts } from './retrievalMetricTexts.ts';

interface TermText {
  label: string;
  meaning: string;
}

/**
 * The terms that the screens explain on hover, focus and touch, with one definition each. The
 * glossary (docs/glossary.md, Measures) lists the same texts; a test compares them.
 */
export const termTexts = {
  passRate: {
    label: 'Pass rate',
    meaning:
      'Share of scored runs that passed: exactly the expected calls, each with complete, correct, ' +
      'and valid arguments. If no tool was expected, none was called.',
  },
  notScored: {
    label: 'Not scored',
    meaning:
      'Runs that ended with an error of a server, the provider, or the reply. They count in no ' +
      'other number.',
  },
  precision: {
    label: 'Precision',
    meaning: 'Of all calls made, the share that was expected: correct calls ÷ calls made.',
  },
  recall: {
    label: 'Recall',
    meaning: 'Of all calls expected, the share that was made: correct calls ÷ calls expected.',
  },
  f1: {
    label: 'F1',
    meaning:
      'Harmonic mean of precision and recall: 2 · correct calls ÷ (calls made + calls expected).',
  },
  tp: {
    label: 'TP',
    meaning: 'True positive: every expected call was made, and no other call.',
  },
  fn: {
    label: 'FN',
    meaning:
      'False negative: a call was expected, but it was missing, went to another tool, or was not ' +
      'the only call.',
  },
  fp: {
    label: 'FP',
    meaning: 'False positive: no call was expected, but one was made.',
  },
  tn: {
    label: 'TN',
    meaning: 'True negative: no call was expected, and none was made.',
  },
  madeUpTool: {
    label: 'Made-up tool',
    meaning: 'A call to a name that was not offered to the model. Also called a phantom.',
  },
  micro: {
    label: 'Micro',
    meaning: 'Average over all calls, each call counting once.',
  },
  macro: {
    label: 'Macro',
    meaning:
      'Average over tools, each tool counting once, however rarely it is expected. Tools without ' +
      'a defined rate are left out.',
  },
  interval: {
    label: '95% CI',
    meaning:
      '95% confidence interval: with other cases of the same kind, the true rate lies in such a ' +
      'range 95 times out of 100. More cases make it narrower.',
  },
  pValue: {
    label: 'p-value',
    meaning:
      'How often chance alone would give a difference at least this large. Small values, such as ' +
      '0.05 or less, speak against chance.',
  },
  pairedTest: {
    label: 'Paired test',
    meaning:
      'Compares two evaluations case by case: only cases that changed between passed and failed ' +
      'can decide it. It is a sign-flip test over cases (McNemar’s exact test with one ' +
      'repetition), Holm-adjusted if several candidates are compared.',
  },
  flip: {
    label: 'Flip',
    meaning: 'A case that changes between passed and failed: it was fixed, or it was broken.',
  },
  heldOut: {
    label: 'Held-out half',
    meaning:
      'The half of the entries that was not used to find or write something, so that it can ' +
      'prove it.',
  },
  passAtK: {
    label: 'pass@k',
    meaning:
      'Chance that at least one of k repetitions passes. Mean over cases with at least k scored ' +
      'repetitions.',
  },
  passAllK: {
    label: 'pass^k',
    meaning:
      'Chance that all of k repetitions pass. Mean over cases with at least k scored repetitions.',
  },
  confidence: {
    label: 'Confidence',
    meaning:
      'How sure the model was of its choice, from 0 to 1. Each case says how it was measured.',
  },
  ece: {
    label: 'ECE',
    meaning:
      'Expected calibration error: the mean distance between confidence and the share of correct ' +
      'runs, weighted by runs. 0 means that confidence can be taken at face value.',
  },
  tokens: {
    label: 'Tokens',
    meaning:
      'The pieces of text that models read and providers charge for. An English word is about ' +
      '1.3 tokens.',
  },
  encoding: {
    label: 'Encoding',
    meaning:
      'How text is split into tokens. Models differ: the same definition has a different number ' +
      'of tokens in each encoding.',
  },
  flaggedPrecision: {
    label: 'Precision (detectors)',
    meaning: 'Share of flagged texts that are attacks.',
  },
  flaggedRecall: {
    label: 'Recall (detectors)',
    meaning: 'Share of attacks that were flagged.',
  },
  fpr: {
    label: 'FPR',
    meaning: 'False positive rate: share of honest texts that were flagged.',
  },
  hardNegatives: {
    label: 'FPR, resembling attacks',
    meaning:
      'False positive rate on honest texts that resemble attacks: they read files, run commands, ' +
      'or say “important”.',
  },
  recallAtK: {
    label: 'Recall@k',
    meaning: 'Share of a query’s relevant tools among the first k results, mean over queries.',
  },
  mrr: retrievalMetricTexts.mrr,
  ndcg: retrievalMetricTexts.ndcg_at_10,
  map: retrievalMetricTexts.map,
} as const satisfies Record<string, TermText>;

export type TermName = keyof typeof termTexts;
