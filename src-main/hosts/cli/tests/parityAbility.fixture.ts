import type { contract } from '../../../../src-shared/contract/index.ts';

type Routes = typeof contract;
type ProcedureName = {
  [Topic in keyof Routes]: `${Topic}.${keyof Routes[Topic] & string}`;
}[keyof Routes];

/**
 * One thing that a person can do. `window` is where, or null; `commands` are those that do it.
 * A thing that only one of them does needs a reason.
 */
export interface Ability {
  does: string;
  window: string | null;
  commands: readonly string[];
  procedures: readonly ProcedureName[];
  why?: string;
}
