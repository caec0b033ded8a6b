import type { FaultKind } from '../domain/taskFaults.ts';

/** What a tool does wrong on purpose, in a word or two and in a sentence. */
export const faultTexts: Readonly<Record<FaultKind, { label: string; meaning: string }>> = {
  error: {
    label: 'error',
    meaning: 'A fault on purpose: an error answered in place of the tool.',
  },
  rate_limit: {
    label: 'rate limit',
    meaning: 'A fault on purpose: “too many requests” answered in place of the tool.',
  },
  delay: { label: 'delay', meaning: 'A fault on purpose: the answer came late.' },
  empty: { label: 'empty result', meaning: 'A fault on purpose: the result was emptied.' },
  wrong_type: {
    label: 'wrong type',
    meaning: 'A fault on purpose: the values of the result got other types.',
  },
};
