import { counted } from '../../../src-shared/display/numbers.ts';
import type { EvaluationRequest } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { TaskEvaluationRequest } from '../../../src-shared/domain/taskEvaluation.ts';
import { baselineProblems, type JudgedBy } from '../../services/checks/judgeReports.ts';
import { alignRenames } from '../../services/checks/renames.ts';
import { expectedToDisagree, toAskAgain } from '../../services/checks/repetitions.ts';
import type { CommandContext } from './commandContext.ts';
import { readStoredReport, type Held } from './input/reportInput.ts';
import type { Client } from './session.ts';
import { watchUntilEnded } from './watch.ts';

/** How often a check asks what disagrees with a baseline. */
export interface UpTo {
  upTo: number;
  /** Whether later results are compared with this one, so that every case is asked as often. */
  isBaseline: boolean;
}

type Request = EvaluationRequest | TaskEvaluationRequest;

/**
 * One repetition where there is a baseline to disagree with, and all of them where there is none.
 * Returns what to warn of.
 */
export function setRepetitions(
  request: Request,
  repetitions: UpTo | undefined,
  { baseline, release }: Held,
): string[] {
  if (repetitions === undefined) return [];
  const { upTo, isBaseline } = repetitions;
  const references = [baseline, release].filter((one) => one !== null);
  if (isBaseline || references.length === 0) {
    request.repetitions = upTo;
    return [];
  }
  Object.assign(request, { repetitions: 1, repetitionsUpTo: upTo });
  return references
    .filter(({ report }) => report.settings.repetitions < 2)
    .map(
      ({ name }) =>
        `${name}: It has one repetition of each case, so asking again would tell nothing. Make it ` +
        `again without a baseline or with --new-baseline, which asks every case ${upTo} times.`,
    );
}

/** What asking again would add to the runs of a plan, if nothing changed. */
export interface ExpectedAgain {
  upTo: number;
  /** Cases or tasks that would disagree by chance, over all models. */
  cases: number;
  runs: number;
  costUsd: number | null;
}

/** Null where nothing is asked again. */
export function expectAgain(
  { repetitionsUpTo: most }: Request,
  { baseline, release }: Held,
  { runs, costUsd }: { runs: number; costUsd: number | null },
  { when }: JudgedBy,
): ExpectedAgain | null {
  const reference = baseline ?? release;
  if (most === undefined || reference === null) return null;
  const upTo = Math.min(most, reference.report.settings.repetitions);
  const cases = upTo < 2 ? 0 : expectedToDisagree(reference, when);
  const further = cases * (upTo - 1);
  const share = runs === 0 ? 0 : further / runs;
  return { upTo, cases, runs: further, costUsd: costUsd === null ? null : costUsd * share };
}

interface Ended {
  unit: EvaluationUnit;
  id: string;
  request: Request;
  held: Held;
  judgedBy: JudgedBy;
}

/** Less than any answer costs, so that nothing is started. */
const nothingLeft = 1e-9;

/**
 * Asks the cases or tasks again that disagree with a baseline, model by model, within what is left of
 * the spend limit. Nothing is asked if so much has no score that there will be no verdict.
 * Returns the evaluations that did.
 */
export async function askAgain(
  client: Client,
  { unit, id, request, held, judgedBy }: Ended,
  { output }: CommandContext,
): Promise<string[]> {
  const { repetitionsUpTo: upTo, spendLimitUsd } = request;
  if (upTo === undefined) return [];
  const now = await readStoredReport(client, { unit, id });
  if (baselineProblems(now, judgedBy).length > 0) return [];
  const ids: string[] = [];
  const references = [held.baseline, held.release]
    .filter((one) => one !== null)
    .map((baseline) => alignRenames(baseline, now, held.renames));
  let spent = spendLimitUsd === null ? 0 : await spentOn(client, unit, id);
  for (const { modelId, keys, upTo: most } of toAskAgain(references, upTo, judgedBy.when)) {
    output.note(
      `Asking ${counted(keys.length, unit)} again that ${keys.length === 1 ? 'disagrees' : 'disagree'} ` +
        'with the baseline.',
    );
    const again = await client.evaluations.askAgain({
      ...{ unit, id, modelSettingsId: modelId, keys, upTo: most },
      spendLimitUsd: spendLimitUsd && Math.max(nothingLeft, spendLimitUsd - spent),
    });
    ids.push(again.id);
    const runs = keys.length * (most - 1);
    await watchUntilEnded(client, { unit, id: again.id, runs }, output);
    if (spendLimitUsd !== null) spent += await spentOn(client, unit, again.id);
  }
  return ids;
}

/** What the answers of an evaluation cost; with a spend limit, every model has a price. */
async function spentOn(client: Client, unit: EvaluationUnit, id: string): Promise<number> {
  if (unit === 'task') return (await client.evaluations.report({ id })).spend.usd ?? 0;
  return (await client.evaluations.summary({ id })).usage.all.costUsd ?? 0;
}
