import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationPlan, PlanProblem } from '../../../../src-shared/domain/evaluationPlan.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { CaseContent } from '../../../../src-shared/domain/testCase.ts';
import { offlineRankers } from '../../../analysis/rankers/rankers.ts';
import { presentedToAgent } from '../../clients/clientViews.ts';
import { alternatives } from '../../../../src-shared/domain/testCase.ts';

/**
 * The servers that can be used. `tools` returns the tool names of the latest listing, or null when
 * the server was never listed.
 */
export interface KnownServers {
  has(server: string): boolean;
  tools(server: string): ReadonlySet<string> | null;
  /** The servers of a tools file; null if they are those that are registered. */
  ofFile: readonly string[] | null;
}

/** Servers of a tools file that an error lists. */
const maxListedServers = 5;

/** Why a named server can't be used, and what to do. `naming` says what names it. */
export function unknownServerText(
  name: string,
  naming: string,
  { ofFile }: Pick<KnownServers, 'ofFile'>,
): string {
  if (ofFile === null)
    return (
      `Server ${name} is not registered (${naming}). Register it, or choose other servers for ` +
      'this evaluation.'
    );
  const others =
    ofFile.slice(0, maxListedServers).join(', ') + (ofFile.length > maxListedServers ? ', …' : '');
  return (
    `The tools file has no tools of server ${name} (${naming}). Its tools belong to: ${others}. ` +
    'A tool without "server" belongs to a server named like the file. Name the file ' +
    `${name}.json, a folder of skills ${name}, or add "server": "${name}" to the tools of the file.`
  );
}

export interface PlannedCase {
  key: string;
  content: Pick<CaseContent, 'servers' | 'expectedCalls' | 'allowedCalls'>;
}

/** The settings that decide which servers a case uses. */
type ServerChoice = Pick<EvaluationSettings, 'servers'> &
  Partial<Pick<EvaluationSettings, 'whatIf'>>;

/**
 * The servers whose tools the model sees for a case: the evaluation's own list, else the case's,
 * else the suite's, with the changes of a what-if applied.
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
 * Counts cases, runs and servers of an evaluation and finds its problems. Pure, so that the screen
 * can show the same result that `start` checks.
 */
export function planEvaluation(
  cases: readonly PlannedCase[],
  settings: ServerChoice &
    Pick<
      EvaluationSettings,
      'models' | 'repetitions' | 'topK' | 'retriever' | 'externalRetriever' | 'client'
    >,
  suiteServers: readonly string[],
  known: KnownServers,
): Omit<EvaluationPlan, 'models' | 'costUsd'> {
  const servers = new Set<string>();
  const errors: PlanProblem[] = [];
  const warnings: PlanProblem[] = [];
  const refuse = (message: string, caseKey: string | null = null): void =>
    void errors.push({ severity: 'error', caseKey, message });
  const unknownServers = new Map<string, string>();

  if (cases.length === 0) refuse('The suite has no cases. Add one, or choose another suite.');
  const toAgent = presentedToAgent(settings);
  if (toAgent !== null) refuse(`${toAgent.cause} ${toAgent.nextStep}`);
  for (const { key, content } of cases) {
    const offered = serversOf(content, settings, suiteServers);
    if (offered.length === 0) {
      refuse(
        `Case ${key} names no server and the suite has none. Choose the servers of this ` +
          'evaluation.',
        key,
      );
    }
    for (const name of offered) {
      servers.add(name);
      if (!known.has(name) && !unknownServers.has(name)) unknownServers.set(name, key);
    }
    // In a top-k evaluation, a missing expected tool is a result, not a problem.
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
        message:
          `Case ${key} expects ${named}, which its servers didn't list when they were last ` +
          'listed: the run will not be scored.',
      });
    }
  }
  const { externalRetriever } = settings;
  if (externalRetriever?.kind === 'mcp' && !known.has(externalRetriever.server)) {
    refuse(
      `Server ${externalRetriever.server}, whose tool ${externalRetriever.search.tool} is to ` +
        'rank the tools, is not registered. Register it, or choose another retriever.',
    );
  }
  if (
    settings.topK !== null &&
    externalRetriever === null &&
    !offlineRankers.has(settings.retriever)
  ) {
    refuse(
      `There is no retriever ${settings.retriever}. Choose one of ` +
        `${[...offlineRankers.keys()].join(', ')}.`,
    );
  }
  const unknownServerErrors = [...unknownServers].map(([name, key]): PlanProblem => ({
    severity: 'error',
    caseKey: key,
    message: unknownServerText(name, `first named by case ${key}`, known),
  }));
  // Errors come first, so that cutting the list never hides what prevents the start.
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
    // A configuration that is listed twice is run once.
    runs:
      cases.length *
      new Set(settings.models.map((model) => JSON.stringify(model))).size *
      settings.repetitions,
    servers: [...servers],
    problems,
  };
}
