import type { EvaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output, ServiceFor } from '../contractTypes.ts';
import type { EvaluationReader } from '../evaluations/read/evaluationReader.ts';
import { findEvaluation } from '../evaluations/read/findEvaluation.ts';
import { readTrend } from './readTrend.ts';

export interface ResultsParts {
  store: Store;
  reader: EvaluationReader;
  /** The summary of one model of an evaluation. */
  summarize: (evaluation: EvaluationRow, modelSettingsId: string) => Promise<EvaluationSummary>;
}

/** What can be read from stored evaluations: comparison, trend, metrics of any runs, analysis. */
export class ResultsService implements ServiceFor<'results'> {
  readonly #parts: ResultsParts;

  constructor(parts: ResultsParts) {
    this.#parts = parts;
  }

  async compare(request: Input<'results', 'compare'>): Promise<Output<'results', 'compare'>> {
    const { store, reader } = this.#parts;
    const sides = [request.baseline, ...request.candidates].map(({ id }) =>
      findEvaluation(store, id),
    );
    const plannedRuns = sides.reduce((sum, side) => sum + side.plannedRuns, 0);
    return reader.read({ plannedRuns }, { kind: 'compare', compare: request });
  }

  trend(request: Input<'results', 'trend'>): Promise<Output<'results', 'trend'>> {
    return readTrend(this.#parts.store, request, this.#parts.summarize);
  }

  metrics(filter: Input<'results', 'metrics'>): Promise<Output<'results', 'metrics'>> {
    const { store, reader } = this.#parts;
    return reader.read({ plannedRuns: store.testRuns.atMost() }, { kind: 'metrics', filter });
  }

  async analysis({
    id,
    modelSettingsId,
  }: Input<'results', 'analysis'>): Promise<Output<'results', 'analysis'>> {
    const { store, reader } = this.#parts;
    const evaluation = findEvaluation(store, id);
    return reader.read(evaluation, {
      kind: 'analysis',
      evaluationId: evaluation.id,
      modelSettingsId,
    });
  }
}
