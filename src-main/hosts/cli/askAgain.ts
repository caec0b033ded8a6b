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
  /** Whether Ctrl-C ended it. */
  stopped: boolean;
}

/**
 * Asks the cases or tasks again that disagree with a baseline, model by model, under the spend limit
 * of the evaluation, in which its own runs count. Nothing is asked if so much has no score that there will be no verdict.
 * Returns the evaluations that did.
 */
export async function askAgain(
  client: Client,
  { unit, id, request, held, judgedBy, ...ended }: Ended,
  { output }: CommandContext,
): Promise<string[]> {
  const { repetitionsUpTo: upTo } = request;
  if (upTo === undefined) return [];
  const now = await readStoredReport(client, { id });
  if (baselineProblems(now, judgedBy).length > 0) return [];
  const ids: string[] = [];
  let { stopped } = ended;
  const references = [held.baseline, held.release]
    .filter((one) => one !== null)
    .map((baseline) => alignRenames(baseline, now, held.renames));
  for (const { modelId, keys, upTo: most } of toAskAgain(references, upTo, judgedBy.when)) {
    if (!stopped)
      output.note(
        `Asking ${counted(keys.length, unit)} again that ${keys.length === 1 ? 'disagrees' : 'disagree'} ` +
          'with the baseline.',
      );
    const again = await client.evaluations.askAgain({
      ...{ unit, id, modelSettingsId: modelId, keys, upTo: most },
    });
    ids.push(again.id);
    const runs = keys.length * (most - 1);
    // Planned all the same: what is not asked is reported as not run, so that there is no verdict.
    if (stopped) await client.evaluations.cancel({ unit, id: again.id });
    else stopped = await watchUntilEnded(client, { unit, id: again.id, runs }, output);
  }
  if (stopped && ids.length > 0)
    output.note(
      `Stopped before every ${unit} that disagrees with the baseline was asked again. Run the check ` +
        'again for a verdict: a resume compares with no baseline. Answers in a --cache are not paid again.',
    );
  return ids;
}
