import type { ServiceError } from '../../src-shared/contract/errors.ts';
import type { ReadableDatabase, StoreClock } from './database/database.ts';
import { sqliteVersion } from './database/sqliteVersion.ts';
import { openCaseRankings, type CaseRankingStore } from './evaluations/caseRankings.ts';
import { openDatasets, type DatasetStore } from './labs/datasets.ts';
import { openEmbeddings, type EmbeddingStore } from './labs/embeddings.ts';
import { openEvaluations, type EvaluationsStore } from './evaluations/evaluations.ts';
import { openEvents, type EventsStore } from './evaluations/events.ts';
import { guardStatements } from './database/guardStatements.ts';
import { openFinder, type Finder } from './workspace/finder.ts';
import { openEntries, type EntriesStore } from './evaluations/entries.ts';
import { openModelPrices, type ModelPricesStore } from './workspace/modelPrices.ts';
import { openFrontiers, type FrontierStore } from './labs/frontiers.ts';
import { openModelSettings, type ModelSettingsStore } from './evaluations/modelSettings.ts';
import { openOfferedTools, type OfferedToolsStore } from './runs/offeredTools.ts';
import { openOptimizations, type OptimizationStore } from './evaluations/optimizations.ts';
import { openOutcomes, type OutcomesStore } from './runs/outcomes.ts';
import { type FilterChoices, openFilterChoices } from './runs/filterChoices.ts';
import { openResultQueries, type ResultQueries } from './runs/resultQueries.ts';
import { openResults, type ResultsStore } from './runs/results.ts';
import { openCandidates, type CandidateStore } from './evaluations/candidates.ts';
import { openRunFolds, type RunFolds } from './runs/runFolds.ts';
import { openRunMeasures, type RunMeasuresStore } from './runs/runMeasures.ts';
import { openRunQueries, type RunQueries } from './runs/runQueries.ts';
import { openSecurity, type SecurityStore } from './labs/security.ts';
import { openServerListings, type ServerListingStore } from './servers/serverListings.ts';
import { openServerItems, type ServerItemStore } from './servers/serverItems.ts';
import { openServers, type ServerStore } from './servers/servers.ts';
import { openShardRuns, type ShardRunsStore } from './runs/shardRuns.ts';
import { openSettings, type SettingsStore } from './workspace/settings.ts';
import { createTransaction, type RunTransaction, type StoreContext } from './storeContext.ts';
import { openSuiteDrafts, type SuiteDraftStore } from './suites/suiteDrafts.ts';
import { openStagedCases, type StagedCaseStore } from './suites/stagedCases.ts';
import { openSuites, type SuiteStore } from './suites/suites.ts';
import { openLastRuns, type LastRunsStore } from './runs/lastRuns.ts';
import { openLabels, type LabelsStore } from './runs/labels.ts';
import { openPlayedTasks, type PlayedTasksStore } from './runs/playedTasks.ts';
import { openSentCalls, type SentCallsStore } from './runs/sentCalls.ts';
import { openSteps, type StepsStore } from './runs/steps.ts';
import { openTasks, type TaskStore } from './suites/tasks.ts';
import { openSummaries, type SummariesStore } from './evaluations/summaries.ts';
import { openTestCases, type TestCaseStore } from './suites/testCases.ts';
import { openRuns, type RunsStore } from './runs/runs.ts';
import { openToolCategories, type ToolCategoryStore } from './workshop/toolCategories.ts';
import { openToolExecutions, type ToolExecutionStore } from './workshop/toolExecutions.ts';
import { openTools, type ToolStore } from './workshop/tools.ts';
import { openTokenCounts, type TokenCountStore } from './servers/tokenCounts.ts';
import { openToolConfusions, type ToolConfusions } from './servers/toolConfusions.ts';
import { openServerCases, type ServerCasesStore } from './servers/serverCases.ts';
import { openToolResults, type ToolResultsStore } from './servers/toolResults.ts';
import { openToolRows, type ToolRowStore } from './servers/toolRows.ts';
import { openToolUse, type ToolUseStore } from './servers/toolUse.ts';
import { openToolSnapshots, type ToolSnapshotStore } from './servers/toolSnapshots.ts';
import { openTrash, type TrashStore } from './workspace/trash.ts';
import { openWorkshopState, type WorkshopStateStore } from './workshop/workshopState.ts';

