import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import { isCorrectUnit, isToolLabel, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import { changesOfEdits } from '../../../src-shared/domain/textEdit.ts';
import type { Store } from '../../store/store.ts';
import type { WhatIfRequest } from '../evaluations/whatIf/whatIfSources.ts';
import type { FixBase, Target } from './fixBase.ts';
import { openTarget, suiteOf } from './openTarget.ts';
import { readHalf } from './pairHalf.ts';
import { readToolProblem } from './toolProblem.ts';

/** Repeats some frozen cases of an evaluation with changed tools. */
export type RepeatCases = (evaluationId: string, request: WhatIfRequest) => Promise<Evaluation>;

/** A tool of an evaluation of test cases. */
export function openCaseBase(store: Store, repeat: RepeatCases, target: Target): FixBase {
  const open = openTarget(store, target);
  const { evaluation, model, tool, tools } = open;
  return {
    unit: 'case',
    evaluationId: evaluation.id,
    number: evaluation.number,
    suite: suiteOf(evaluation),
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
    async repeat(edits, half) {
      const positions = readHalf(store, evaluation, model.id, half)
        .map(({ position }) => position)
        .sort((a, b) => a - b);
      if (positions.length === 0) return null;
      const { id } = await repeat(evaluation.id, {
        changes: changesOfEdits(tools, edits),
        modelSettingsId: model.id,
        positions,
        repetitions: evaluation.settings.repetitions,
      });
      return id;
    },
  };
}
