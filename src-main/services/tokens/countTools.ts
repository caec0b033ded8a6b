import { toolId } from '../../../src-shared/domain/labels.ts';
import type { ReceivedTool } from '../../../src-shared/domain/tool.ts';
import type { FormatTokens, TokenReport } from '../../../src-shared/domain/tokenReport.ts';
import type { EncodingName } from '../../../src-shared/domain/tokens.ts';
import type { CountedTool } from '../../analysis/tokens/toolTokens.ts';
import { loadCounter } from './tokenCounts.ts';

/** Tools with their token counts. */
export type CountedList = readonly { tool: ReceivedTool['tool']; counted: CountedTool }[];

/** Counts the tokens of tools from a file. */
export async function countReceived(
  tools: readonly ReceivedTool[],
  encoding: EncodingName,
): Promise<CountedList> {
  const { countTool } = await loadCounter();
  return tools.map(({ tool, raw }) => ({ tool, counted: countTool(raw, encoding) }));
}

/** A token report with sums by server, in order of first appearance. */
export async function tokenReportOf(
  list: CountedList,
  encoding: EncodingName,
  unavailable: TokenReport['unavailable'] = [],
  measured: readonly FormatTokens[] = [],
): Promise<TokenReport> {
  const { estimateFormats } = await import('../../analysis/tokens/providerFormats.ts');
  const servers = new Map<string, { tools: number; tokenCount: number }>();
  for (const { tool, counted } of list) {
    const sum = servers.get(tool.server) ?? { tools: 0, tokenCount: 0 };
    servers.set(tool.server, {
      tools: sum.tools + 1,
      tokenCount: sum.tokenCount + counted.tokenCount,
    });
  }
  const estimated = estimateFormats(list.map(({ tool }) => tool)).map((format): FormatTokens => ({
    ...format,
    basis: 'estimated',
    requests: null,
  }));
  return {
    encoding,
    tools: list.map(({ tool, counted }) => ({
      toolId: toolId(tool.server, tool.name),
      server: tool.server,
      name: tool.name,
      ...counted,
    })),
    servers: [...servers].map(([server, sums]) => ({ server, ...sums })),
    total: list.reduce((sum, { counted }) => sum + counted.tokenCount, 0),
    formats: [...estimated, ...measured],
    unavailable,
  };
}
