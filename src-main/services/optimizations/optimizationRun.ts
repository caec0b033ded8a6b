import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { modelConfiguration } from '../../../src-shared/domain/model.ts';
import type {
  OptimizationResult,
  OptimizationSpend,
  OptimizationStep,
} from '../../../src-shared/domain/optimization.ts';
import { costOf } from '../../../src-shared/domain/price.ts';
import { isRemote } from '../../../src-shared/domain/provider.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import type { WhatIfChange } from '../../../src-shared/domain/whatIf.ts';
import { z } from 'zod';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import { applyCatalog, editedTools, idOf, type Catalog } from '../../optimize/catalog.ts';
import type { CaseScore, Proposal, ProposalRequest } from '../../optimize/effects.ts';
import { optimize, type Member } from '../../optimize/optimize.ts';
import { judgeProof } from '../../optimize/proof.ts';
import {
  proposerAnswer,
  proposerPrompt,
  proposerSystem,
  readProposal,
} from '../../optimize/proposers/model.ts';
import { proposeByRules } from '../../optimize/proposers/rules.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { OptimizationRow } from '../../store/evaluations/optimizations.ts';
import { evaluationScope } from '../../store/runs/scopes.ts';
import type { Store } from '../../store/store.ts';
import type { EvaluationsService } from '../evaluations/evaluationsService.ts';
import { spendOf } from '../evaluations/run/spend.ts';
import { askForJson } from '../models/askForJson.ts';
import type { Prices } from '../models/prices.ts';
import { countProof } from './countProof.ts';
import { addSpend, exceeded, nothingSpent, times } from './meter.ts';
import { readScores, type HalfCase } from './readScores.ts';
import { countToolTokens } from './toolTokens.ts';

export interface RunParts {
  store: Store;
  openChatModel: OpenChatModel;
  prices: Pick<Prices, 'of'>;
  evaluations: Pick<EvaluationsService, 'repeatCases' | 'watch' | 'cancel' | 'resume'>;
  clock: { monotonic(): number };
}

/** Everything that an optimization starts from, as frozen by its evaluation. */
export interface Origin {
  evaluation: EvaluationRow;
  modelSettingsId: string;
  tools: readonly Tool[];
  search: readonly HalfCase[];
  proof: readonly HalfCase[];
  /** The use of one call on average. */
  perCall: OptimizationSpend;
}

/** Thrown inside a run that was paused, cancelled or closed. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

const proposals = z.array(
  z.object({
    reason: z.string(),
    problem: z.string().optional(),
    edits: z.array(
      z.object({ toolId: z.string(), path: z.string(), oldText: z.string(), newText: z.string() }),
    ),
  }),
);
/** The answer where the budget ended the search. */
const noBudget = 'budget';

/**
 * One optimization from its start, or from what was recorded, to its verdict. Every question to a
 * model is recorded before the next one is asked; a run that starts again gets the recorded answers
 * and so arrives where it was.
 */
export class OptimizationRun {
  readonly #parts: RunParts;
  readonly #row: OptimizationRow;
  readonly #origin: Origin;
  readonly #signal: AbortSignal;
  readonly #changed: () => void;
  /** The number of the next question. */
  #position = 0;
  #spent = nothingSpent;

  constructor(
    parts: RunParts,
    row: OptimizationRow,
    origin: Origin,
    options: { signal: AbortSignal; changed: () => void },
  ) {
    this.#parts = parts;
    this.#row = row;
    this.#origin = origin;
    this.#signal = options.signal;
    this.#changed = options.changed;
  }

