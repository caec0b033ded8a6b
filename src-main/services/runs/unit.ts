import type { InlineSources } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { Price } from '../../../src-shared/domain/price.ts';
import type { Shard } from '../../../src-shared/domain/shard.ts';
import type { ChatModel } from '../../adapters/llm/chatModel.ts';
import type { EvaluationRow, FrozenSuite } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { ToolsToFreeze } from '../../store/servers/toolSnapshots.ts';
import type { FrozenEntry } from '../../store/evaluations/entries.ts';
import type { Runner } from './activeRuns.ts';
import type { MergedUnit, MergedReport } from './merge/mergeParts.ts';
import type { LoopParts } from './runLoop.ts';
import type { EvaluationHead, RunTables } from './runTables.ts';

/** The settings of an evaluation that the engine itself reads. */
interface UnitSettings {
  models: ModelConfiguration[];
  repetitions: number;
  firstRepetition?: number | undefined;
  concurrency: number;
  spendLimitUsd: number | null;
  recordFile: string | null;
  shard: Shard | null;
  cacheFolder?: string | null;
  maxTurns?: number;
}

/** The row of an evaluation, as the engine reads it. */
type UnitRow = EvaluationHead &
  Pick<EvaluationRow, 'suiteId' | 'suite' | 'snapshotId' | 'modelSettingsIds' | 'refused'> & {
    settings: UnitSettings;
  };

/** What an evaluation is made of: settings, suite, and the cases or tasks that it freezes. */
export interface Sources<Settings, Entry> {
  settings: Settings;
  suiteId: string | null;
  suiteName: string;
  suite: FrozenSuite;
  entries: readonly Entry[];
}

/** A new evaluation, without its cases or tasks. */
type NewEvaluation<Settings> = Omit<Sources<Settings, never>, 'entries'> & {
  id: string;
  models: { modelSettingsId: string; price: Price | null }[];
  plannedRuns: number;
  owner: string;
  createdAt: string;
};

/** A case or a task as it is frozen; without a position, it takes the place that it has. */
type SourceEntry = Omit<FrozenEntry<EvaluationUnit>, 'position'> & { position?: number };

type RetriedFailure = ReturnType<Store['runs']['failed']>[number]['failure'];

export interface UnitTypes {
  row: UnitRow;
  event: { seq: number; type: string };
  entry: SourceEntry;
  shown: object;
  /** What the list is asked for. */
  listed: object;
  request: {
    models: ModelConfiguration[];
    inline?: InlineSources | undefined;
    after?: string | undefined;
  };
  plan: object;
  /** How an evaluation is repeated with other tools. */
  repeat: object;
  part: MergedReport;
}

export type SourcesOf<Types extends UnitTypes> = Sources<Types['row']['settings'], Types['entry']>;

/** All that differs between cases and tasks. `RunEngine` does everything else. */
export interface Unit<Types extends UnitTypes> {
  kind: EvaluationUnit;
  tables: RunTables<Types['event'], Types['row']>;
  list(asked: Types['listed']): Types['row'][];
  shown(row: Types['row']): Types['shown'];
  /** What `start` would do; with a signal, endpoints count the tokens. */
  plan(request: Types['request'], signal: AbortSignal | null): Promise<Types['plan']>;
  /** What a request starts. Throws INVALID with the first error of its plan. */
  toStart(request: Types['request']): Promise<SourcesOf<Types>>;
  /** What a repetition starts, on the tools of its base. Throws as `toStart` does. */
  toRepeat(
    base: Types['row'],
    repeat: Types['repeat'],
  ): { sources: SourcesOf<Types>; set: ToolsToFreeze };
  /** Models besides those under test; null for one that is not asked. */
  others?(settings: Types['row']['settings']): (ModelConfiguration | null)[];
  /** The tools that a replay is judged with; null where servers list theirs. */
  recordedTools?(models: readonly ChatModel[]): ToolsToFreeze | null;
  neededServers(row: Types['row']): Promise<readonly string[]>;
  insert(evaluation: NewEvaluation<Types['row']['settings']>): void;
  /** The indexes of the entries in the order in which a repetition runs them; absent: as they are. */
  order?(settings: Types['row']['settings'], entries: number, repetition: number): number[];
  /** Whether a resume tries again what failed so. */
  mayRetry(failure: RetriedFailure): boolean;
  /** What a resume clears first, step by step. */
  beforeRetries?(row: Types['row']): Iterable<undefined>;
  /** Opens what plays the runs of an evaluation. */
  open(
    row: Types['row'],
    models: ReadonlyMap<string, ChatModel>,
    others: readonly (ChatModel | null)[],
    parts: LoopParts<Types['event']>,
  ): Runner;
  merged: Omit<MergedUnit<Types['part'], Types['event']>, 'tables'>;
}
