import type { EvaluationRequest } from '../../../src-shared/domain/evaluation.ts';
import type { ExecutionMode } from '../../../src-shared/domain/task.ts';
import type { JudgedBy } from '../../services/checks/judgeReports.ts';
import type { NamedReport } from '../../services/checks/reportSides.ts';
import type { EvalOptions } from './input/evalOptions.ts';
import type { Client } from './session.ts';

/** An evaluation that a command runs, and what its result is held against. */
export interface EvaluationJob {
  options: EvalOptions;
  judgedBy: JudgedBy;
  baseline: NamedReport | null;
  /** Only finds out whether it can be run. */
  isRehearsal?: boolean;
  /**
   * Runs once the entries are known and before anything is started; throws what must stop it, and
   * returns what else to warn of. The mode is that of tasks; null for cases.
   */
  beforeStart?: (
    client: Client,
    request: Pick<EvaluationRequest, 'inline' | 'suiteId' | 'models'>,
    mode: ExecutionMode | null,
  ) => Promise<string[]>;
}
