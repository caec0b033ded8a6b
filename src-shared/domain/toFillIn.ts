/** Opens the request of a proposed case that a person has yet to write; nothing is run with one. */
export const toFillIn = 'FILL IN: ';
/** Opens the request of a case that was read from a log, until a person has said what is right. */
export const toReview = 'REVIEW: ';

/** Whether a person has yet to write or review a case; `of` says which. */
export const isOpen = (query: string): boolean =>
  query.startsWith(toFillIn) || query.startsWith(toReview);
