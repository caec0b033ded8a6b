import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { EvaluationLauncher } from '../run/evaluationLauncher.ts';
import { readWhatIf, type WhatIfRequest } from './whatIfSources.ts';

interface RepeatParts {
  store: Store;
  launcher: EvaluationLauncher;
}

/** New evaluations that repeat the frozen cases of another one. Each method returns the new id. */
export class EvaluationRepeats {
  readonly #parts: RepeatParts;

  constructor(parts: RepeatParts) {
    this.#parts = parts;
  }

  /**
   * Repeats the requested cases on the frozen tools, changed as requested. What `planned` writes is
   * committed together with the plan, before anything is asked.
   */
  async repeat(
    base: EvaluationRow,
    request: WhatIfRequest,
    planned: (id: string) => void = () => undefined,
  ): Promise<string> {
    const { store, launcher } = this.#parts;
    const { settings, cases, set } = readWhatIf(store, base, request);
    const sources = {
      settings,
      suiteId: base.suiteId,
      suiteName: base.suiteName,
      suite: { ...base.suite, inlineTools: true },
      cases,
    };
    const runs = cases.length * settings.models.length * settings.repetitions;
    return launcher.launch(sources, runs, (id) => {
      planned(id);
      return store.toolSnapshots.freeze(set).id;
    });
  }

  /** Repeats the case of one run once, with the same model and tools. */
  async repeatRun(base: EvaluationRow, runId: string): Promise<string> {
    const { runQueries } = this.#parts.store;
    const run = runQueries.row(runId);
    if (!run || runQueries.raw(runId)?.evaluation_id !== base.id) {
      throw new ServiceError('NOT_FOUND', {
        thing: `Run ${runId}`,
        cause: `Evaluation #${base.number} has no such run.`,
        nextStep: 'Open it from the case list.',
      });
    }
    return this.repeat(base, {
      changes: [],
      modelSettingsId: run.modelSettingsId,
      positions: [run.position],
      repetitions: 1,
    });
  }
}
