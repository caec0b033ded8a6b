import { toolId } from '../../../src-shared/domain/labels.ts';
import type { ReceivedTool } from '../../../src-shared/domain/tool.ts';
import type { FormatTokens, TokenReport } from '../../../src-shared/domain/tokenReport.ts';
import type { EncodingName } from '../../../src-shared/domain/tokens.ts';
import type { ProviderFormat } from '../../analysis/tokens/providerFormats.ts';
import { countedText, type CountedTool } from '../../analysis/tokens/toolTokens.ts';
import type { Counted, TokenCounter } from './tokenCounter.ts';

export interface CountedList {
  list: readonly { tool: ReceivedTool['tool']; counted: CountedTool }[];
  uncounted: TokenReport['unavailable'];
}

/** A tool that could not be counted, as a part of its server that is not available. */
export const uncountedTool = (
  { server, name }: { server: string; name: string },
  reason: string,
): TokenReport['unavailable'][number] => ({
  server,
  reason: `The tokens of its tool ${name} can't be counted: ${reason}`,
});

export async function countReceived(
  counter: TokenCounter,
  tools: readonly ReceivedTool[],
  encoding: EncodingName,
): Promise<CountedList> {
  const counts = await counter.countTools(tools.map(countedText), encoding);
  return pairCounts(
    tools.map(({ tool }) => tool),
    counts,
  );
}

/** What a report says besides the counts. */
interface ReportFacts extends Pick<TokenReport, 'encoding'> {
  model?: TokenReport['model'];
  unavailable?: TokenReport['unavailable'];
  measured?: readonly FormatTokens[];
}

/** A token report with sums by server, in order of first appearance. */
export async function tokenReportOf(
  counter: TokenCounter,
  { list, uncounted }: CountedList,
  { encoding, model = null, unavailable = [], measured = [] }: ReportFacts,
): Promise<TokenReport> {
  const servers = new Map<string, { tools: number; tokenCount: number }>();
  for (const { tool, counted } of list) {
    const sum = servers.get(tool.server) ?? { tools: 0, tokenCount: 0 };
    servers.set(tool.server, {
      tools: sum.tools + 1,
      tokenCount: sum.tokenCount + counted.tokenCount,
    });
  }
  return {
    encoding,
    model,
    tools: list.map(({ tool, counted }) => ({
      toolId: toolId(tool.server, tool.name),
      server: tool.server,
      name: tool.name,
      ...counted,
    })),
    servers: [...servers].map(([server, sums]) => ({ server, ...sums })),
    total: list.reduce((sum, { counted }) => sum + counted.tokenCount, 0),
    formats: [
      ...(await estimateFormats(
        counter,
        list.map(({ tool }) => tool),
      )),
      ...measured,
    ],
    unavailable: [...unavailable, ...uncounted],
  };
}

/** Tokens of the tools in each provider's form, where all of them can be counted. */
async function estimateFormats(
  counter: TokenCounter,
  tools: readonly ReceivedTool['tool'][],
): Promise<FormatTokens[]> {
  const { providerFormats } = await import('../../analysis/tokens/providerFormats.ts');
  const formats: FormatTokens[] = [];
  for (const each of providerFormats) {
    const { list, uncounted } = await countOffered(counter, tools, each);
    if (uncounted.length === 0)
      formats.push({
        format: each.format,
        wireApi: each.wireApi,
        note: each.note,
        tokenCount: list.reduce((sum, { counted }) => sum + counted.tokenCount, 0),
        basis: 'estimated',
        requests: null,
      });
  }
  return formats;
}

/**
 * Counts tools as the requests of a provider offer them: each tool's JSON in the provider's form.
 * Source: docs/rules.md §6.
 */
export async function countOffered(
  counter: TokenCounter,
  tools: readonly ReceivedTool['tool'][],
  { encoding, describe }: Pick<ProviderFormat, 'encoding' | 'describe'>,
): Promise<CountedList> {
  const counts = await counter.countOffered(
    tools.map((tool) => {
      const text = JSON.stringify(describe(tool));
      return tool.skill === undefined ? text : { text, body: tool.skill.body };
    }),
    encoding,
  );
  return pairCounts(tools, counts);
}

function pairCounts(
  tools: readonly ReceivedTool['tool'][],
  counts: readonly Counted<CountedTool>[],
): CountedList {
  const results = tools.map((tool, at) => ({
    tool,
    ...(counts[at] ?? { reason: 'It was not counted.' }),
  }));
  return {
    list: results.flatMap((result) => ('counted' in result ? [result] : [])),
    uncounted: results.flatMap((result) =>
      'reason' in result ? [uncountedTool(result.tool, result.reason)] : [],
    ),
  };
}
