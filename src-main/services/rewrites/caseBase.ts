import { isCorrectUnit, isToolLabel, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import { changesOfEdits } from '../../../src-shared/domain/textEdit.ts';
import type { Store } from '../../store/store.ts';
import { keysOfCases } from '../trials/proofKeys.ts';
import type { Trials } from '../trials/trials.ts';
import type { FixBase, Target } from './fixBase.ts';
import { openTarget } from './openTarget.ts';
import { readHalf } from './halfCases.ts';
import { readToolProblem } from './toolProblem.ts';

/** A tool of an evaluation of test cases. */
export function openCaseBase(store: Store, trials: Pick<Trials, 'open'>, target: Target): FixBase {
  const open = openTarget(store, target);
  const { evaluation, model, tool, tools } = open;
  return {
    unit: 'case',
    evaluationId: evaluation.id,
    number: evaluation.number,
    get proofKeys() {
      return keysOfCases(store, evaluation);
    },
    model,
    tool,
    tools,
    requests: () =>
      readHalf(store, evaluation, model.id, 'search').flatMap(
        ({ position }) => store.frozenCases.get(evaluation.id, position)?.query ?? [],
      ),
    problem: (rewrite, openSignals) =>
      readToolProblem(store, open, target.toolId, rewrite, openSignals),
    confusions: () =>
      store.toolConfusions
        .units(evaluation.id, model.id)
        .filter((unit) => !isCorrectUnit(unit))
        .map(({ expected, selected }) => ({
          expected: toolsOfLabel(expected),
          called: isToolLabel(selected) ? selected : null,
        })),
    async repeat(edits, half, { planned, ...options }) {
      const trial = trials.open({ evaluationId: evaluation.id, modelSettingsId: model.id });
      const scored = new Set(
        readHalf(store, evaluation, model.id, half).map(({ position }) => position),
      );
      const items = trial.half(half).filter(({ position }) => scored.has(position));
      if (items.length === 0) return null;
      return trial.repeat({ changes: changesOfEdits(tools, edits), items, ...options }, planned);
    },
  };
}
