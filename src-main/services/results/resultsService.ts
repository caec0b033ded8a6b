import type { Input, Output, ServiceFor } from '../contractTypes.ts';
import { findEvaluation } from '../evaluations/read/findEvaluation.ts';
import { findSuite } from '../suites/findSuite.ts';
import { giveVerdict, type ResultsParts } from './giveVerdict.ts';
import { listResults } from './listResults.ts';
import { readTrend } from './readTrend.ts';

/** What can be read from stored evaluations: comparison, trend, metrics of any runs, analysis. */
export class ResultsService implements ServiceFor<'results'> {
  readonly #parts: ResultsParts;

  constructor(parts: ResultsParts) {
    this.#parts = parts;
  }

  async list(request: Input<'results', 'list'>): Promise<Output<'results', 'list'>> {
    return listResults(this.#parts.store, request);
  }

  verdict({
    id,
    modelSettingsId,
  }: Input<'results', 'verdict'>): Promise<Output<'results', 'verdict'>> {
    return giveVerdict(this.#parts, findEvaluation(this.#parts.store, id), modelSettingsId);
  }

  async failures({
    id,
    modelSettingsId,
    search,
    hideHeldOut,
  }: Input<'results', 'failures'>): Promise<Output<'results', 'failures'>> {
    const { store, reader } = this.#parts;
    const evaluation = findEvaluation(store, id);
    return reader.read(evaluation, {
      kind: 'failures',
      evaluationId: evaluation.id,
      modelSettingsId,
      search,
      hideHeldOut,
    });
  }

  async compare(request: Input<'results', 'compare'>): Promise<Output<'results', 'compare'>> {
    const { store, reader } = this.#parts;
    const plannedRuns = [request.baseline, ...request.candidates].reduce((sum, { id }) => {
      const found = store.evaluations.get('task', id) ?? store.evaluations.get('case', id);
      return sum + (found?.plannedRuns ?? 0);
    }, 0);
    return reader.read({ plannedRuns }, { kind: 'compare', compare: request });
  }

  trend(request: Input<'results', 'trend'>): Promise<Output<'results', 'trend'>> {
    const { store, reader, summarize } = this.#parts;
    return readTrend(
      store,
      request,
      summarize,
      (row) => reader.read(row, { kind: 'taskReport', evaluationId: row.id }),
      (row, modelSettingsId) =>
        reader.read(row, { kind: 'previous', evaluationId: row.id, modelSettingsId }),
    );
  }

  metrics(filter: Input<'results', 'metrics'>): Promise<Output<'results', 'metrics'>> {
    const { store, reader } = this.#parts;
    return reader.read({ plannedRuns: store.runs.atMost() }, { kind: 'metrics', filter });
  }

  async metricsChoices(): Promise<Output<'results', 'metricsChoices'>> {
    return this.#parts.store.filterChoices.list();
  }

  async lastOutcomes({
    suiteId,
  }: Input<'results', 'lastOutcomes'>): Promise<Output<'results', 'lastOutcomes'>> {
    const { store, reader } = this.#parts;
    const { id } = findSuite(store, suiteId);
    const plannedRuns = store.lastRuns
      .ended(id)
      .results.reduce((sum, result) => sum + result.plannedRuns, 0);
    return reader.read({ plannedRuns }, { kind: 'lastOutcomes', suiteId: id });
  }

  async latencies({ id }: Input<'results', 'latencies'>): Promise<Output<'results', 'latencies'>> {
    const { store, reader } = this.#parts;
    const evaluation = findEvaluation(store, id);
    return reader.read(evaluation, { kind: 'latencies', evaluationId: evaluation.id });
  }

  async unscored({ id }: Input<'results', 'unscored'>): Promise<Output<'results', 'unscored'>> {
    const { store, reader } = this.#parts;
    const evaluation = findEvaluation(store, id);
    return reader.read(evaluation, { kind: 'unscored', evaluationId: evaluation.id });
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
