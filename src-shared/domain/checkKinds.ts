/**
 * The kinds of checks, in the order in which people see them, and what a plan must know of each: who
 * decides it, and whether it reads a server after the last turn.
 */
const checkFacts = {
  state: { byModel: false, readsServer: true },
  answer: { byModel: false, readsServer: false },
  calls: { byModel: false, readsServer: false },
  judge: { byModel: true, readsServer: false },
} as const;
export type CheckKind = keyof typeof checkFacts;
export const checkKinds = Object.keys(checkFacts) as [CheckKind, ...CheckKind[]];

interface WithKind {
  kind: CheckKind;
}
/** True for a check that a second model decides. */
export const isByModel = ({ kind }: WithKind): boolean => checkFacts[kind].byModel;
export const readsServer = ({ kind }: WithKind): boolean => checkFacts[kind].readsServer;
