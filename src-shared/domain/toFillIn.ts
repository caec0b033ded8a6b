/** Opens the request of a proposed case that a person has yet to write; nothing is run with one. */
export const toFillIn = 'FILL IN: ';
