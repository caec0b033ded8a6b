import type {
  EvaluationPlan,
  EvaluationSettings,
  PlanProblem,
} from '../../../../src-shared/domain/evaluation.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { CaseContent } from '../../../../src-shared/domain/testCase.ts';
import { offlineRankers } from '../../../analysis/rankers/rankers.ts';
import { alternatives } from '../../../../src-shared/domain/testCase.ts';

/**
 * What is known before anything starts. `tools` holds a server's tool names as last listed, or null
 * where none were listed yet.
 */
export interface KnownServers {
  has(server: string): boolean;
  tools(server: string): ReadonlySet<string> | null;
}

export interface PlannedCase {
  key: string;
  content: Pick<CaseContent, 'servers' | 'expectedCalls' | 'allowedCalls'>;
}

/** What an evaluation says of the servers of its cases. */
type ServerChoice = Pick<EvaluationSettings, 'servers'> &
  Partial<Pick<EvaluationSettings, 'whatIf'>>;

/**
 * The servers whose tools a case's model sees: the evaluation's own list replaces the case's, the
 * suite's stands in for none.
 */
export function serversOf(
  content: Pick<CaseContent, 'servers'>,
  settings: ServerChoice,
  suiteServers: readonly string[],
): readonly string[] {
  const named = settings.servers ?? (content.servers.length > 0 ? content.servers : suiteServers);
  const { whatIf } = settings;
  if (!whatIf || whatIf.addedServers.length + whatIf.removedServers.length === 0) return named;
  return [
    ...named.filter((server) => !whatIf.removedServers.includes(server)),
    ...whatIf.addedServers.filter((server) => !named.includes(server)),
  ];
}

const maxProblems = 200;

/**
 * Counts what an evaluation would do and says what is wrong with it; pure, so that it can be shown
 * before a start and checked at it.
 */
export function planEvaluation(
  cases: readonly PlannedCase[],
  settings: ServerChoice &
    Pick<EvaluationSettings, 'models' | 'repetitions' | 'topK' | 'retriever' | 'externalRetriever'>,
  suiteServers: readonly string[],
  known: KnownServers,
): Omit<EvaluationPlan, 'models' | 'costUsd'> {
  const servers = new Set<string>();
  const errors: PlanProblem[] = [];
  const warnings: PlanProblem[] = [];
  const unknownServers = new Map<string, string>();

  if (cases.length === 0)
    errors.push({
      severity: 'error',
      caseKey: null,
      message: 'The suite has no cases. Add a case, or choose another suite.',
    });
  for (const { key, content } of cases) {
    const offered = serversOf(content, settings, suiteServers);
    if (offered.length === 0) {
      errors.push({
        severity: 'error',
        caseKey: key,
        message: `Case ${key} names no server and the suite has none. Choose the servers of this evaluation.`,
      });
    }
    for (const name of offered) {
      servers.add(name);
      if (!known.has(name) && !unknownServers.has(name)) unknownServers.set(name, key);
    }
    // With only the best tools shown, an expected one that is missing is a result, not a fault.
    for (const call of settings.topK === null ? content.expectedCalls : []) {
      const usable = alternatives(call).some(
        ({ server, tool }) => offered.includes(server) && (known.tools(server)?.has(tool) ?? true),
      );
      if (usable) continue;
      const named = alternatives(call)
        .map(({ server, tool }) => toolId(server, tool))
        .join(' or ');
      warnings.push({
        severity: 'warning',
        caseKey: key,
        message: `Case ${key} expects ${named}, which its servers did not offer when they were last listed: the run will not be scored.`,
      });
    }
  }
  const { externalRetriever } = settings;
  if (externalRetriever?.kind === 'mcp' && !known.has(externalRetriever.server)) {
    errors.push({
      severity: 'error',
      caseKey: null,
      message: `Server ${externalRetriever.server}, whose tool ${externalRetriever.search.tool} is to rank the tools, is not registered. Register it, or choose another retriever.`,
    });
  }
  if (
    settings.topK !== null &&
    externalRetriever === null &&
    !offlineRankers.has(settings.retriever)
  ) {
    errors.push({
      severity: 'error',
      caseKey: null,
      message: `There is no retriever ${settings.retriever}. Choose one of ${[...offlineRankers.keys()].join(', ')}.`,
    });
  }
  const unknownServerErrors = [...unknownServers].map(([name, key]): PlanProblem => ({
    severity: 'error',
    caseKey: key,
    message: `Server ${name} is not registered (first named by case ${key}). Register it, or choose other servers for this evaluation.`,
  }));
  // Errors stand first: whatever is cut off for length, what keeps the evaluation from starting is
  // among the rest.
  const all = [...unknownServerErrors, ...errors, ...warnings];
  const problems = all.slice(0, maxProblems);
  const omitted = all.length - problems.length;
  if (omitted > 0)
    problems.push({
      severity: 'warning',
      caseKey: null,
      message: `${omitted} more problems of these kinds.`,
    });
  return {
    cases: cases.length,
    // A configuration that stands twice in the list is run once.
    runs:
      cases.length *
      new Set(settings.models.map((model) => JSON.stringify(model))).size *
      settings.repetitions,
    servers: [...servers],
    problems,
  };
}
