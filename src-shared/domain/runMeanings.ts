/** What the columns mean, wherever a heading or a number explains itself. */
export const runMeanings = {
  correctness: 'Of the expected parameters of matched calls, the share with the expected value.',
  certainty:
    'How sure the model was of its choice, from 0 to 1. The case tells how it was measured.',
  latency:
    'How long the model took for one run: from the request to the end of its answer. ' +
    'Milliseconds or seconds.',
} as const;
