import { oc } from '@orpc/contract';
import { errors } from './errors.ts';

/** Base of every procedure: it may fail with any of the typed errors. */
export const procedure = oc.errors(errors);
