import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import type { Rewrite, RewriteHalf, ToolProblem } from '../../../src-shared/domain/rewrite.ts';
import type { TextEdit } from '../../../src-shared/domain/textEdit.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { ProofKeys } from '../trials/proofKeys.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';

/** A tool of an evaluation, whose texts are to be changed. */
export interface Target {
  evaluationId: string;
  modelSettingsId: string | null;
  toolId: string;
}

export interface RepeatOptions {
  /** Servers of which a person agreed that every tool may be executed. Cases execute nothing. */
  agreedServers: readonly string[];
  /** Replaces the spend limit of the evaluation, where it is given. */
  spendLimitUsd?: number | null | undefined;
  /** Called in the commit of the plan, with the id of the new evaluation. */
  planned: (evaluationId: string) => void;
}

/**
 * An ended evaluation of cases or tasks with one of its models and one of its tools: what a
 * candidate is written for, estimated on and proved on.
 */
export interface FixBase {
  unit: EvaluationUnit;
  evaluationId: string;
  number: number;
  /** What the proof half of its suite is known by. */
  proofKeys: ProofKeys;
  model: ModelSettings;
  tool: SnapshotTool;
  /** All tools of the evaluation. */
  tools: SnapshotTool[];
  /** What the search half asks for: an edit must not copy it. */
  requests(): string[];
  /** Failures of the tool with advice. `openSignals`: tools that nothing is advised toward. */
  problem(rewrite: Rewrite | null, openSignals: ReadonlySet<string>): ToolProblem;
  /** Wrong choices of the search half by tool. */
  confusions(): { expected: readonly string[]; called: string | null }[];
  /**
   * Repeats one half with edited tools and returns the id of the new evaluation; null if no scored
   * item belongs to that half. Throws INVALID if it executes tools of servers nobody agreed to.
   */
  repeat(
    edits: readonly TextEdit[],
    half: RewriteHalf,
    options: RepeatOptions,
  ): Promise<string | null>;
}
