import { promptOf } from '../../../../src-shared/domain/testCase.ts';
import { sha256 } from '../../../runtime/sha256.ts';
import type { WaitingRun } from '../../../store/runs/runs.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { ChatModel, ChatRequest } from '../../../adapters/llm/chatModel.ts';
import { toolSeed } from '../plan/evaluationOrder.ts';
import { serversOf } from '../plan/planEvaluation.ts';
import {
  appendInstructions,
  findExclusion,
  type FrozenTools,
  type OfferedTools,
  type ScoringObstacle,
} from '../tools/offeredTools.ts';

/** The tools of one run, before its model is called. */
export interface PreparedRun {
  servers: readonly string[];
  /** Shuffles the offered tools; null keeps the listed order. */
  orderSeed: number | null;
  offered: OfferedTools;
  /** Why the run can't be scored. Its model is not called then. */
  obstacle: ScoringObstacle | null;
}

/** The tools that a run was really offered, as they are stored. */
export interface OfferedList {
  id: string;
  snapshotToolIds: readonly number[];
}

const listOf = (ids: readonly number[]): OfferedList => {
  const snapshotToolIds = [...ids].sort((a, b) => a - b);
  return { id: sha256(JSON.stringify(snapshotToolIds)), snapshotToolIds };
};

/** Prepares the runs of an evaluation: which tools each one offers, and its request. */
export class RunPreparation {
  readonly #evaluation: EvaluationRow;
  readonly #tools: FrozenTools;
  /** Why the external retriever did not rank every case. */
  readonly #rankingError: string | null;
  /** Measuring the effect of missing tools is the purpose of a what-if and of a top-k evaluation. */
  readonly #scoresMissingTools: boolean;
  /** By offered tools and model; equal tools are the same object. */
  readonly #lists = new WeakMap<OfferedTools, Map<string, OfferedList>>();

  constructor(evaluation: EvaluationRow, tools: FrozenTools, rankingError: string | null) {
    this.#evaluation = evaluation;
    this.#tools = tools;
    this.#rankingError = rankingError;
    const { whatIf, topK } = evaluation.settings;
    this.#scoresMissingTools = whatIf !== null || topK !== null;
  }

  prepare(run: WaitingRun<'case'>, model: ChatModel): PreparedRun {
    const { settings, suite } = this.#evaluation;
    const servers = serversOf(run.content, settings, suite.servers);
    const orderSeed = toolSeed(settings, run.repetition);
    const offered = this.#tools.offerFor(run.content.query, servers, settings, orderSeed);
    const obstacle =
      this.#tools.findObstacle(run.content, servers, {
        scoresMissingTools: this.#scoresMissingTools,
      }) ??
      this.#missingRanking(run, servers) ??
      (this.#scoresMissingTools
        ? null
        : findExclusion(run.content, offered, model.excludedTools?.(offered.shown) ?? []));
    return { servers, orderSeed, offered, obstacle };
  }

  /** A run that was stopped before its model was called was offered nothing. */
  offeredList(
    run: WaitingRun<'case'>,
    { offered, obstacle }: PreparedRun,
    model: ChatModel,
  ): OfferedList {
    if (obstacle) return listOf([]);
    const lists = this.#lists.get(offered) ?? new Map<string, OfferedList>();
    this.#lists.set(offered, lists);
    let list = lists.get(run.modelSettingsId);
    if (!list) {
      const excluded = new Set(
        (model.excludedTools?.(offered.shown) ?? []).map(({ tool }) => tool),
      );
      list = listOf(
        offered.tools.flatMap(({ toolId, snapshotToolId }) =>
          excluded.has(toolId) ? [] : [snapshotToolId],
        ),
      );
      lists.set(run.modelSettingsId, list);
    }
    return list;
  }

  request(
    { content, repetition }: WaitingRun<'case'>,
    { servers, offered }: PreparedRun,
  ): ChatRequest {
    const { settings } = this.#evaluation;
    const prompt = promptOf(content, this.#evaluation.suite);
    const system = appendInstructions(
      prompt.system,
      settings.serverInstructions ? this.#tools.instructions(servers) : null,
    );
    const turns =
      settings.maxTurns > 1
        ? { turns: { maximum: settings.maxTurns, stubs: content.stubResults } }
        : {};
    return {
      query: content.query,
      system,
      messages: prompt.messages,
      tools: offered.shown,
      repetition,
      instructions: this.#tools.ownInstructions(servers),
      ...turns,
    };
  }

  /** A case whose tools were not ranked can't be shown any. */
  #missingRanking(
    { content: { query } }: WaitingRun<'case'>,
    servers: readonly string[],
  ): ScoringObstacle | null {
    const { settings } = this.#evaluation;
    if (this.#tools.isRanked(query, servers, settings)) return null;
    return {
      failure: 'server',
      message:
        `Its tools were not ranked by ${settings.retriever}. ${this.#rankingError ?? ''}`.trim(),
    };
  }
}