/** Everything that the workspace keeps, one entity each. Statements are prepared once, here. */
export interface Store {
  /** Runs several writes that succeed or fail together. Calls may nest. */
  transaction: RunTransaction;
  /** False next to a running window: then every write is refused. */
  writable: boolean;
  /** Why nothing may be written any more; null where all is well. */
  readonly damage: ServiceError | null;
  /** The id of the newest migration that was applied. */
  schemaVersion: number;
  sqliteVersion: string;
  servers: ServerStore;
  serverListings: ServerListingStore;
  serverItems: ServerItemStore;
  suites: SuiteStore;
  testCases: TestCaseStore;
  tasks: TaskStore;
  suiteDrafts: SuiteDraftStore;
  finder: Finder;
  trash: TrashStore;
  settings: SettingsStore;
  toolSnapshots: ToolSnapshotStore;
  modelSettings: ModelSettingsStore;
  modelPrices: ModelPricesStore;
  evaluations: EvaluationsStore;
  entries: EntriesStore;
  caseRankings: CaseRankingStore;
  offeredTools: OfferedToolsStore;
  runs: RunsStore;
  steps: StepsStore;
  sentCalls: SentCallsStore;
  labels: LabelsStore;
  playedTasks: PlayedTasksStore;
  results: ResultsStore;
  events: EventsStore;
  summaries: SummariesStore;
  runQueries: RunQueries;
  runMeasures: RunMeasuresStore;
  shardRuns: ShardRunsStore;
  tools: ToolStore;
  toolCategories: ToolCategoryStore;
  toolExecutions: ToolExecutionStore;
  workshop: WorkshopStateStore;
  security: SecurityStore;
  embeddings: EmbeddingStore;
  stagedCases: StagedCaseStore;
  toolConfusions: ToolConfusions;
  serverCases: ServerCasesStore;
  toolUse: ToolUseStore;
  toolRows: ToolRowStore;
  toolResults: ToolResultsStore;
  lastRuns: LastRunsStore;
  candidates: CandidateStore;
  optimizations: OptimizationStore;
  outcomes: OutcomesStore;
  filterChoices: FilterChoices;
  resultQueries: ResultQueries;
  runFolds: RunFolds;
  tokenCounts: TokenCountStore;
  datasets: DatasetStore;
  frontiers: FrontierStore;
}

export interface StoreParts {
  clock: StoreClock;
  nextId: () => string;
  /** Takes secrets out of every text that is written. A store that is only read needs none. */
  redact?: (text: string) => string;
}

/** On a database that was opened for reading, every write throws READ_ONLY. */
export function openStore(
  db: ReadableDatabase,
  { clock, nextId, redact = (text) => text }: StoreParts,
): Store {
  guardStatements(db, redact);
  const context: StoreContext = { db, clock, nextId, redact, transaction: createTransaction(db) };
  const steps = openSteps(context);
  return {
    transaction: context.transaction,
    writable: db.session !== null,
    get damage() {
      return db.session?.damage ?? null;
    },
    schemaVersion: Number(db.pragma('user_version', { simple: true })),
    sqliteVersion: sqliteVersion(db),
    servers: openServers(context),
    serverListings: openServerListings(context),
    serverItems: openServerItems(context),
    suites: openSuites(context),
    testCases: openTestCases(context),
    tasks: openTasks(context),
    suiteDrafts: openSuiteDrafts(context),
    finder: openFinder(context),
    trash: openTrash(context),
    settings: openSettings(context),
    toolSnapshots: openToolSnapshots(context),
    modelSettings: openModelSettings(context),
    modelPrices: openModelPrices(context),
    evaluations: openEvaluations(context),
    caseRankings: openCaseRankings(context),
    offeredTools: openOfferedTools(context),
    entries: openEntries(context),
    runs: openRuns(context, steps),
    steps,
    sentCalls: openSentCalls(context),
    labels: openLabels(context),
    playedTasks: openPlayedTasks(context, steps),
    results: openResults(context),
    events: openEvents(context),
    summaries: openSummaries(context),
    runQueries: openRunQueries(context),
    runMeasures: openRunMeasures(context),
    shardRuns: openShardRuns(context),
    tools: openTools(context),
    toolCategories: openToolCategories(context),
    toolExecutions: openToolExecutions(context),
    workshop: openWorkshopState(context),
    security: openSecurity(context),
    embeddings: openEmbeddings(context),
    stagedCases: openStagedCases(context),
    toolConfusions: openToolConfusions(context),
    serverCases: openServerCases(context),
    toolUse: openToolUse(context),
    toolRows: openToolRows(context),
    toolResults: openToolResults(context),
    lastRuns: openLastRuns(context),
    candidates: openCandidates(context),
    optimizations: openOptimizations(context),
    outcomes: openOutcomes(context),
    filterChoices: openFilterChoices(context),
    resultQueries: openResultQueries(context),
    runFolds: openRunFolds(context),
    tokenCounts: openTokenCounts(context),
    datasets: openDatasets(context),
    frontiers: openFrontiers(context),
  };
}
