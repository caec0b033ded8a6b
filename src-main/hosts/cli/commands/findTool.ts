import { formatCount, formatDecimal, formatShare } from '../../../../src-shared/display/numbers.ts';
import { findToolRequest, type FoundTools } from '../../../../src-shared/domain/tokenReport.ts';
import { countReceived } from '../../../services/tokenCounts/countTools.ts';
import { offlineRetrieverIds } from '../../../services/retrieval/offlineRetrieverIds.ts';
import { TokenCounter } from '../../../services/tokenCounts/tokenCounter.ts';
import type { CommandContext } from '../commandContext.ts';
import { define, type OptionsOf } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { escapeControls } from '../../../../src-shared/display/visibleText.ts';
import { table } from '../output/output.ts';
import { readTools, toolsFlags, withToolSource } from '../input/toolsInput.ts';
import { readEncoding } from './tokens.ts';

const { k: mostTools, retriever } = findToolRequest.shape;
const flags = {
  ...toolsFlags,
  '--description <text>': 'what the tool should do',
  '--keywords <text>': { about: 'keywords to match', default: '' },
  '--k <n>': { about: 'most tools', default: '5', of: mostTools },
  '--retriever <retriever>': {
    about: offlineRetrieverIds.join(', '),
    default: 'default',
    words: offlineRetrieverIds,
    of: retriever,
  },
  '--serve': 'offer find_tool over these tools as an MCP server on standard input and output',
} as const;

export const findTool = define({
  flags,
  notes:
    'Examples:\n  touchstone find-tool --server todo --description "remove a task for ' +
    'good" --k 2\n  touchstone find-tool --tools tools.json --serve',
  async run({ options, ...context }) {
    const { output } = context;
    if (options.serve) {
      await serve(context, options);
      return;
    }
    const { description = '', keywords, k } = options;
    if (`${description}${keywords}`.trim() === '')
      throw new UsageError('find-tool: There is nothing to search for. Give --description TEXT.');
    const how = { k, retriever: options.retriever, encoding: readEncoding(context) };
    const { found, failed } = await withToolSource(
      'find-tool',
      context,
      options,
      async (client, { source, failed }) => ({
        found: await client.tokens.findTool({ source, description, keywords, ...how }),
        failed,
      }),
    );
    for (const { server, reason } of failed) output.error(`${server}: ${reason}`);
    for (const { server, reason } of found.excluded)
      output.note(`${server} is left out: ${reason}`);
    found.excluded.push(...failed);
    output.answer(findToolShape(found), () => text(found));
    if (failed.length > 0) context.io.setExitCode(exitCodes.incomplete);
  },
});

async function serve(context: CommandContext, options: OptionsOf<typeof flags>): Promise<void> {
  if (options.tools === '-')
    throw new UsageError(
      'find-tool: --serve speaks over standard input, so the tools must be a file or servers.',
    );
  const encoding = readEncoding(context);
  const { k, retriever } = options;
  const [{ createToolFinder }, { serveFindTool }] = await Promise.all([
    import('../../../services/tokens/findTool.ts'),
    import('../../../servers/findTool/stdio.ts'),
  ]);
  if (options.tools !== undefined && options.server === undefined) {
    const counter = new TokenCounter({ maxInlineLength: Infinity });
    const received = await readTools(options.tools, context.io);
    const { list } = await countReceived(counter, received, encoding);
    const finder = createToolFinder(list, retriever);
    await serveFindTool({
      find: async (description, keywords, most) =>
        findToolShape(finder.find(description, keywords, most)),
      k,
    });
    return;
  }
  await withToolSource('find-tool', context, options, async (client, { source, failed }) => {
    for (const { server, reason } of failed)
      context.io.stderr.write(`${escapeControls(`${server}: ${reason}`)}\n`);
    const how = { source, retriever, encoding };
    await serveFindTool({
      find: async (description, keywords, most) =>
        findToolShape(await client.tokens.findTool({ ...how, description, keywords, k: most })),
      k,
    });
  });
}

/** Each tool as `tools/list` returns it, so that an MCP library takes it, with what was found. */
function findToolShape({ tools, tokenMetrics, excluded }: FoundTools) {
  return {
    tools: tools.map(({ toolId, score, tokenCount, tool }) => ({
      name: tool.name,
      ...(tool.title === null ? {} : { title: tool.title }),
      description: tool.description,
      inputSchema: tool.inputSchema,
      ...(tool.outputSchema === null ? {} : { outputSchema: tool.outputSchema }),
      ...(tool.annotations === null ? {} : { annotations: tool.annotations }),
      tool_id: toolId,
      score,
      token_count: tokenCount,
    })),
    token_metrics: {
      baseline_tokens: tokenMetrics.baselineTokens,
      returned_tokens: tokenMetrics.returnedTokens,
      tokens_saved: tokenMetrics.tokensSaved,
      savings_percentage: tokenMetrics.savingsPercentage,
    },
    excluded,
  };
}

function text({
  tools,
  offered,
  tokenMetrics: { baselineTokens, returnedTokens, tokensSaved, savingsPercentage },
}: FoundTools): string {
  const rows = tools.map(({ toolId, score, tokenCount, tool }) => [
    toolId,
    formatDecimal(score, 3),
    `${formatCount(tokenCount)} tokens`,
    (tool.description.split('\n', 1)[0] ?? '').slice(0, 90),
  ]);
  return [
    tools.length === 0 ? 'No tool matches these words.' : table(rows),
    `${tools.length} of ${offered} tools: ${formatCount(returnedTokens)} of ${formatCount(baselineTokens)} tokens, ` +
      `${tokensSaved} saved (${formatShare(savingsPercentage / 100)})`,
  ].join('\n');
}
