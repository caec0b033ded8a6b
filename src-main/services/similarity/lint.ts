import { onFirstUse } from '../../../src-shared/domain/onFirstUse.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { LintReport, LintRuleInfo } from '../../../src-shared/domain/lint.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { finishInTurns } from '../../runtime/steps.ts';
import { lintSteps, ruleInfos, type LintOptions } from '../../analysis/lint/lintTools.ts';
import { toolsWithTwins } from '../../analysis/lint/twinAdvice.ts';
import { clientFindings } from '../clients/clientFindings.ts';
import { clientRuleIds, clientRules } from '../clients/clientRules.ts';
import { viewsInTurns, type Instructions } from '../clients/clientViews.ts';

export type { LintReport } from '../../../src-shared/domain/lint.ts';
export { lintSteps, toolsWithTwins };

export const lintRulesById = onFirstUse(
  (): ReadonlyMap<string, LintRuleInfo> =>
    new Map(
      [...ruleInfos(), ...clientRuleIds.map((id) => ({ id, ...clientRules[id] }))].map((rule) => [
        rule.id,
        rule,
      ]),
    ),
);

/**
 * What the rules of quality find, and what clients make of the tools. A tool that hides its whole
 * server comes first; the others are by tool in the given order. Clients take no points. Yields to
 * the event loop between tools and clients; throws the reason of `signal` when aborted.
 */
export async function lintWithClients(
  tools: readonly AnalysedTool[],
  options: LintOptions & { instructions?: Instructions } = {},
  signal?: AbortSignal,
): Promise<LintReport> {
  const report = await finishInTurns(lintSteps(tools, options), signal);
  const { rejected = [], off, instructions } = options;
  const views = await viewsInTurns(tools, rejected, instructions, signal);
  const ofClients = clientFindings(views, off);
  const place = new Map(
    [...tools, ...rejected].map(({ server, name }, at) => [toolId(server, name), at]),
  );
  const rank = ({ toolId: id, rule }: LintReport['findings'][number]): number =>
    rule === 'client-hides-server' ? -1 : (place.get(id) ?? place.size);
  return {
    ...report,
    findings: [...report.findings, ...ofClients].toSorted((a, b) => rank(a) - rank(b)),
  };
}
