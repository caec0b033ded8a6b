import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { timeToTheMinute } from '../../../src-shared/display/dates.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import {
  canResume,
  optimizationSettings,
  tokensMargin,
  type Optimization,
} from '../../../src-shared/domain/optimization.ts';
import { casesToRuleOut } from '../../../src-shared/metrics/nonInferiority.ts';
import { unprovableTexts } from '../../../src-shared/display/optimizationTexts.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { textAt, type TextEdit } from '../../../src-shared/domain/textEdit.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { flipsNeeded, proofLevel } from '../../../src-shared/metrics/candidateProof.ts';
import { idOf } from '../../optimize/catalog.ts';
import { cutTools } from '../../optimize/proposers/tokenCuts.ts';
import type { Log } from '../../runtime/log.ts';
import type { OptimizationRow } from '../../store/evaluations/optimizations.ts';
import type { CallOptions, Output, ServiceFor } from '../contractTypes.ts';
import { requireTextModel } from '../models/askForJson.ts';
import type { RequestSecrets } from '../models/requestSecrets.ts';
import { decidedHalf, type TrialTarget } from '../trials/trial.ts';
import { estimateCalls } from './estimate.ts';
import { addSpend, nothingSpent, times, within } from './meter.ts';
import { optimizationFile } from './optimizationFile.ts';
import type { Origin, RunParts } from './optimizationRun.ts';
import { Stopped } from './stopped.ts';
import { countToolTokens } from './toolTokens.ts';
import { notFound } from '../../store/database/table.ts';

type Topic = ServiceFor<'optimizations'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

type Request = Input<'start'>;

export interface OptimizationsParts extends RunParts {
  log?: Log | null;
  requestSecrets?: RequestSecrets;
}

interface Running {
  stop: AbortController;
  ended: Promise<void>;
}

/**
 * Searches for better descriptions of tools, and proves the best on cases that the search never saw.
 * An optimization runs in the background; it can be paused, resumed and watched.
 */
export class OptimizationsService implements ServiceFor<'optimizations'> {
  readonly #parts: OptimizationsParts;
  readonly #running = new Map<string, Running>();
  readonly #watchers = new Map<string, Set<() => void>>();

  constructor(parts: OptimizationsParts) {
    this.#parts = parts;
  }

  /** Marks optimizations of processes that are gone as interrupted. */
  recover(): void {
    this.#parts.store.optimizations.interruptRunning();
  }

