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
type Facts = typeof checkFacts;
/** The checks of which a fact is true. */
type With<Fact extends keyof Facts[CheckKind], Check> = Check & {
  kind: { [Kind in CheckKind]: Facts[Kind][Fact] extends true ? Kind : never }[CheckKind];
};
/** True for a check that a second model decides. */
export const isByModel = <Check extends WithKind>(check: Check): check is With<'byModel', Check> =>
  checkFacts[check.kind].byModel;
export const readsServer = <Check extends WithKind>(
  check: Check,
): check is With<'readsServer', Check> => checkFacts[check.kind].readsServer;

export const kindsByModel = checkKinds.filter((kind) => isByModel({ kind }));