  /** Throws Stopped when its signal is aborted, and what a model or the disk throws. */
  async run(): Promise<void> {
    const { store } = this.#parts;
    const { id, settings } = this.#row;
    const { evaluation, modelSettingsId, tools, search } = this.#origin;
    const countTokens = await countToolTokens(tools);
    const { best, stopped } = await optimize(
      {
        ...settings,
        // Cases name their tools, so a candidate with another name could not be compared case by case.
        allowNames: false,
        tools,
        cases: search,
        baseline: readScores(store, evaluation, modelSettingsId, search, 'own'),
        countTokens,
      },
      {
        evaluate: (catalog, positions) => this.#evaluate(catalog, positions),
        propose: (request) => this.#propose(request),
        done: (step) => this.#done(step),
      },
    );
    if (best === null) store.optimizations.setState(id, 'nothing_found', stopped);
    else {
      store.optimizations.setState(id, 'running', stopped);
      await this.#prove(best, countTokens);
    }
    this.#changed();
  }

  #done(step: OptimizationStep): void {
    this.#parts.store.optimizations.addStep(this.#row.id, step);
    this.#changed();
  }

  /**
   * One question: its recorded answer, or a new one. Null if the budget does not allow it, which is
   * recorded too.
   */
  async #answer<Answer>(
    expected: OptimizationSpend,
    start: (known: string | null, position: number) => Promise<string> | null,
    read: (evaluationId: string | null) => Promise<{ answer: Answer; spent: OptimizationSpend }>,
    parse: (recorded: unknown) => Answer,
  ): Promise<Answer | null> {
    const { optimizations } = this.#parts.store;
    const { id } = this.#row;
    const position = this.#position;
    this.#position += 1;
    const known = optimizations.answer(id, position);
    if (known?.answer !== undefined) {
      this.#spent = addSpend(this.#spent, known.spent ?? nothingSpent);
      return known.answer === noBudget ? null : parse(known.answer);
    }
    if (this.#signal.aborted) throw new Stopped();
    if (!known && !this.#fits(expected)) return this.#endBudget(position, nothingSpent);
    const startedAt = this.#parts.clock.monotonic();
    const evaluationId = await start(known?.evaluationId ?? null, position);
    if (evaluationId === null) optimizations.ask(id, position, null);
    const isWhole = evaluationId === null || (await this.#waitFor(evaluationId, startedAt));
    const { answer, spent } = await read(evaluationId);
    const used = { ...spent, minutes: (this.#parts.clock.monotonic() - startedAt) / 60_000 };
    if (!isWhole) return this.#endBudget(position, used);
    optimizations.setAnswer(id, position, answer, used);
    this.#spent = addSpend(this.#spent, used);
    this.#changed();
    return answer;
  }

  /** True if a use leaves enough for the proof. */
  #fits(expected: OptimizationSpend): boolean {
    const reserve = times(this.#origin.perCall, this.#callsFor(this.#origin.proof.length));
    const all = addSpend(addSpend(this.#spent, expected), reserve);
    return exceeded(this.#row.settings.budget, all) === null;
  }

  #callsFor(cases: number): number {
    return cases * this.#origin.evaluation.settings.repetitions;
  }

  #endBudget(position: number, used: OptimizationSpend): null {
    const { optimizations } = this.#parts.store;
    optimizations.ask(
      this.#row.id,
      position,
      optimizations.answer(this.#row.id, position)?.evaluationId ?? null,
    );
    optimizations.setAnswer(this.#row.id, position, noBudget, used);
    this.#spent = addSpend(this.#spent, used);
    return null;
  }

  /**
   * Waits for an evaluation. False if it was cancelled because a limit was reached; without a start
   * there is none, because the search has left enough.
   */
  async #waitFor(evaluationId: string, startedAt: number | null): Promise<boolean> {
    const { evaluations, clock, store } = this.#parts;
    let isWhole = true;
    try {
      for await (const event of evaluations.watch(
        { id: evaluationId, afterSeq: 0 },
        { signal: this.#signal },
      )) {
        if (event.type !== 'runs' || !isWhole || startedAt === null) continue;
        const used = {
          ...this.#spentOn(evaluationId),
          minutes: (clock.monotonic() - startedAt) / 60_000,
        };
        if (exceeded(this.#row.settings.budget, addSpend(this.#spent, used)) === null) continue;
        isWhole = false;
        await evaluations.cancel({ id: evaluationId }).catch(() => undefined);
      }
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    }
    if (this.#signal.aborted) {
      await evaluations.cancel({ id: evaluationId }).catch(() => undefined);
      throw new Stopped();
    }
    const ended = store.evaluations.get(evaluationId);
    if (!ended || ended.state === 'interrupted') throw new Stopped();
    if (isWhole && ended.state === 'cancelled') throw new Stopped();
    return isWhole;
  }

  #spentOn(evaluationId: string): OptimizationSpend {
    const { store } = this.#parts;
    const { usage } = spendOf(store, evaluationScope(evaluationId, null, 'all'));
    const model = this.#origin.evaluation.settings.models[0];
    return {
      calls: usage.all.answers,
      tokens: (usage.all.input ?? 0) + (usage.all.output ?? 0),
      usd: model && !isRemote(model.provider) ? 0 : usage.all.costUsd,
      minutes: 0,
    };
  }

  #evaluate(catalog: Catalog, positions: readonly number[]): Promise<readonly CaseScore[] | null> {
    if (positions.length === 0) return Promise.resolve([]);
    const wanted = new Set(positions);
    const cases = this.#origin.search.filter(({ position }) => wanted.has(position));
    return this.#answer<readonly CaseScore[]>(
      times(this.#origin.perCall, this.#callsFor(cases.length)),
      (known, position) => this.#repeat(known, position, catalog, cases),
      async (evaluationId) => this.#scores(evaluationId ?? '', cases),
      (recorded) => recorded as CaseScore[],
    );
  }

  /**
   * Starts the cases with a catalog, or goes on with what was started before. A new evaluation is
   * committed together with the question that it answers: whenever the program is killed, no
   * evaluation is left that a resume would start a second time.
   */
  async #repeat(
    known: string | null,
    position: number,
    catalog: Catalog,
    cases: readonly HalfCase[],
  ): Promise<string> {
    const { evaluations, store } = this.#parts;
    const { evaluation, modelSettingsId, tools } = this.#origin;
    const started = known === null ? null : store.evaluations.get(known);
    if (started) {
      const isOpen = started.state !== 'completed' && started.state !== 'incomplete';
      if (isOpen && hasEnded(started.state)) await evaluations.resume({ id: started.id });
      return started.id;
    }
    const repeated = await evaluations.repeatCases(
      evaluation.id,
      {
        changes: changesOf(catalog, tools),
        modelSettingsId,
        positions: cases.map((each) => each.position),
        repetitions: evaluation.settings.repetitions,
      },
      (evaluationId) => store.optimizations.ask(this.#row.id, position, evaluationId),
    );
    return repeated.id;
  }

  #scores(
    evaluationId: string,
    cases: readonly HalfCase[],
  ): { answer: CaseScore[]; spent: OptimizationSpend } {
    const { store } = this.#parts;
    const ended = store.evaluations.get(evaluationId);
    if (!ended) throw new Error('The evaluation of a candidate is missing.');
    const answer = readScores(store, ended, ended.modelSettingsIds[0] ?? '', cases, 'in order');
    if (ended.state !== 'cancelled' && answer.every(({ share }) => share === null))
      throw new ServiceError('TROUBLE', {
        thing: `Evaluation #${ended.number}`,
        cause: ended.reason ?? 'No case could be scored.',
        nextStep: 'Open it to see why, then resume the optimization.',
      });
    return { answer, spent: this.#spentOn(ended.id) };
  }

  #propose(request: ProposalRequest): Promise<readonly Proposal[] | null> {
    const { proposer } = this.#row.settings;
    if (proposer.kind === 'rules') return Promise.resolve(proposeByRules(request));
    const configuration = modelConfiguration.parse(proposer.model);
    return this.#answer<readonly Proposal[]>(
      { ...nothingSpent, calls: 1 },
      () => null,
      async () => {
        const { value, usage } = await askForJson(
          this.#parts.openChatModel,
          configuration,
          { system: proposerSystem, query: proposerPrompt(request) },
          proposerAnswer,
          this.#signal,
        ).catch((error: unknown) => {
          throw this.#signal.aborted ? new Stopped() : error;
        });
        const tokens = { input: usage?.input ?? null, output: usage?.output ?? null };
        return {
          answer: [readProposal(request.tool, value)],
          spent: {
            calls: 1,
            tokens: (tokens.input ?? 0) + (tokens.output ?? 0),
            usd: costOf(tokens, this.#parts.prices.of(configuration)),
            minutes: 0,
          },
        };
      },
      (recorded) => proposals.parse(recorded),
    );
  }

  /** Tries the best catalog on the proof half, once, and writes the verdict. */
  async #prove(best: Member, countTokens: (tool: Tool) => number): Promise<void> {
    const { store } = this.#parts;
    const { id, settings } = this.#row;
    const { evaluation, modelSettingsId, tools, proof, search } = this.#origin;
    const position = this.#position;
    const known = store.optimizations.answer(id, position);
    if (this.#signal.aborted) throw new Stopped();
    const startedAt = this.#parts.clock.monotonic();
    const repeatedId = await this.#repeat(
      known?.evaluationId ?? null,
      position,
      best.catalog,
      proof,
    );
    const rank = store.optimizations.startProof(id, repeatedId);
    await this.#waitFor(repeatedId, null);
    const { answer: after, spent } = this.#scores(repeatedId, proof);
    const before = readScores(store, evaluation, modelSettingsId, proof, 'own');
    const edited = editedTools(best.catalog);
    const { others, otherCalls, ...counts } = countProof(proof, before, after, edited);
    const sum = (list: readonly Tool[]) => list.reduce((all, tool) => all + countTokens(tool), 0);
    const tokensBefore = sum(tools);
    const tokensAfter = sum(applyCatalog(tools, best.catalog));
    const searchBefore = passRate(readScores(store, evaluation, modelSettingsId, search, 'own'));
    const claim =
      settings.objective === 'accuracy' ||
      (settings.objective === 'both' && best.passRate > searchBefore + 1e-9)
        ? 'accuracy'
        : 'tokens';
    const verdict = judgeProof({ ...counts, others, otherCalls }, rank, {
      savedTokens: tokensBefore - tokensAfter,
      claim,
    });
    const { answer, ...judged } = verdict;
    const result: OptimizationResult = {
      step: best.step,
      edits: [...best.catalog],
      ...counts,
      ...judged,
      tokensBefore,
      tokensAfter,
    };
    const minutes = (this.#parts.clock.monotonic() - startedAt) / 60_000;
    store.transaction(() => {
      store.optimizations.setAnswer(id, position, 'proof', { ...spent, minutes });
      store.optimizations.decide(id, answer, result);
    });
  }
}

function passRate(scores: readonly CaseScore[]): number {
  const scored = scores.flatMap(({ share }) => (share === null ? [] : [share]));
  return scored.reduce((all, share) => all + share, 0) / Math.max(1, scored.length);
}

/** A catalog as the changes of a what-if. */
function changesOf(catalog: Catalog, tools: readonly Tool[]): WhatIfChange[] {
  const edited = editedTools(catalog);
  const after = applyCatalog(tools, catalog);
  return tools.flatMap((tool, at): WhatIfChange[] => {
    const id = idOf(tool);
    const now = after[at];
    if (!now || !edited.has(id)) return [];
    const override = {
      ...(now.description === tool.description ? {} : { description: now.description }),
      ...(now.title === tool.title || now.title === null ? {} : { title: now.title }),
      ...(now.inputSchema === tool.inputSchema ? {} : { inputSchema: now.inputSchema }),
    };
    return [
      ...(Object.keys(override).length > 0
        ? [{ kind: 'override' as const, toolId: id, ...override }]
        : []),
      ...(now.name === tool.name ? [] : [{ kind: 'rename' as const, toolId: id, name: now.name }]),
    ];
  });
}
