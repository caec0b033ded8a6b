import { numberOf } from './random.ts';

export const folds = 4;

/** The part of the servers that a server belongs to when weights are tried on unknown servers. */
export const foldOf = (server: string): number => numberOf(`fold ${server}`) % folds;
