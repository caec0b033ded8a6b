import { numberOf } from './random.ts';

export const folds = 4;

/** The part that a server, a pattern or a wording belongs to when weights are tried on unknown ones. */
export const foldOf = (name: string): number => numberOf(`fold ${name}`) % folds;
