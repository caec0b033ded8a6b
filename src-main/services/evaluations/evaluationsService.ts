import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { CallOptions, ServiceFor } from '../contractTypes.ts';
import { noPrices } from '../models/prices.ts';
import { withKeptSecrets } from '../models/requestSecrets.ts';
import type { EvaluationReader } from '../results/read/evaluationReader.ts';
import { RunEngine } from '../runs/runEngine.ts';
import { caseUnit, type CaseTypes, type CaseUnitParts } from './caseUnit.ts';
import { EvaluationPlanner } from './plan/evaluationPlanner.ts';
import { newExpectations } from './plan/newExpectations.ts';
import { EvaluationSummaries } from './read/evaluationSummaries.ts';
import { readRun, type WireDescriptions } from './read/runDetails.ts';
import { rescoreEvaluation } from './score/rescoreEvaluation.ts';
import { sentToolsOf } from './tools/sentTools.ts';
import { askedAgain } from './whatIf/whatIfSources.ts';
import { readAddedTools } from './whatIf/readAddedTools.ts';

type Topic = ServiceFor<'cases'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

export interface EvaluationsParts extends WireDescriptions, Omit<CaseUnitParts, 'planner'> {
  reader: EvaluationReader;
}

/** Evaluations of cases: what the engine does for both units, and how cases are read and scored. */
export class EvaluationsService extends RunEngine<CaseTypes> implements ServiceFor<'cases'> {
  readonly #parts: EvaluationsParts;
  readonly #planner: EvaluationPlanner;
  readonly #summaries: EvaluationSummaries;
  #closed = false;

  constructor(parts: EvaluationsParts) {
    const planner = new EvaluationPlanner({ ...parts, prices: parts.prices ?? noPrices });
    super(parts, caseUnit({ ...parts, planner }));
    this.#parts = parts;
    this.#planner = planner;
    this.#summaries = new EvaluationSummaries({ ...parts, mayWrite: () => !this.#closed });
  }

  override async close(): Promise<void> {
    this.#closed = true;
    await super.close();
  }

  async countPlan(request: Input<'countPlan'>, { signal }: CallOptions): Answer<'countPlan'> {
    const requestSecrets = this.#parts.requestSecrets?.unstored();
    return this.#planner.plan(await withKeptSecrets({ requestSecrets }, request), signal, {
      ...(requestSecrets && { additions: (model) => requestSecrets.read(model) }),
    });
  }

  async whatIf({
    id,
    modelSettingsId,
    changes,
    repetitions,
    spendLimitUsd,
  }: Input<'whatIf'>): Answer<'whatIf'> {
    const settings = {
      ...(repetitions !== undefined && { repetitions }),
      ...(spendLimitUsd !== undefined && { spendLimitUsd }),
    };
    return this.repeat(id, { changes, modelSettingsId, positions: null, settings });
  }

  async askAgain({ id, ...again }: Input<'askAgain'>): Answer<'askAgain'> {
    return this.repeat(id, askedAgain(this.#parts.store, 'case', this.find(id), again));
  }

  async readTools({ fileName, text }: Input<'readTools'>): Answer<'readTools'> {
    return readAddedTools(text, fileName);
  }

  /** Repeats the case of one run once with the same model and tools, as a new evaluation. */
  async rerunCase({ id, runId }: Input<'rerunCase'>): Answer<'rerunCase'> {
    const base = this.find(id);
    const { runQueries } = this.#parts.store;
    const run = runQueries.row(runId);
    if (!run || runQueries.raw(runId)?.evaluation_id !== base.id)
      throw new ServiceError('NOT_FOUND', {
        thing: `Run ${runId}`,
        cause: `Evaluation #${base.number} has no such run.`,
        nextStep: 'Open it from the case list.',
      });
    return this.repeat(base.id, {
      changes: [],
      modelSettingsId: run.modelSettingsId,
      positions: [run.position],
      settings: { repetitions: 1 },
    });
  }

  async summary({ id, modelSettingsId }: Input<'summary'>): Answer<'summary'> {
    return this.#summaries.of(this.find(id), modelSettingsId);
  }

  async runs({ id, ...page }: Input<'runs'>): Answer<'runs'> {
    const row = this.find(id);
    return this.#parts.reader.read(row, { kind: 'page', evaluationId: row.id, ...page });
  }

  async run(request: Input<'run'>): Answer<'run'> {
    return readRun(this.#parts, this.find(request.id), request);
  }

  async runPlace({ id, ...request }: Input<'runPlace'>): Answer<'runPlace'> {
    const row = this.find(id);
    const { index } = await this.#parts.reader.read(row, {
      kind: 'place',
      evaluationId: row.id,
      ...request,
    });
    return { index };
  }

  async unitOf({ id }: Input<'unitOf'>): Answer<'unitOf'> {
    return this.#parts.store.evaluations.named(id) ?? { ...this.find(id), unit: 'case' };
  }

  async sentTools({ id }: Input<'sentTools'>): Answer<'sentTools'> {
    const { snapshotId, settings } = this.find(id);
    const { store, mapTools } = this.#parts;
    const snapshot = snapshotId === null ? null : store.toolSnapshots.get(snapshotId);
    return sentToolsOf(snapshot, (await this.get({ id })).models, mapTools, settings.client);
  }

  /**
   * Scores stored observations again, with another threshold or mode, or other expectations. Throws CONFLICT
   * while the evaluation runs.
   */
  async rescore({
    id,
    highConfidence,
    argumentsMode,
    expectations,
    suite,
  }: Input<'rescore'>): Answer<'rescore'> {
    const row = this.find(id);
    if (this.isRunning(row.id)) {
      throw new ServiceError('CONFLICT', {
        thing: `Evaluation #${row.number}`,
        cause: 'It is still running.',
        nextStep: 'Wait until it ends, or cancel it first.',
      });
    }
    const given = suite ?? (expectations === 'suite' ? 'workspace' : null);
    const event = await rescoreEvaluation(this.#parts, row, {
      highConfidence: highConfidence ?? row.settings.highConfidence,
      argumentsMode: argumentsMode ?? row.settings.argumentsMode,
      expectations: given === null ? new Map() : newExpectations(this.#parts.store, row, given),
    });
    this.publish(row.id, event);
    return this.#summaries.of(this.find(id), null);
  }

  async deleteRawTraffic({ id }: Input<'deleteRawTraffic'>): Answer<'deleteRawTraffic'> {
    return { runs: this.#parts.store.runs.deleteRawTraffic(this.find(id).id) };
  }
}
