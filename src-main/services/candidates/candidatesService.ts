import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { splitToolId, toolId as idOf } from '../../../src-shared/domain/labels.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { Candidate } from '../../../src-shared/domain/candidate.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import {
  changesOfEdits,
  essentialEdits,
  textAt,
  type TextEdit,
} from '../../../src-shared/domain/textEdit.ts';
import { candidateState } from '../../../src-shared/metrics/candidateState.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type {
  CandidateBase,
  CandidateStep,
  StoredCandidate,
} from '../../store/evaluations/candidates.ts';
import type { Store } from '../../store/store.ts';
import type { CallOptions, ServiceFor } from '../contractTypes.ts';
import { reviseDescription } from '../similarity/askModel.ts';
import { openSignalsIn, type ExamineTools } from '../similarity/openSignals.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { decidedHalf, type Trial, type TrialRepeat, type TrialTarget } from '../trials/trial.ts';
import type { Trials } from '../trials/trials.ts';
import { candidateSubject } from './candidateSubject.ts';
import { checkEdits, claimIn } from './checkEdits.ts';
import { busy, conflict } from './conflicts.ts';
import { judgeCandidate, settleCandidate } from './judgeCandidate.ts';
import { offeredNow } from './offeredNow.ts';
import { patchFile } from './patchFile.ts';
import { findSources, sourceFolder } from './sourcePlaces.ts';
import { adviceFromTools } from './earlierTexts.ts';
import { readToolProblem } from './toolProblem.ts';
import { notFound } from '../../store/database/table.ts';

type Topic = ServiceFor<'candidates'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

export interface CandidatesParts {
  store: Store;
  tokens: TokenCounts;
  openChatModel: OpenChatModel;
  examine: ExamineTools;
  trials: Pick<Trials, 'open'>;
}

/** A tool of an evaluation, whose texts are to be changed. */
interface Target extends TrialTarget {
  toolId: string;
}

/** The same, or with null a tool as its server offers it now. */
type OptionalTarget = Omit<Target, 'evaluationId'> & { evaluationId: string | null };

/** A tool with the tools around it, and the trial that it is tried in if there is one. */
interface Opened {
  trial: Trial | null;
  tool: SnapshotTool;
  tools: readonly SnapshotTool[];
}

/**
 * Candidates for better texts of tools, tried on the cases or the tasks of an evaluation. They are
 * split by hash: candidates may be searched for on one half as often as wanted, and are proved on
 * the other half once.
 */
export class CandidatesService implements ServiceFor<'candidates'> {
  readonly #parts: CandidatesParts;

  constructor(parts: CandidatesParts) {
    this.#parts = parts;
  }

  async list({ putAway, ...of }: Input<'list'>): Answer<'list'> {
    const { candidates } = this.#parts.store;
    const found =
      putAway === true && of.toolId != null ? candidates.putAway(of.toolId) : candidates.list(of);
    return this.#withStates(found);
  }

