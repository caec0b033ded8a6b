import type { ReadableDatabase, StoreClock } from './database.ts';
import { sqliteVersion } from './sqliteVersion.ts';
import { openCaseRankings, type CaseRankingStore } from './caseRankings.ts';
import { openDatasets, type DatasetStore } from './datasets.ts';
import { openEmbeddings, type EmbeddingStore } from './embeddings.ts';
import { openEvaluations, type EvaluationsStore } from './evaluations.ts';
import { openEvents, type EventsStore } from './events.ts';
import { guardReads } from './guardReads.ts';
import { openFinder, type Finder } from './finder.ts';
import { openFrozenCases, type FrozenCasesStore } from './frozenCases.ts';
import { openModelPrices, type ModelPricesStore } from './modelPrices.ts';
import { openFrontiers, type FrontierStore } from './frontiers.ts';
import { openModelSettings, type ModelSettingsStore } from './modelSettings.ts';
import { openResultQueries, type ResultQueries } from './resultQueries.ts';
import { openResults, type ResultsStore } from './results.ts';
import { openRewrites, type RewriteStore } from './rewrites.ts';
import { openRunFolds, type RunFolds } from './runFolds.ts';
import { openRunQueries, type RunQueries } from './runQueries.ts';
import { openSecurity, type SecurityStore } from './security.ts';
import { openServerListings, type ServerListingStore } from './serverListings.ts';
import { openServers, type ServerStore } from './servers.ts';
import { openSettings, type SettingsStore } from './settings.ts';
import { createTransaction, type RunTransaction, type StoreContext } from './storeContext.ts';
import { openSuiteDrafts, type SuiteDraftStore } from './suiteDrafts.ts';
import { openStagedCases, type StagedCaseStore } from './stagedCases.ts';
import { openSuites, type SuiteStore } from './suites.ts';
import { openSummaries, type SummariesStore } from './summaries.ts';
import { openTestCases, type TestCaseStore } from './testCases.ts';
import { openTestRuns, type TestRunsStore } from './testRuns.ts';
import { openToolCategories, type ToolCategoryStore } from './toolCategories.ts';
import { openToolExecutions, type ToolExecutionStore } from './toolExecutions.ts';
import { openTools, type ToolStore } from './tools.ts';
import { openTokenCounts, type TokenCountStore } from './tokenCounts.ts';
import { openToolConfusions, type ToolConfusions } from './toolConfusions.ts';
import { openToolSnapshots, type ToolSnapshotStore } from './toolSnapshots.ts';
import { openTrash, type TrashStore } from './trash.ts';
import { openWorkshopState, type WorkshopStateStore } from './workshopState.ts';

/** Everything that the workspace keeps, one room per noun. Statements are prepared once, here. */
export interface Store {
  /** Several writes that hold together or not at all. Calls may nest. */
  transaction: RunTransaction;
  /** False beside a running window: then every write is refused. */
  writable: boolean;
  /** Id of the newest migration that the database holds. */
  schemaVersion: number;
  sqliteVersion: string;
  servers: ServerStore;
  serverListings: ServerListingStore;
  suites: SuiteStore;
  testCases: TestCaseStore;
  suiteDrafts: SuiteDraftStore;
  finder: Finder;
  trash: TrashStore;
  settings: SettingsStore;
  toolSnapshots: ToolSnapshotStore;
  modelSettings: ModelSettingsStore;
  modelPrices: ModelPricesStore;
  evaluations: EvaluationsStore;
  frozenCases: FrozenCasesStore;
  caseRankings: CaseRankingStore;
  testRuns: TestRunsStore;
  results: ResultsStore;
  events: EventsStore;
  summaries: SummariesStore;
  runQueries: RunQueries;
  tools: ToolStore;
  toolCategories: ToolCategoryStore;
  toolExecutions: ToolExecutionStore;
  workshop: WorkshopStateStore;
  security: SecurityStore;
  embeddings: EmbeddingStore;
  stagedCases: StagedCaseStore;
  toolConfusions: ToolConfusions;
  rewrites: RewriteStore;
  resultQueries: ResultQueries;
  runFolds: RunFolds;
  tokenCounts: TokenCountStore;
  datasets: DatasetStore;
  frontiers: FrontierStore;
}

/** On a database that was opened for reading every write throws READ_ONLY. */
export function openStore(
  db: ReadableDatabase,
  { clock, nextId }: { clock: StoreClock; nextId: () => string },
): Store {
  guardReads(db);
  const context: StoreContext = { db, clock, nextId, transaction: createTransaction(db) };
  return {
    transaction: context.transaction,
    writable: !db.readonly,
    schemaVersion: Number(db.pragma('user_version', { simple: true })),
    sqliteVersion: sqliteVersion(db),
    servers: openServers(context),
    serverListings: openServerListings(context),
    suites: openSuites(context),
    testCases: openTestCases(context),
    suiteDrafts: openSuiteDrafts(context),
    finder: openFinder(context),
    trash: openTrash(context),
    settings: openSettings(context),
    toolSnapshots: openToolSnapshots(context),
    modelSettings: openModelSettings(context),
    modelPrices: openModelPrices(context),
    evaluations: openEvaluations(context),
    caseRankings: openCaseRankings(context),
    frozenCases: openFrozenCases(context),
    testRuns: openTestRuns(context),
    results: openResults(context),
    events: openEvents(context),
    summaries: openSummaries(context),
    runQueries: openRunQueries(context),
    tools: openTools(context),
    toolCategories: openToolCategories(context),
    toolExecutions: openToolExecutions(context),
    workshop: openWorkshopState(context),
    security: openSecurity(context),
    embeddings: openEmbeddings(context),
    stagedCases: openStagedCases(context),
    toolConfusions: openToolConfusions(context),
    rewrites: openRewrites(context),
    resultQueries: openResultQueries(context),
    runFolds: openRunFolds(context),
    tokenCounts: openTokenCounts(context),
    datasets: openDatasets(context),
    frontiers: openFrontiers(context),
  };
}
