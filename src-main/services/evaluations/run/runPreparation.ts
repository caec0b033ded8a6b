import type { WaitingRun } from '../../../store/runs/testRuns.ts';
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

/** Prepares the runs of an evaluation: which tools each one offers, and its request. */
export class RunPreparation {
  readonly #evaluation: EvaluationRow;
  readonly #tools: FrozenTools;
  /** Why the external retriever did not rank every case. */
  readonly #rankingError: string | null;
  /** Measuring the effect of missing tools is the purpose of a what-if and of a top-k evaluation. */
  readonly #scoresMissingTools: boolean;

  constructor(evaluation: EvaluationRow, tools: FrozenTools, rankingError: string | null) {
    this.#evaluation = evaluation;
    this.#tools = tools;
    this.#rankingError = rankingError;
    const { whatIf, topK } = evaluation.settings;
    this.#scoresMissingTools = whatIf !== null || topK !== null;
  }

  prepare(run: WaitingRun, model: ChatModel): PreparedRun {
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
        : findExclusion(run.content, offered, model.excludedTools?.(offered.tools) ?? []));
    return { servers, orderSeed, offered, obstacle };
  }

  request({ content, repetition }: WaitingRun, { servers, offered }: PreparedRun): ChatRequest {
    const { settings, suite } = this.#evaluation;
    const system = appendInstructions(
      suite.system,
      settings.serverInstructions ? this.#tools.instructions(servers) : null,
    );
    const turns =
      settings.maxTurns > 1
        ? { turns: { maximum: settings.maxTurns, stubs: content.stubResults } }
        : {};
    return {
      query: content.query,
      system,
      messages: suite.messages,
      tools: offered.tools,
      repetition,
      ...turns,
    };
  }

  /** A case whose tools were not ranked can't be shown any. */
  #missingRanking(
    { content: { query } }: WaitingRun,
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
