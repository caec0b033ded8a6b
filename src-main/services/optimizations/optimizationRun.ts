import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { modelConfiguration } from '../../../src-shared/domain/model.ts';
import type {
  OptimizationResult,
  OptimizationSpend,
  OptimizationStep,
} from '../../../src-shared/domain/optimization.ts';
import { costOf } from '../../../src-shared/domain/price.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import type { WhatIfChange } from '../../../src-shared/domain/whatIf.ts';
import { z } from 'zod';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import { RequestAccount } from '../../adapters/llm/request/requestAccount.ts';
import { applyCatalog, editedTools, idOf, type Catalog } from '../../optimize/catalog.ts';
import type { CaseScore, Proposal, ProposalRequest } from '../../optimize/effects.ts';
import { optimize } from '../../optimize/optimize.ts';
import type { Member } from '../../optimize/pool.ts';
import { judgeProof } from '../../optimize/proof.ts';
import {
  proposerAnswer,
  proposerPrompt,
  proposerSystem,
  readProposal,
} from '../../optimize/proposers/model.ts';
import { proposeByRules } from '../../optimize/proposers/rules.ts';
import type { OptimizationRow } from '../../store/evaluations/optimizations.ts';
import type { Store } from '../../store/store.ts';
import { askForJson } from '../models/askForJson.ts';
import type { Prices } from '../models/prices.ts';
import { countProof, editedIds } from '../trials/countProof.ts';
import type { HalfItem, Trial } from '../trials/trial.ts';
import type { Trials } from '../trials/trials.ts';
import { addSpend, exceeded, nothingSpent, spentUnreported, times } from './meter.ts';
import { earlierTexts } from '../candidates/earlierTexts.ts';
import { Stopped } from './stopped.ts';
import { countToolTokens } from './toolTokens.ts';

export interface RunParts {
  store: Store;
  openChatModel: OpenChatModel;
  prices: Pick<Prices, 'of'>;
  trials: Pick<Trials, 'open'>;
  clock: { monotonic(): number };
}