  async proven(): Answer<'proven'> {
    return this.#withStates(this.#parts.store.candidates.accepted()).filter(
      ({ now }) => now === 'accepted',
    );
  }

  async subject(asked: Input<'subject'>): Answer<'subject'> {
    return candidateSubject(this.#parts.store, asked);
  }

  /** Keeps the results of evaluations that ended, and frees what a program that is gone had begun. */
  recover(): void {
    const { candidates } = this.#parts.store;
    candidates.releaseAll();
    for (const candidate of candidates.underWay()) settleCandidate(this.#parts, candidate);
  }

  /** Keeps what an evaluation says about candidates. Call it when one has ended. */
  settle(evaluationId: string): void {
    for (const candidate of this.#parts.store.candidates.waitingFor(evaluationId))
      settleCandidate(this.#parts, candidate);
  }

  async problem(
    { candidateId, ...target }: Input<'problem'>,
    { signal }: CallOptions,
  ): Answer<'problem'> {
    const { trial, tool } = this.#openTrial(target);
    const candidate = candidateId === null ? null : this.#get(candidateId);
    const read = (signals: ReadonlySet<string>) =>
      readToolProblem(this.#parts.store, trial, tool, target.toolId, candidate, signals);
    const found = read(new Set());
    const concerned = new Set(found.advice.flatMap(({ toolIds }) => toolIds));
    if (concerned.size === 0) return found;
    const tools = trial.tools.filter(({ server, name }) => concerned.has(idOf(server, name)));
    return read(openSignalsIn(await this.#parts.examine(tools, signal)));
  }

  async check({ edits, ...target }: Input<'check'>, { signal }: CallOptions): Answer<'check'> {
    const { store, tokens, examine } = this.#parts;
    const { trial, tools } = this.#open(target);
    const { evaluationId, toolId } = target;
    const { advice } =
      evaluationId === null
        ? { advice: adviceFromTools(store, tools, toolId) }
        : await this.problem({ ...target, evaluationId, candidateId: null }, { signal });
    return checkEdits(
      {
        tokens,
        examine,
        settings: store.settings.get(),
        raw: (hash) => store.toolSnapshots.raw(hash),
      },
      {
        toolId,
        tools,
        edits: essentialEdits(edits),
        advice,
        requests: (trial?.half('search') ?? this.#requests(toolId)).map(({ query }) => query),
      },
      signal,
    );
  }

  /** Throws INVALID for edits without effect, and CONFLICT for those of another candidate. */
  async add({ edits: given, source, ...target }: Input<'add'>): Answer<'add'> {
    const { store } = this.#parts;
    const { trial, tools } = this.#open(target);
    const base = baseOf(trial);
    const edits = essentialEdits(given);
    if (edits.length === 0)
      throw new ServiceError('INVALID', {
        thing: `The candidate of ${target.toolId}`,
        cause: 'It changes nothing.',
        nextStep: 'Change a text.',
        field: 'edits',
      });
    checkOldTexts(tools, edits);
    if (base.unit === 'task' && edits.some(({ path }) => path === '/name'))
      throw new ServiceError('INVALID', {
        thing: `The candidate of ${target.toolId}`,
        cause: 'It changes the name, but servers execute a tool by its name.',
        nextStep: 'Try another name on test cases.',
        field: 'edits',
      });
    const same = store.candidates
      .list({ toolId: target.toolId })
      .filter((one) => JSON.stringify(one.edits) === JSON.stringify(edits));
    const draft = same.find(({ state }) => state === 'draft');
    if (draft !== undefined && draft.baseEvaluationId !== base.baseEvaluationId && trial !== null) {
      store.candidates.rebase(draft.id, base);
      return this.#get(draft.id);
    }
    const known = same.find(
      ({ baseEvaluationId, modelSettingsId }) =>
        baseEvaluationId === base.baseEvaluationId && modelSettingsId === base.modelSettingsId,
    );
    if (known)
      throw new ServiceError('CONFLICT', {
        thing: `The candidate of ${target.toolId}`,
        cause: `${known.name} has the same texts.`,
        nextStep: `Open ${known.name}, or change a text.`,
      });
    const made = store.candidates.insert({ ...base, toolId: target.toolId, source, edits });
    return this.#withStates([made])[0] ?? this.#get(made.id);
  }

  async rename({ id, name }: Input<'rename'>): Answer<'rename'> {
    this.#get(id);
    this.#parts.store.candidates.rename(id, name);
    return this.#get(id);
  }

  /** Throws CONFLICT while its runs are under way. */
  async remove({ id }: Input<'remove'>): Answer<'remove'> {
    const candidate = this.#get(id);
    if (candidate.state === 'searching' || candidate.state === 'proving')
      throw conflict(candidate, 'Its runs are under way.', 'Wait for them, or cancel them.');
    this.#parts.store.candidates.setDeleted(id, true);
    return { id };
  }

  async restore({ id }: Input<'restore'>): Answer<'restore'> {
    this.#parts.store.candidates.setDeleted(id, false);
    return this.#get(id);
  }

  /** Tries a candidate on the search half; may be repeated. */
  async search({ id, spendLimitUsd, ...agreed }: Input<'search'>): Answer<'search'> {
    return this.#begin(id, 'search', { agreed, spendLimitUsd });
  }

  /**
   * Tries a candidate on the proof half, once: a second look would make its p-value meaningless.
   */
  async prove({ id, ...agreed }: Input<'prove'>): Answer<'prove'> {
    return this.#begin(id, 'proof', { agreed });
  }

  /** Asks a model for a description, with the tool it is confused with most as contrast. */
  async propose(
    { model: configuration, ...target }: Input<'propose'>,
    { signal }: CallOptions,
  ): Answer<'propose'> {
    const { trial, tool, tools } = this.#open(target);
    const counts = new Map<string, number>();
    // The search half alone: what is written for a request can't be proved by it.
    const failures = trial?.scores(trial.half('search')).flatMap((score) => score.failures) ?? [];
    for (const { expected, called } of failures) {
      const other =
        expected === target.toolId ? called : called === target.toolId ? expected : null;
      if (other !== null && other !== target.toolId)
        counts.set(other, (counts.get(other) ?? 0) + 1);
    }
    const ranked = tools
      .filter((candidate) => candidate !== tool)
      .sort(
        (a, b) =>
          (counts.get(idOf(b.server, b.name)) ?? 0) - (counts.get(idOf(a.server, a.name)) ?? 0) ||
          Number(b.server === tool.server) - Number(a.server === tool.server),
      );
    const [confusedWith] = ranked;
    if (!confusedWith)
      throw new ServiceError('INVALID', {
        thing: target.toolId,
        cause: 'There is no other tool to tell it from.',
        nextStep: 'Choose a result with more tools, or add a server.',
      });
    return {
      description: await reviseDescription(
        this.#parts.openChatModel,
        configuration,
        { tool, confusedWith },
        signal,
      ),
    };
  }

  async export({ id, format, places }: Input<'export'>, { signal }: CallOptions): Answer<'export'> {
    const candidate = this.#get(id);
    const tools = this.#toolsOf(candidate);
    const found =
      format === 'json_patch' || format === 'tools_file'
        ? { places: [], unread: [] }
        : await this.sources({ id, ...(places !== undefined && { places }) }, { signal });
    return patchFile({ candidate, tools, ...found }, format);
  }

  async sources({ id, places }: Input<'sources'>, { signal }: CallOptions): Answer<'sources'> {
    const { edits, toolId } = this.#get(id);
    const server = this.#parts.store.servers.getByName(splitToolId(toolId).server);
    const folder = server === null ? null : await sourceFolder(server.config);
    return {
      folder,
      ...(folder === null
        ? { places: [], choices: [], unread: [] }
        : await findSources(folder, edits, signal, new Set(places))),
    };
  }

  /**
   * Repeats one half with the candidate's texts. The step is claimed before anything waits, so that
   * of two starts one is refused; the evaluation and the rank of a proof are noted in the commit of
   * the plan.
   */
  async #begin(
    id: string,
    step: CandidateStep,
    options: Pick<TrialRepeat, 'agreed' | 'spendLimitUsd'>,
  ): Promise<Candidate> {
    const { candidates } = this.#parts.store;
    const before = this.#settled(id);
    const trial = this.#trialOf(before);
    const { tools, proofKeys } = trial;
    // It may be tried: what it does to other tools' requests is worth seeing. A proof would call it
    // an improvement.
    const claim = step === 'proof' ? await claimIn(tools, before.edits) : null;
    if (claim !== null)
      throw conflict(before, claim, 'Say what the tool does instead, and prove that text.');
    if (!candidates.claim(id, step)) throw busy(trial, this.#get(id));
    try {
      const items = decidedHalf(trial, step).map(({ item }) => item);
      if (items.length === 0)
        throw conflict(
          before,
          `No scored ${trial.unit} of evaluation #${trial.number} belongs to the ${step} half.`,
          `Add ${trial.unit}s to the suite and run it again.`,
        );
      trial.requireConsent(options.agreed);
      await trial.repeat(
        { changes: changesOfEdits(tools, before.edits), items, ...options },
        (evaluationId) =>
          step === 'proof'
            ? candidates.startProof(id, evaluationId, proofKeys)
            : candidates.startSearch(id, evaluationId),
      );
    } catch (error) {
      candidates.release(before);
      throw error;
    }
    return this.#get(id);
  }

  /** Throws CONFLICT while the evaluation runs, and NOT_FOUND where it doesn't offer the tool. */
  #openTrial({ toolId, ...target }: Target): Opened & { trial: Trial } {
    const trial = this.#parts.trials.open(target);
    return { trial, tools: trial.tools, tool: findTool(trial.tools, toolId, trial.name) };
  }

  /** Without a result, the tool as its server offers it now, between all that are registered. */
  #open({ evaluationId, ...target }: OptionalTarget): Opened {
    if (evaluationId !== null) return this.#openTrial({ ...target, evaluationId });
    const { server } = splitToolId(target.toolId);
    const offered = offeredNow(this.#parts.store);
    const own = offered(server) ?? [];
    const tool = findTool(own, target.toolId, `Server ${server}`);
    const others = this.#parts.store.servers
      .list()
      .flatMap(({ name }) => (name === server ? [] : (offered(name) ?? [])));
    return { trial: null, tool, tools: [...own, ...others] };
  }

  /** Requests that expect a tool, of the search half alone. */
  #requests(toolId: string): { query: string }[] {
    const { server, tool } = splitToolId(toolId);
    return this.#parts.store.serverCases
      .ofTool(server, tool)
      .filter(({ key }) => halfOf(key) === 'search');
  }

  /** Throws CONFLICT for a draft that was made without a result. */
  #trialOf({ name, toolId, baseEvaluationId, modelSettingsId }: StoredCandidate): Trial {
    if (baseEvaluationId !== null)
      return this.#parts.trials.open({ evaluationId: baseEvaluationId, modelSettingsId });
    throw new ServiceError('CONFLICT', {
      thing: `${name} for ${toolId}`,
      cause: 'No result has offered this tool yet.',
      nextStep: 'Add cases for the tool, run an evaluation, and open the candidate again.',
    });
  }

  /** The tools among which a candidate was written: its patch names their places. */
  #toolsOf(candidate: StoredCandidate): readonly SnapshotTool[] {
    const { baseEvaluationId: evaluationId, modelSettingsId, toolId } = candidate;
    return this.#open({ evaluationId, modelSettingsId, toolId }).tools;
  }

  #withStates(found: readonly StoredCandidate[]): Candidate[] {
    const offered = offeredNow(this.#parts.store);
    return found.map((one) => {
      const judged = judgeCandidate(this.#parts, one);
      return { ...judged, now: candidateState(judged.state, judged.edits, offered) };
    });
  }

  #get(id: string): Candidate {
    const stored = this.#find(id);
    return this.#withStates([stored])[0] ?? { ...stored, now: stored.state };
  }

  /** Keeps what an ended evaluation says, so that the next step can begin. */
  #settled(id: string): StoredCandidate {
    return settleCandidate(this.#parts, this.#find(id));
  }

  #find(id: string): StoredCandidate {
    const candidate = this.#parts.store.candidates.get(id);
    if (candidate) return candidate;
    throw notFound('Candidate', id, 'Choose one from the list of candidates.');
  }
}

function baseOf(trial: Trial | null): CandidateBase {
  if (trial === null)
    return {
      suite: '',
      unit: 'case',
      baseEvaluationId: null,
      baseNumber: null,
      modelSettingsId: null,
      modelName: null,
    };
  const { unit, evaluationId, number, proofKeys, model } = trial;
  return {
    suite: proofKeys[0],
    unit,
    baseEvaluationId: evaluationId,
    baseNumber: number,
    modelSettingsId: model.id,
    modelName: modelLabel(model),
  };
}

function findTool(tools: readonly SnapshotTool[], toolId: string, where: string): SnapshotTool {
  const tool = tools.find(({ server, name }) => idOf(server, name) === toolId);
  if (tool) return tool;
  throw new ServiceError('NOT_FOUND', {
    thing: `Tool ${toolId}`,
    cause: `${where} doesn’t offer this tool.`,
    nextStep: 'Choose one of the tools that it offers.',
    field: 'toolId',
  });
}

/** Throws CONFLICT where a text is not what the edit was made for. */
function checkOldTexts(tools: readonly SnapshotTool[], edits: readonly TextEdit[]): void {
  for (const { toolId, path, oldText } of edits) {
    const tool = tools.find(({ server, name }) => idOf(server, name) === toolId);
    if (tool === undefined || textAt(tool, path) !== oldText)
      throw new ServiceError('CONFLICT', {
        thing: `The candidate of ${toolId}`,
        cause: 'The tool has another text there.',
        nextStep: 'Reload the page and make the change again.',
      });
  }
}