  /** Interrupts what runs and waits until that is stored. */
  async close(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort('interrupted');
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async list(): Answer<'list'> {
    return this.#parts.store.optimizations.list();
  }

  async get({ id }: Input<'get'>): Promise<Optimization> {
    return this.#show(this.#find(id));
  }

  async plan(request: Input<'plan'>): Answer<'plan'> {
    const { store } = this.#parts;
    const origin = this.#originOf(request);
    const { trial, tools, search, proof } = origin;
    const { perCall, callsPerRun, repetitions } = trial;
    rejectUnknownTool(request, tools);
    const countTokens = await countToolTokens(tools);
    const proved = store.candidates.proved(trial.proofKeys);
    const scores = trial.scores(search);
    const calls = estimateCalls({
      settings: request,
      tools: tools.length,
      cuts:
        request.objective === 'accuracy'
          ? 0
          : cutTools(tools, request.toolIds, (server) => trial.instructions(server)).length,
      baseline: scores,
      proofCases: proof.length,
      repetitions,
      callsPerRun,
    });
    const level = proofLevel(proved + 1);
    const bar = {
      unit: trial.unit,
      proofCases: proof.length,
      proved,
      flipsNeeded: flipsNeeded(proved + 1),
      canFlip: decidedHalf(trial, 'proof').filter(({ failed }) => failed).length,
      casesForTokens: casesToRuleOut(tokensMargin, level),
    };
    return {
      ...bar,
      warnings: unprovableTexts(request, bar),
      execution: trial.execution,
      suiteName: trial.suiteName,
      modelName: modelLabel(trial.model),
      toolIds: tools.map(idOf),
      tokens: tools.reduce((sum, tool) => sum + countTokens(tool), 0),
      searchCases: search.length,
      searchPassed: scores.reduce((sum, { share }) => sum + (share ?? 0), 0),
      level,
      estimate: within(request.budget, times(perCall, calls.max)),
      typical: within(request.budget, times(perCall, calls.typical)),
    };
  }

  async start({ evaluationId, modelSettingsId, ...given }: Request): Answer<'start'> {
    const { store, requestSecrets } = this.#parts;
    const settings =
      given.proposer.kind === 'model' && requestSecrets
        ? {
            ...given,
            proposer: { ...given.proposer, model: await requestSecrets.keep(given.proposer.model) },
          }
        : given;
    if (settings.proposer.kind === 'model') requireTextModel(settings.proposer.model);
    const origin = this.#originOf({ evaluationId, modelSettingsId });
    const { trial, search, proof } = origin;
    rejectUnknownTool(settings, origin.tools);
    if (settings.proposer.kind === 'given')
      await rejectForeignEdits(settings.proposer.edits, origin.tools);
    const unscored = [search, trial.half('proof')].find(
      (half) => half.length > 0 && trial.scores(half).every(({ share }) => share === null),
    );
    if (unscored)
      throw new ServiceError('TROUBLE', {
        thing: trial.name,
        cause: `None of the ${counted(unscored.length, trial.unit)} ${unscored === search ? 'to search with' : 'to prove with'} could be scored${trial.reason === null ? '.' : `: ${trial.reason}`}`,
        nextStep: 'Resume the evaluation, then start the optimization again.',
      });
    if (search.length === 0 || proof.length === 0)
      throw new ServiceError('INVALID', {
        thing: trial.name,
        cause: `It has ${counted(search.length, trial.unit)} to search with and ${proof.length} to prove with.`,
        nextStep: `Add ${trial.unit}s to the suite and run it again.`,
        field: 'evaluationId',
      });
    const agreed = settings.tasks ?? { agreedServers: [] };
    trial.requireConsent(agreed);
    const wanted = {
      suite: trial.proofKeys[0],
      suiteName: trial.suiteName,
      baseEvaluationId: trial.evaluationId,
      baseNumber: trial.number,
      modelSettingsId: trial.model.id,
      modelName: modelLabel(trial.model),
      settings: { ...settings, tasks: trial.unit === 'task' ? agreed : null },
    };
    const row = store.transaction(() => {
      rejectSameRunning(store.optimizations.list(), wanted, trial.name);
      return store.optimizations.insert(wanted);
    });
    this.#run(row, origin);
    return this.#show(row);
  }

  async *watch(
    { id }: Input<'watch'>,
    { signal }: CallOptions,
  ): AsyncGenerator<Output<'optimizations', 'watch'>> {
    for (;;) {
      const changed = Promise.withResolvers<void>();
      const watchers = this.#watchers.get(id) ?? new Set();
      this.#watchers.set(id, watchers.add(changed.resolve));
      signal.addEventListener('abort', () => changed.resolve(), { once: true });
      try {
        const now = this.#show(this.#find(id));
        yield now;
        if (now.state !== 'running' || !this.#running.has(id)) return;
        await changed.promise;
      } finally {
        watchers.delete(changed.resolve);
      }
      if (signal.aborted) return;
    }
  }

  async pause({ id }: Input<'pause'>): Promise<Optimization> {
    await this.#stop(id, 'paused');
    return this.#show(this.#find(id));
  }

  async cancel({ id }: Input<'cancel'>): Promise<Optimization> {
    const row = this.#find(id);
    await this.#stop(id, 'cancelled');
    if (canResume(row.state))
      this.#parts.store.optimizations.setState(id, 'cancelled', row.stopped);
    return this.#show(this.#find(id));
  }

  async resume({ id }: Input<'resume'>): Promise<Optimization> {
    const row = this.#find(id);
    // What runs already is what a resume leads to, so that two at once start it once.
    if (row.state === 'running') return this.#show(row);
    const ended = new ServiceError('CONFLICT', {
      thing: `The optimization of ${row.suiteName}`,
      cause: 'It has ended.',
      nextStep: 'Start a new one.',
    });
    if (!canResume(row.state)) throw ended;
    const origin = this.#originOf({
      evaluationId: row.baseEvaluationId,
      modelSettingsId: row.modelSettingsId,
    });
    if (!this.#parts.store.optimizations.resume(id)) throw ended;
    this.#run(row, origin);
    return this.#show(this.#find(id));
  }

  async export({ id, format }: Input<'export'>): Answer<'export'> {
    const row = this.#find(id);
    if (row.result === null)
      throw new ServiceError('CONFLICT', {
        thing: `The optimization of ${row.suiteName}`,
        cause: 'It has no result.',
        nextStep: 'Wait until it ends.',
      });
    const { tools } = this.#parts.trials.open({
      evaluationId: row.baseEvaluationId,
      modelSettingsId: row.modelSettingsId,
    });
    return optimizationFile(row, row.result, tools, format);
  }

  #run(row: OptimizationRow, origin: Origin): void {
    const stop = new AbortController();
    const ended = this.#runToEnd(row, origin, stop.signal)
      .catch((error: unknown) => this.#fail(row.id, stop.signal, error))
      .finally(() => {
        this.#running.delete(row.id);
        this.#notify(row.id);
      });
    this.#running.set(row.id, { stop, ended });
  }

  async #runToEnd(row: OptimizationRow, origin: Origin, signal: AbortSignal): Promise<void> {
    // The search brings detectors and proposers along, which nothing else needs in this thread.
    const { OptimizationRun } = await import('./optimizationRun.ts');
    const changed = (): void => this.#notify(row.id);
    await new OptimizationRun(this.#parts, row, origin, { signal, changed }).run();
  }

  /** What runs no more because it was stopped, or because of an error that a resume may get over. */
  #fail(id: string, signal: AbortSignal, error: unknown): void {
    const { store, log } = this.#parts;
    if (error instanceof Stopped || signal.aborted) {
      const reason: unknown = signal.reason;
      const state = reason === 'cancelled' || reason === 'paused' ? reason : 'interrupted';
      store.optimizations.setState(id, state, null);
      return;
    }
    if (!(error instanceof ServiceError)) log?.error(`Optimization ${id}: ${errorText(error)}`);
    store.optimizations.setState(id, 'failed', errorText(error));
  }

  async #stop(id: string, state: 'paused' | 'cancelled'): Promise<void> {
    const running = this.#running.get(id);
    running?.stop.abort(state);
    await running?.ended;
  }

  #notify(id: string): void {
    for (const resolve of this.#watchers.get(id) ?? []) resolve();
  }

  #find(id: string): OptimizationRow {
    const row = this.#parts.store.optimizations.get(id);
    if (row) return row;
    throw notFound('Optimization', id, 'Choose one from the list of optimizations.');
  }

  #show({ suite: _suite, ...row }: OptimizationRow): Optimization {
    const { optimizations } = this.#parts.store;
    return {
      ...row,
      steps: optimizations.steps(row.id),
      spent: optimizations.spent(row.id).reduce(addSpend, nothingSpent),
    };
  }

  /** Throws CONFLICT while the evaluation runs, or where it has no stored tools. */
  #originOf(target: TrialTarget): Origin {
    const trial = this.#parts.trials.open(target);
    return {
      trial,
      tools: trial.tools.map(({ snapshotToolId: _id, hash: _hash, ...tool }) => tool),
      search: trial.half('search'),
      proof: decidedHalf(trial, 'proof').map(({ item }) => item),
    };
  }
}

