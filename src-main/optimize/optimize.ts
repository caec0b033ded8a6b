import { counted } from '../../src-shared/display/numbers.ts';
import { passWords } from '../../src-shared/display/optimizationTexts.ts';
import type { EvaluationUnit } from '../../src-shared/domain/gate.ts';
import type {
  Objective,
  OptimizationStep,
  StopReason,
} from '../../src-shared/domain/optimization.ts';
import type { TextEdit } from '../../src-shared/domain/textEdit.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { createRandom, type Random } from '../../src-shared/metrics/random.ts';
import { saysNothing } from '../analysis/advice/saysNothing.ts';
import {
  applyCatalog,
  catalogKey,
  editedTools,
  extend,
  idOf,
  merge,
  type Catalog,
} from './catalog.ts';
import type { CaseScore, Effects, Proposal, SearchCase, ToolRequest } from './effects.ts';
import { drawWeighted } from './pareto.ts';
import { Pool, sum, type Member } from './pool.ts';
import { refusal, type RefusalRules } from './refuse.ts';
import { drawScreening } from './screening.ts';

export interface OptimizeInput {
  /** What the cases are called. */
  unit?: EvaluationUnit;
  tools: readonly Tool[];
  cases: readonly SearchCase[];
  /** How the search cases came out with the tools as they are, in the order of `cases`. */
  baseline: readonly CaseScore[];
  objective: Objective;
  /** The tools that may be edited; null = all. */
  toolIds: readonly string[] | null;
  seed: number;
  /** The most candidates. */
  maxSteps: number;
  /** Ends after so many candidates in a row without a gain. */
  patience: number;
  maxAddedTokens: number;
  allowNames: boolean;
  countTokens: (tool: Tool) => number;
  /** What servers described a tool with before, newest first, by ID of the tool. */
  earlier?: RefusalRules['earlier'];
  /** What the model is sent of a server besides its tools; absent: nothing. */
  instructions?: RefusalRules['instructions'];
}

export interface Optimized {
  /** What to prove; null if nothing is better than the catalog as it is. */
  best: Member | null;
  pool: readonly Member[];
  stopped: StopReason;
}

/**
 * Searches for edits that pass more cases, or cost fewer tokens, on the search half.
 *
 * Each step draws a parent from the Pareto front and a tool in proportion to the failures it causes,
 * asks for proposals, refuses those that change the meaning, screens the others on a minibatch of
 * failing and passing cases, and tries on all search cases only what helps there. What gains is
 * merged with the best catalog if they edit different tools. Deterministic: the same input, seed and
 * answers give the same steps. Source: reflective prompt evolution with a Pareto pool (Agrawal et
 * al., GEPA, 2025); docs/rules.md §4, Optimizer.
 */
export async function optimize(input: OptimizeInput, effects: Effects): Promise<Optimized> {
  return new Search(input, effects).run();
}

interface Candidate {
  kind: 'edit' | 'merge';
  parent: Member;
  other: Member | null;
  catalog: Catalog;
  changed: readonly TextEdit[];
  reason: string;
}

type Tried = 'gained' | 'failed' | 'known' | 'budget';

/** The same change for the same failures of a tool has the same effect, whatever else is edited. */
function changeKey(edits: readonly TextEdit[], { scores }: Member, id: string): string {
  const failing = scores.flatMap(({ position, failures }) =>
    failures.flatMap(({ expected, called }) =>
      expected === id || called === id ? [[position, expected, called]] : [],
    ),
  );
  return JSON.stringify([edits, failing]);
}

class Search {
  readonly #input: OptimizeInput;
  readonly #effects: Effects;
  readonly #random: Random;
  readonly #rules: RefusalRules;
  readonly #byId: ReadonlyMap<string, Tool>;
  readonly #editable: ReadonlySet<string>;
  readonly #pool: Pool;
  /** Catalogs that were tried or refused. */
  readonly #seen = new Set<string>([catalogKey([])]);
  /** Parents with the tools for which the proposer had nothing new. */
  readonly #asked = new Set<string>();
  /** Changes that did not gain, with the failures that they were to repair. */
  readonly #failed = new Set<string>();
  readonly #unit: EvaluationUnit;
  #steps = 0;
  #withoutGain = 0;

