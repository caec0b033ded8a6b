import type { SecretGuard } from '../adapters/secrets/secretGuard.ts';
import type { Methods } from './contractTypes.ts';
import type { EvaluationsOfBoth } from './runs/evaluationsOfBoth.ts';
import type { ModelsService } from './models/modelsService.ts';
import type { KeysService } from './keys/keysService.ts';
import type { SavingService } from './saving/savingService.ts';
import type { ReportsService } from './reports/reportsService.ts';
import type { OptimizationsService } from './optimizations/optimizationsService.ts';
import type { ResultsService } from './results/resultsService.ts';
import type { RetrievalService } from './retrieval/retrievalService.ts';
import type { CandidatesService } from './candidates/candidatesService.ts';
import type { SecurityService } from './security/securityService.ts';
import type { ServersService } from './servers/serversService.ts';
import type { SessionsService } from './capture/sessionsService.ts';
import type { SettingsService } from './settings/settingsService.ts';
import type { SimilarityService } from './similarity/similarityService.ts';
import type { SuitesService } from './suites/suitesService.ts';
import type { TokensService } from './tokens/tokensService.ts';
import type { ToolsService } from './tools/toolsService.ts';
import type { WorkshopService } from './workshop/workshopService.ts';

/**
 * What every host opens: the service of each topic of the contract. A missing method does not
 * compile.
 */
export interface Services {
  servers: Methods<'servers', ServersService>;
  suites: Methods<'suites', SuitesService>;
  evaluations: EvaluationsOfBoth;
  similarity: Methods<'similarity', SimilarityService>;
  candidates: Methods<'candidates', CandidatesService>;
  optimizations: Methods<'optimizations', OptimizationsService>;
  results: Methods<'results', ResultsService>;
  reports: Methods<'reports', ReportsService>;
  saving: Methods<'saving', SavingService>;
  security: Methods<'security', SecurityService>;
  workshop: Methods<'workshop', WorkshopService>;
  settings: Methods<'settings', SettingsService>;
  keys: Methods<'keys', KeysService>;
  models: Methods<'models', ModelsService>;
  retrieval: Methods<'retrieval', RetrievalService>;
  tokens: Methods<'tokens', TokensService>;
  tools: Methods<'tools', ToolsService>;
  sessions: Methods<'sessions', SessionsService>;
  /** Takes secrets out of every answer. */
  secretGuard: Pick<SecretGuard, 'redactValue'>;
}