/**
 * Throws CONFLICT where just the same is searched for already: a second search would pay for the same
 * answers, and spend a second proof on them.
 */
function rejectSameRunning(
  all: readonly OptimizationRow[],
  {
    baseEvaluationId,
    modelSettingsId,
    settings,
  }: Pick<OptimizationRow, 'baseEvaluationId' | 'modelSettingsId' | 'settings'>,
  evaluation: string,
): void {
  const same = all.find(
    (one) =>
      one.state === 'running' &&
      one.baseEvaluationId === baseEvaluationId &&
      one.modelSettingsId === modelSettingsId &&
      JSON.stringify(optimizationSettings.parse(one.settings)) ===
        JSON.stringify(optimizationSettings.parse(settings)),
  );
  if (same)
    throw new ServiceError('CONFLICT', {
      thing: evaluation,
      cause: `The same optimization has been running since ${timeToTheMinute(same.createdAt) ?? same.createdAt}.`,
      nextStep: 'Open it in the list of optimizations and wait for it, or cancel it there.',
    });
}

/** Throws INVALID for a tool to edit that the evaluation didn't offer. */
function rejectUnknownTool(
  { toolIds }: Pick<Request, 'toolIds'>,
  tools: readonly Pick<Tool, 'server' | 'name'>[],
): void {
  const offered = new Set(tools.map(idOf));
  const unknown = toolIds?.find((id) => !offered.has(id));
  if (unknown === undefined) return;
  throw new ServiceError('INVALID', {
    thing: `Tool ${unknown}`,
    cause: 'The evaluation did not offer it.',
    nextStep: 'Choose tools by their IDs, such as mail:search_messages.',
    field: 'toolIds',
  });
}

/**
 * Throws INVALID for an edit of a text that the evaluation didn't offer, of a name (expectations and
 * servers know tools by their names), and for one that makes a claim over other tools.
 */
async function rejectForeignEdits(
  edits: readonly TextEdit[],
  tools: readonly Tool[],
): Promise<void> {
  const { newClaim } = await import('../../analysis/orderTexts.ts');
  for (const { toolId, path, oldText } of edits) {
    const tool = tools.find((each) => idOf(each) === toolId);
    const isOffered = tool !== undefined && textAt(tool, path) === oldText;
    const claim = isOffered
      ? newClaim(
          tool,
          edits.filter((edit) => edit.toolId === toolId),
        )
      : null;
    if (isOffered && path !== '/name' && claim === null) continue;
    throw new ServiceError('INVALID', {
      thing: `The candidate of ${toolId}`,
      cause:
        claim ??
        (isOffered
          ? 'It changes the name.'
          : 'The tool of this evaluation has another text there.'),
      nextStep:
        claim !== null
          ? 'Say what the tool does instead.'
          : isOffered
            ? 'Change other texts.'
            : 'Reload the page and make the change again.',
      field: 'proposer',
    });
  }
}
