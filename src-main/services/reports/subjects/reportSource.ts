import type { EvaluationAnalysis } from '../../../../src-shared/domain/analysis.ts';
import type {
  Evaluation,
  EvaluationSummary,
  RunFilter,
} from '../../../../src-shared/domain/evaluation.ts';
import type { Judgement, UnscoredGroup } from '../../../../src-shared/domain/judgement.ts';
import type { AskedAgain } from '../../../../src-shared/domain/askedAgain.ts';
import type { ModelSettings } from '../../../../src-shared/domain/model.ts';
import type { Price } from '../../../../src-shared/domain/price.ts';
import type { ReportedTool } from '../../../../src-shared/domain/taskReport.ts';
import type { SentToolsOfModel } from '../../../../src-shared/domain/sentTools.ts';
import type { Failures, Verdict } from '../../../../src-shared/domain/verdict.ts';
import type { readShard } from '../../evaluations/merge/readShard.ts';
import type { MeasuredRun } from '../../results/read/measuredRuns.ts';

import type { ModeCounts } from '../../../../src-shared/display/evaluationTexts.ts';
import type { Conditions } from '../../runs/conditions.ts';

export type { MeasuredRun };

export interface ReportedModel {
  settings: ModelSettings;
  /** Ends in a number when several models have the same label. */
  label: string;
  /** What else may explain a difference from another result. */
  conditions: Conditions;
  summary: EvaluationSummary;
}

/** The data of an evaluation report: the numbers of the window, and the runs one by one. */
export interface ReportSource {
  evaluation: Evaluation;
  summary: EvaluationSummary;
  verdict: Verdict;
  models: readonly ReportedModel[];
  /** What decides whether the build passes; null if nothing was asked of the result. */
  judgement: Judgement | null;
  /** Why runs have no score, the most frequent reason first. */
  unscored: readonly UnscoredGroup[];
  /** What a check asked again; null: nothing was to be. */
  askedAgain: AskedAgain | null;
  /** The part of an evaluation that this is, with what merging needs; null if it is a whole one. */
  shard: () => ReturnType<typeof readShard> | null;
  /** By id of model settings, as the evaluation was started with; null = price unknown. */
  prices: ReadonlyMap<string, Price | null>;
  /** The frozen tools by content: a tool with another hash was changed. */
  tools: readonly ReportedTool[];
  /** What each model was sent of them; empty if they were never frozen. */
  sentTools: readonly SentToolsOfModel[];
  /** Calibration and repetitions of all models together. */
  analysis(): Promise<EvaluationAnalysis>;
  /** The failures by cause, with the first runs of each. */
  failures: () => Promise<Failures>;
  /** Cases by the mode that decides their arguments. */
  modes: ModeCounts;
  /** In the order of the suite. Can be called several times, once per format part. */
  runs(filter?: RunFilter): AsyncIterable<MeasuredRun>;
  /** Program, version and time, or the caller's stamp. */
  generated: string;
  /**
   * When the evaluation was created; null in a stamped report, which holds no times, so that two
   * replays give the same bytes.
   */
  createdAt: string | null;
}
