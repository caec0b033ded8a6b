import { oc } from '@orpc/contract';
import { errors } from './errors.ts';

/** Every procedure may answer with the typed errors of the closed list. */
export const procedure = oc.errors(errors);
