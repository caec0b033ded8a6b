import type { ServiceFor } from '../contractTypes.ts';
import { findEvaluation } from '../evaluations/read/findEvaluation.ts';
import { findSuite } from '../suites/findSuite.ts';
import { giveVerdict, type ResultsParts } from './giveVerdict.ts';
import { listResults } from './listResults.ts';
import { readTrend } from './readTrend.ts';

type Topic = ServiceFor<'results'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

/** What can be read from stored evaluations: comparison, trend, metrics of any runs, analysis. */
export class ResultsService implements ServiceFor<'results'> {
  readonly #parts: ResultsParts;

  constructor(parts: ResultsParts) {
    this.#parts = parts;
  }

  async list(request: Input<'list'>): Answer<'list'> {
    return listResults(this.#parts.store, request);
  }

  verdict({ id, modelSettingsId }: Input<'verdict'>): Answer<'verdict'> {
    return giveVerdict(this.#parts, findEvaluation(this.#parts.store, id), modelSettingsId);
  }

  async failures({
    id,
    modelSettingsId,
    search,
    hideHeldOut,
  }: Input<'failures'>): Answer<'failures'> {
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

  async compare(request: Input<'compare'>): Answer<'compare'> {
    const { store, reader } = this.#parts;
    const plannedRuns = [request.baseline, ...request.candidates].reduce((sum, { id }) => {
      const found = store.evaluations.get('task', id) ?? store.evaluations.get('case', id);
      return sum + (found?.plannedRuns ?? 0);
    }, 0);
    return reader.read({ plannedRuns }, { kind: 'compare', compare: request });
  }

  trend(request: Input<'trend'>): Answer<'trend'> {
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

  metrics(filter: Input<'metrics'>): Answer<'metrics'> {
    const { store, reader } = this.#parts;
    return reader.read({ plannedRuns: store.runs.atMost() }, { kind: 'metrics', filter });
  }

  async metricsChoices(): Answer<'metricsChoices'> {
    return this.#parts.store.filterChoices.list();
  }

  async lastOutcomes({ suiteId }: Input<'lastOutcomes'>): Answer<'lastOutcomes'> {
    const { store, reader } = this.#parts;
    const { id } = findSuite(store, suiteId);
    const plannedRuns = store.lastRuns
      .ended(id)
      .results.reduce((sum, result) => sum + result.plannedRuns, 0);
    return reader.read({ plannedRuns }, { kind: 'lastOutcomes', suiteId: id });
  }

  async latencies({ id }: Input<'latencies'>): Answer<'latencies'> {
    const { store, reader } = this.#parts;
    const evaluation = findEvaluation(store, id);
    return reader.read(evaluation, { kind: 'latencies', evaluationId: evaluation.id });
  }

  async unscored({ id }: Input<'unscored'>): Answer<'unscored'> {
    const { store, reader } = this.#parts;
    const evaluation = findEvaluation(store, id);
    return reader.read(evaluation, { kind: 'unscored', evaluationId: evaluation.id });
  }

  async analysis({ id, modelSettingsId }: Input<'analysis'>): Answer<'analysis'> {
    const { store, reader } = this.#parts;
    const evaluation = findEvaluation(store, id);
    return reader.read(evaluation, {
      kind: 'analysis',
      evaluationId: evaluation.id,
      modelSettingsId,
    });
  }
}