  constructor(input: OptimizeInput, effects: Effects) {
    this.#input = input;
    this.#effects = effects;
    this.#unit = input.unit ?? 'case';
    this.#random = createRandom(input.seed);
    this.#pool = new Pool(input, input.baseline);
    this.#rules = {
      ...input,
      requests: this.#requests(input.cases).map(({ query }) => query),
      countTokens: (tool) => this.#pool.count(tool),
    };
    this.#byId = new Map(input.tools.map((tool) => [idOf(tool), tool]));
    this.#editable = new Set(input.toolIds ?? this.#byId.keys());
  }

  async run(): Promise<Optimized> {
    const stopped = await this.#search();
    return { best: this.#pool.best(), pool: this.#pool.members, stopped };
  }

  async #search(): Promise<StopReason> {
    for (;;) {
      const ended = this.#ended();
      if (ended) return ended;
      const drawn = this.#draw();
      if (!drawn) return 'exhausted';
      const { parent, tool } = drawn;
      let isFresh = false;
      const proposals = await this.#propose(parent, tool);
      if (proposals === null) return 'budget';
      for (const { edits, reason, problem } of proposals) {
        if (problem !== undefined) {
          const { catalog } = parent;
          this.#end(
            { kind: 'edit', parent, other: null, catalog, changed: [], reason },
            { result: 'refused', why: problem, toolIds: [idOf(tool)] },
          );
          const over = this.#ended();
          if (over) return over;
          continue;
        }
        const known = changeKey(edits, parent, idOf(tool));
        if (this.#failed.has(known)) continue;
        const catalog = extend(parent.catalog, edits);
        const candidate = { kind: 'edit', parent, other: null, catalog, changed: edits, reason };
        const tried = await this.#try(candidate as Candidate);
        if (tried === 'budget') return 'budget';
        isFresh ||= tried !== 'known';
        const stop = this.#ended();
        if (stop) return stop;
        // The others are asked for again on top of what was gained.
        if (tried === 'gained') break;
        this.#failed.add(known);
      }
      // A model may have another idea when it is asked again; rules never have.
      if (!isFresh) this.#asked.add(`${parent.step} ${idOf(tool)}`);
    }
  }

  #ended(): StopReason | null {
    const { maxSteps, patience, objective } = this.#input;
    if (this.#steps >= maxSteps) return 'steps';
    if (this.#withoutGain >= patience) return 'no_gain';
    return objective === 'accuracy' && this.#pool.isPerfect() ? 'all_passed' : null;
  }

  /** A parent of the front and a tool of it that may have a new proposal; null if there is none. */
  #draw(): { parent: Member; tool: Tool } | null {
    const parents = this.#pool.front().map(({ index, weight }) => {
      const parent = this.#pool.members[index];
      const tools = parent ? this.#toolWeights(parent) : [];
      return { parent, tools, weight };
    });
    const drawn = drawWeighted(
      parents.filter(({ tools }) => tools.length > 0),
      this.#random,
    );
    const chosen = drawn && drawWeighted(drawn.tools, this.#random);
    if (!drawn?.parent || !chosen) return null;
    return { parent: drawn.parent, tool: chosen.tool };
  }

  /** The tools of a parent that may have a new proposal, by the failures they cause or their tokens. */
  #toolWeights(parent: Member): { tool: Tool; weight: number }[] {
    const { objective } = this.#input;
    const failures = this.#failuresOf(parent);
    const catalog = applyCatalog(this.#input.tools, parent.catalog);
    const counted = catalog.reduce((all, tool) => all + this.#pool.count(tool), 0);
    const failed = [...failures.values()].reduce((all, count) => all + count, 0);
    return catalog.flatMap((tool, at) => {
      const original = this.#input.tools[at] ?? tool;
      const id = idOf(original);
      if (!this.#editable.has(id) || this.#asked.has(`${parent.step} ${id}`)) return [];
      const byFailures = (failures.get(id) ?? 0) / Math.max(1, failed);
      const byTokens = this.#pool.count(tool) / Math.max(1, counted);
      const weight =
        objective === 'accuracy'
          ? byFailures
          : objective === 'tokens'
            ? byTokens
            : (byFailures + byTokens) / 2;
      return weight > 0 ? [{ tool, weight }] : [];
    });
  }

  /**
   * Failures by tool. The tool that should have been called comes first: the one that was called
   * instead may be fine, so it is counted when nothing is left to try for the others.
   */
  #failuresOf(parent: Member): ReadonlyMap<string, number> {
    const all = parent.scores.flatMap((score) => score.failures);
    const count = (ids: readonly (string | null)[]): Map<string, number> => {
      const counts = new Map<string, number>();
      for (const id of ids) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
      return counts;
    };
    const failing = count(all.map(({ expected, called }) => expected ?? called));
    const isOpen = [...failing.keys()].some(
      (id) => this.#editable.has(id) && !this.#asked.has(`${parent.step} ${id}`),
    );
    return isOpen
      ? failing
      : count(all.flatMap(({ expected, called }) => [...new Set([expected, called])]));
  }

  #requests(cases: readonly SearchCase[]): ToolRequest[] {
    return cases.flatMap((one) => one.requests ?? [one]);
  }

  async #propose(parent: Member, tool: Tool): Promise<readonly Proposal[] | null> {
    const { objective, maxAddedTokens, allowNames, cases } = this.#input;
    const id = idOf(tool);
    const concerns = ({ expected, called }: { expected: string | null; called: string | null }) =>
      expected === id || called === id;
    const proposals = await this.#effects.propose({
      tool,
      tools: applyCatalog(this.#input.tools, parent.catalog),
      failing: parent.scores.flatMap(({ failures }) => failures.filter(concerns)),
      passing: this.#requests(cases.filter((_, at) => parent.scores[at]?.share === 1)).flatMap(
        ({ query, expected }) => (expected.includes(id) ? [query] : []),
      ),
      requests: this.#requests(cases),
      missed: new Set(
        parent.scores.flatMap(({ failures }) =>
          failures.flatMap(({ expected, called }) => (expected === called ? [] : (expected ?? []))),
        ),
      ),
      earlier: this.#input.earlier ?? (() => []),
      instructions: this.#input.instructions?.(tool.server) ?? '',
      edited: editedTools(parent.catalog),
      objective,
      maxAddedTokens,
      allowNames,
    });
    return (
      proposals?.filter(({ edits }) => edits.every(({ toolId }) => this.#editable.has(toolId))) ??
      null
    );
  }

  /** Tries a candidate as one step, and what it makes possible: merges with the best catalog. */
  async #try(candidate: Candidate): Promise<Tried> {
    const key = catalogKey(candidate.catalog);
    if (this.#seen.has(key)) return 'known';
    this.#seen.add(key);
    const refused = this.#refusal(candidate);
    if (refused !== null) {
      this.#end(candidate, { result: 'refused', why: refused });
      return 'failed';
    }
    const screened = await this.#screen(candidate);
    if (screened === null) return 'budget';
    const { screening, helps } = screened;
    if (!helps) {
      const why = `${formatShare(screening?.before ?? 0)} of ${counted(screening?.cases ?? 0, this.#unit)} ${passWords[this.#unit].past} before, ${formatShare(screening?.passed ?? 0)} with it.`;
      this.#end(candidate, { result: 'no_gain', why, screening });
      return 'failed';
    }
    const scores = await this.#evaluate(candidate.catalog, screened.scores);
    if (scores === null) return 'budget';
    const before = this.#pool.best();
    const member = this.#pool.member(this.#steps + 1, candidate.catalog, scores);
    const why = this.#whyNoGain(member, candidate);
    if (why !== null) {
      this.#end(candidate, { result: 'no_gain', why, screening, member });
      return 'failed';
    }
    this.#pool.add(member);
    const isBest = this.#pool.best() === member;
    this.#end(candidate, { result: isBest ? 'best' : 'kept', why: null, screening, member });
    return this.#mergeWith(before, member);
  }

  /** Combines a new member with the best catalog before it, where both edit other tools. */
  async #mergeWith(best: Member | null, member: Member): Promise<Tried> {
    if (best === null || this.#ended()) return 'gained';
    const [first, second] = this.#pool.compare(best, member) >= 0 ? [best, member] : [member, best];
    const catalog = merge(first.catalog, second.catalog);
    const changed = catalog.filter((edit) => !editedTools(first.catalog).has(edit.toolId));
    if (changed.length === 0) return 'gained';
    const tried = await this.#try({
      kind: 'merge',
      parent: first,
      other: second,
      catalog,
      changed,
      reason: `Combines step ${first.step} with step ${second.step}.`,
    });
    return tried === 'budget' ? 'budget' : 'gained';
  }

  #refusal({ catalog, changed }: Candidate): string | null {
    const moved = new Set(catalog.map(({ newText }) => newText));
    const edited = editedTools(catalog);
    // What another tool still says, or says from now on, is not lost.
    const isMoved = (text: string): boolean =>
      moved.has(text) ||
      this.#input.tools.some((tool) => tool.description === text && !edited.has(idOf(tool)));
    const rules = { ...this.#rules, isMoved };
    for (const id of editedTools(changed)) {
      const before = this.#byId.get(id);
      if (!before) return `There is no tool ${id}.`;
      const edits = catalog.filter((edit) => edit.toolId === id);
      const wrong = refusal(before, before, edits, rules);
      if (wrong !== null) return wrong;
      const [after] = applyCatalog([before], edits);
      const found = after ? refusal(before, after, edits, rules) : null;
      if (found !== null) return found;
    }
    return null;
  }

  async #screen(candidate: Candidate): Promise<{
    screening: OptimizationStep['screening'];
    scores: readonly CaseScore[];
    helps: boolean;
  } | null> {
    if (candidate.kind === 'merge') return { screening: null, scores: [], helps: true };
    const positions = drawScreening(
      this.#input.cases,
      candidate.parent.scores,
      editedTools(candidate.changed),
      this.#random,
    );
    const scores = await this.#effects.evaluate(candidate.catalog, positions);
    if (scores === null) return null;
    const old = new Map(candidate.parent.scores.map((score) => [score.position, score.share]));
    const passed = sum(scores.map(({ share }) => share));
    const before = sum(scores.map(({ position }) => old.get(position) ?? null));
    const isShorter = this.#pool.tokens(candidate.catalog) < candidate.parent.tokens;
    // A text in place of one that says nothing is worth a try on all cases if it does no harm here.
    const mayTie = (this.#input.objective !== 'accuracy' && isShorter) || this.#repairs(candidate);
    const helps = mayTie ? passed >= before : passed > before;
    return { screening: { passed, before, cases: positions.length }, scores, helps };
  }

  /** Whether a candidate describes a tool whose description says nothing. */
  #repairs({ parent, changed }: Candidate): boolean {
    if (this.#input.objective === 'tokens') return false;
    const tools = applyCatalog(this.#input.tools, parent.catalog);
    return changed.some(({ toolId, path }) => {
      const tool = tools[this.#input.tools.findIndex((each) => idOf(each) === toolId)];
      return path === '/description' && tool !== undefined && saysNothing(tool, tools) !== null;
    });
  }

  /** All search cases with a catalog; those that were screened are not repeated. */
  async #evaluate(
    catalog: Catalog,
    known: readonly CaseScore[],
  ): Promise<readonly CaseScore[] | null> {
    const done = new Map(known.map((score) => [score.position, score]));
    const positions = this.#input.cases.map(({ position }) => position);
    const rest = await this.#effects.evaluate(
      catalog,
      positions.filter((position) => !done.has(position)),
    );
    if (rest === null) return null;
    for (const score of rest) done.set(score.position, score);
    return positions.map(
      (position) => done.get(position) ?? { position, share: null, failures: [] },
    );
  }

  #whyNoGain(member: Member, { parent }: Candidate): string | null {
    const { objective } = this.#input;
    if (this.#pool.compare(member, parent) > 0) return null;
    if (
      objective === 'both' &&
      member.tokens < parent.tokens &&
      this.#pool.isNotWorse(member.passRate)
    )
      return null;
    if (objective === 'tokens')
      return member.tokens < parent.tokens
        ? `The ${passWords[this.#unit].rate} falls on the search half.`
        : 'It saves no tokens.';
    return `No more ${this.#unit}s ${passWords[this.#unit].plural} on the search half.`;
  }

  #end(
    { kind, parent, other, catalog, changed, reason }: Candidate,
    end: Pick<OptimizationStep, 'result' | 'why'> & {
      screening?: OptimizationStep['screening'];
      member?: Member;
      toolIds?: readonly string[];
    },
  ): void {
    const gained = end.result === 'best' || end.result === 'kept';
    this.#steps += 1;
    this.#withoutGain = gained ? 0 : this.#withoutGain + 1;
    this.#effects.done({
      step: this.#steps,
      kind,
      parents: other ? [parent.step, other.step] : [parent.step],
      edits: [...catalog],
      toolIds: [...(end.toolIds ?? editedTools(changed))],
      reason,
      result: end.result,
      why: end.why,
      screening: end.screening ?? null,
      passRate: end.member?.passRate ?? null,
      tokens: end.result === 'refused' ? null : (end.member?.tokens ?? this.#pool.tokens(catalog)),
    });
  }
}

const formatShare = (value: number): string => String(Math.round(value * 100) / 100);
