import type { Judgement, JudgedClient } from '../../../src-shared/domain/judgement.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import type { RejectedTool } from '../../../src-shared/domain/tool.ts';
import { hiddenText, readClientFacts, viewsOf } from './clientViews.ts';

/** How many tools may not reach the model in a client. */
export interface HiddenLimit {
  max: number;
  /** The clients that count, by their id; null: all that are known. */
  clients: readonly string[] | null;
}

/** The clients that a limit counts for, each held against it by itself. */
function judgeClients(
  tools: readonly AnalysedTool[],
  rejected: readonly RejectedTool[],
  { max, clients }: HiddenLimit,
): JudgedClient[] {
  const facts = readClientFacts().filter(({ id }) => clients?.includes(id) ?? true);
  return viewsOf(tools, rejected, facts).map(({ client, offered, hidden }) => ({
    client: client.name,
    version: client.version,
    tools: offered.length + hidden.length,
    hidden: hidden.map((one) => ({
      tool: toolId(one.server, one.tool),
      reason: hiddenText(one, client),
    })),
    max,
    outcome: hidden.length > max ? 'failed' : 'passed',
  }));
}

export function withHidden(
  { nothingToCompare: _, ...judgement }: Judgement,
  tools: { tools: readonly AnalysedTool[]; rejected: readonly RejectedTool[] },
  limit: HiddenLimit,
): Judgement {
  const clients = judgeClients(tools.tools, tools.rejected, limit);
  const failed = clients.some(({ outcome }) => outcome === 'failed');
  return {
    ...judgement,
    result: judgement.result === 'passed' && failed ? 'failed' : judgement.result,
    clients,
  };
}
