/**
 * The kinds of checks, in the order in which people see them, and what a plan must know of each: who
 * decides it, whether it reads a server after the last turn, whether it compares that with a reading
 * before the first turn, and whether with one after the reference solution.
 */
const byRule = {
  byModel: false,
  readsServer: false,
  readsBefore: false,
  needsSolution: false,
} as const;
const checkFacts = {
  state: { ...byRule, readsServer: true },
  end_state: { ...byRule, readsServer: true, needsSolution: true },
  unchanged: { ...byRule, readsServer: true, readsBefore: true },
  answer: byRule,
  calls: byRule,
  program: byRule,
  judge: { ...byRule, byModel: true },
} as const;
export type CheckKind = keyof typeof checkFacts;
export const checkKinds = Object.keys(checkFacts) as [CheckKind, ...CheckKind[]];

interface WithKind {
  kind: CheckKind;
}
type Facts = typeof checkFacts;
type With<Fact extends keyof Facts[CheckKind], Check> = Check & {
  kind: { [Kind in CheckKind]: Facts[Kind][Fact] extends true ? Kind : never }[CheckKind];
};
/** True for a check that a second model decides. */
export const isByModel = <Check extends WithKind>(check: Check): check is With<'byModel', Check> =>
  checkFacts[check.kind].byModel;
export const readsServer = <Check extends WithKind>(
  check: Check,
): check is With<'readsServer', Check> => checkFacts[check.kind].readsServer;

export const readsBefore = <Check extends WithKind>(
  check: Check,
): check is With<'readsBefore', Check> => checkFacts[check.kind].readsBefore;
export const needsSolution = <Check extends WithKind>(
  check: Check,
): check is With<'needsSolution', Check> => checkFacts[check.kind].needsSolution;

export const kindsByModel = checkKinds.filter((kind) => isByModel({ kind }));
export const kindsThatRead = checkKinds.filter((kind) => readsServer({ kind }));