/** Everything that an optimization starts from, as frozen by its evaluation. */
export interface Origin {
  trial: Trial;
  tools: readonly Tool[];
  search: readonly HalfItem[];
  proof: readonly HalfItem[];
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
    const { trial, tools, search } = this.#origin;
    const countTokens = await countToolTokens(tools);
    if (settings.proposer.kind === 'given') {
      await this.#prove({ step: 0, passRate: 0, catalog: settings.proposer.edits }, countTokens);
      this.#changed();
      return;
    }
    const { best, stopped } = await optimize(
      {
        ...settings,
        unit: trial.unit,
        // Cases name their tools, so a candidate with another name could not be compared case by case.
        allowNames: false,
        tools,
        cases: search,
        baseline: trial.scores(search),
        countTokens,
        earlier: earlierTexts(store, tools, this.#row.createdAt),
        instructions: (server) => trial.instructions(server),
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
   * recorded too. What a question cost that was stopped or failed stays in its record: `unreported`
   * says it where no evaluation does.
   */
  async #answer<Answer>(
    expected: OptimizationSpend,
    start: (known: string | null, position: number) => Promise<string> | null,
    read: (evaluationId: string | null) => Promise<{ answer: Answer; spent: OptimizationSpend }>,
    parse: (recorded: unknown) => Answer,
    unreported: () => OptimizationSpend = () => nothingSpent,
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
    // The use of an evaluation holds that of all its attempts; questions to a proposer add up.
    const before = known?.spent ?? nothingSpent;
    const isAllowed = typeof known?.evaluationId === 'string' || this.#fits(expected, before);
    if (!isAllowed) return this.#endBudget(position, before);
    const startedAt = this.#parts.clock.monotonic();
    const evaluationId = await start(known?.evaluationId ?? null, position);
    if (evaluationId === null) optimizations.ask(id, position, null);
    const usedWith = (spent: OptimizationSpend): OptimizationSpend =>
      evaluationId === null
        ? addSpend(before, { ...spent, minutes: this.#minutesSince(startedAt) })
        : { ...spent, minutes: before.minutes + this.#minutesSince(startedAt) };
    let result: { isWhole: boolean; answer: Answer; spent: OptimizationSpend };
    try {
      const isWhole = evaluationId === null || (await this.#waitFor(evaluationId, startedAt));
      result = { isWhole, ...(await read(evaluationId)) };
    } catch (error) {
      const spent = evaluationId === null ? unreported() : this.#origin.trial.spentOn(evaluationId);
      optimizations.setSpent(id, position, usedWith(spent));
      throw error;
    }
    const { isWhole, answer, spent } = result;
    const used = usedWith(spent);
    if (!isWhole) return this.#endBudget(position, used);
    optimizations.setAnswer(id, position, answer, used);
    this.#spent = addSpend(this.#spent, used);
    this.#changed();
    return answer;
  }

  #minutesSince(startedAt: number): number {
    return (this.#parts.clock.monotonic() - startedAt) / 60_000;
  }

  /** True if a use leaves enough for the proof. */
  #fits(expected: OptimizationSpend, before: OptimizationSpend): boolean {
    const { trial, proof } = this.#origin;
    const reserve = times(trial.perCall, this.#callsFor(proof.length));
    const all = [before, expected, reserve].reduce(addSpend, this.#spent);
    return exceeded(this.#row.settings.budget, all) === null;
  }

  #callsFor(items: number): number {
    const { repetitions, callsPerRun } = this.#origin.trial;
    return Math.round(items * repetitions * callsPerRun);
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

  /** Waits for an evaluation. False if it was cancelled because a limit was reached. */
  async #waitFor(evaluationId: string, startedAt: number): Promise<boolean> {
    const { trial } = this.#origin;
    const reached = new AbortController();
    const used = (): void => {
      if (reached.signal.aborted) return;
      const spent = {
        ...trial.spentOn(evaluationId),
        minutes: this.#minutesSince(startedAt),
      };
      if (exceeded(this.#row.settings.budget, addSpend(this.#spent, spent)) === null) return;
      reached.abort();
      void trial.cancel(evaluationId).catch(() => undefined);
    };
    try {
      await trial.watch(evaluationId, this.#signal, used);
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    }
    if (this.#signal.aborted) {
      await trial.cancel(evaluationId).catch(() => undefined);
      throw new Stopped();
    }
    const ended = trial.repeated(evaluationId);
    if (!ended || ended.state === 'interrupted') throw new Stopped();
    const isWhole = !reached.signal.aborted;
    if (isWhole && ended.state === 'cancelled') throw new Stopped();
    return isWhole;
  }

  #evaluate(catalog: Catalog, positions: readonly number[]): Promise<readonly CaseScore[] | null> {
    if (positions.length === 0) return Promise.resolve([]);
    const wanted = new Set(positions);
    const cases = this.#origin.search.filter(({ position }) => wanted.has(position));
    return this.#answer<readonly CaseScore[]>(
      times(this.#origin.trial.perCall, this.#callsFor(cases.length)),
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
    items: readonly HalfItem[],
    planned: (evaluationId: string) => void = () => undefined,
  ): Promise<string> {
    const { store } = this.#parts;
    const { trial, tools } = this.#origin;
    const started = known === null ? null : trial.repeated(known);
    if (known !== null && started) {
      const isOpen = started.state !== 'completed' && started.state !== 'incomplete';
      if (isOpen && hasEnded(started.state)) await trial.resume(known);
      return known;
    }
    return trial.repeat(
      {
        changes: changesOf(catalog, tools),
        items,
        agreed: this.#row.settings.tasks ?? { agreedServers: [] },
      },
      (evaluationId) => {
        store.optimizations.ask(this.#row.id, position, evaluationId);
        planned(evaluationId);
      },
    );
  }

  #scores(
    evaluationId: string,
    items: readonly HalfItem[],
  ): { answer: CaseScore[]; spent: OptimizationSpend } {
    const { trial } = this.#origin;
    const ended = trial.repeated(evaluationId);
    if (!ended) throw new Error('The evaluation of a candidate is missing.');
    const answer = trial.repeatedScores(evaluationId, items);
    if (ended.state !== 'cancelled' && answer.every(({ share }) => share === null))
      throw new ServiceError('TROUBLE', {
        thing: ended.name,
        cause: ended.reason ?? `No ${trial.unit} could be scored.`,
        nextStep: 'Open it to see why, then resume the optimization.',
      });
    return { answer, spent: trial.spentOn(evaluationId) };
  }

  #propose(request: ProposalRequest): Promise<readonly Proposal[] | null> {
    const { proposer } = this.#row.settings;
    if (proposer.kind !== 'model') return Promise.resolve(proposeByRules(request));
    const configuration = modelConfiguration.parse(proposer.model);
    const price = this.#parts.prices.of(configuration);
    const account = new RequestAccount();
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
          account,
        ).catch((error: unknown) => {
          throw this.#signal.aborted ? new Stopped() : error;
        });
        const spent = {
          ...nothingSpent,
          calls: 1,
          tokens: (usage?.input ?? 0) + (usage?.output ?? 0),
          usd: costOf(usage ?? { input: null, output: null }, price),
        };
        return {
          answer: [readProposal(request.tool, value)],
          spent: addSpend(spent, spentUnreported(account.unreported(true), price)),
        };
      },
      (recorded) => proposals.parse(recorded),
      () => spentUnreported(account.unreported(false), price),
    );
  }

  /**
   * Tries the best catalog on the proof half, once, and writes the verdict. If a limit is reached
   * after all, because it took more than the search has left for it, what was scored until then
   * decides.
   */
  async #prove(
    best: Pick<Member, 'step' | 'passRate' | 'catalog'>,
    countTokens: (tool: Tool) => number,
  ): Promise<void> {
    const { store } = this.#parts;
    const { id, settings } = this.#row;
    const { trial, tools, proof, search } = this.#origin;
    const position = this.#position;
    const known = store.optimizations.answer(id, position);
    if (this.#signal.aborted) throw new Stopped();
    const startedAt = this.#parts.clock.monotonic();
    const repeatedId = await this.#repeat(
      known?.evaluationId ?? null,
      position,
      best.catalog,
      proof,
      (evaluationId) => store.optimizations.startProof(id, evaluationId, trial.proofKeys),
    );
    const rank = store.optimizations.startProof(id, repeatedId, trial.proofKeys);
    const used = (): OptimizationSpend => ({
      ...trial.spentOn(repeatedId),
      minutes: (known?.spent?.minutes ?? 0) + this.#minutesSince(startedAt),
    });
    try {
      await this.#waitFor(repeatedId, startedAt);
      this.#scores(repeatedId, proof);
    } catch (error) {
      store.optimizations.setSpent(id, position, used());
      throw error;
    }
    const { others, otherCalls, ...counts } = countProof(
      trial.side,
      trial.repeatedSide(repeatedId),
      proof,
      editedIds(best.catalog),
    );
    const sum = (list: readonly Tool[]) => list.reduce((all, tool) => all + countTokens(tool), 0);
    const tokensBefore = sum(tools);
    const tokensAfter = sum(applyCatalog(tools, best.catalog));
    const searchBefore = passRate(trial.scores(search));
    const claim =
      settings.objective === 'accuracy' ||
      (settings.objective === 'both' && best.passRate > searchBefore + 1e-9)
        ? 'accuracy'
        : 'tokens';
    const verdict = judgeProof({ ...counts, others, otherCalls }, rank, {
      savedTokens: tokensBefore - tokensAfter,
      claim,
      unit: trial.unit,
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
    store.transaction(() => {
      store.optimizations.setAnswer(id, position, 'proof', used());
      store.optimizations.decide(id, answer, result);
    });
  }
}

function passRate(scores: readonly CaseScore[]): number {
  const scored = scores.flatMap(({ share }) => (share === null ? [] : [share]));
  return scored.reduce((all, share) => all + share, 0) / Math.max(1, scored.length);
}

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
