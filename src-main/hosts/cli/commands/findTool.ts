import { formatDecimal, formatShare } from '../../../../src-shared/display/numbers.ts';
import type { Command } from 'commander';
import type { FoundTools } from '../../../../src-shared/domain/tokenReport.ts';
import { countReceived } from '../../../services/tokenCounts/countTools.ts';
import { offlineRetrieverIds } from '../../../services/retrieval/offlineRetrieverIds.ts';
import { TokenCounter } from '../../../services/tokenCounts/tokenCounter.ts';
import { contextOf, type CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { wholeNumber } from '../input/optionValues.ts';
import { escapeControls } from '../../../../src-shared/display/visibleText.ts';
import { table } from '../output/output.ts';
import { readTools, withToolSource, type ToolsInput } from '../input/toolsInput.ts';
import { readEncoding } from './tokens.ts';

interface FindToolOptions extends ToolsInput {
  description?: string;
  keywords: string;
  k: string;
  retriever: string;
  serve?: boolean;
}

export function addFindTool(declared: Command, io: CommandIo): void {
  declared
    .option('--tools <file>', 'a file of tools or a folder of skills (- reads standard input)')
    .option('--server <name...>', 'registered servers, listed now')
    .option('--description <text>', 'what the tool should do')
    .option('--keywords <text>', 'keywords to match', '')
    .option('--k <n>', 'most tools', '5')
    .option('--retriever <retriever>', offlineRetrieverIds.join(', '), 'default')
    .option(
      '--serve',
      'offer find_tool over these tools as an MCP server on standard input and output',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  touchstone find-tool --server todo --description "remove a task for ' +
        'good" --k 2\n  touchstone find-tool --tools tools.json --serve',
    )
    .action(async (options: FindToolOptions, command: Command) => {
      const context = contextOf(command, io);
      const { output } = context;
      const encoding = readEncoding(command);
      const k = wholeNumber(options.k, '--k', { minValue: 1, maxValue: 1000 }) ?? 5;
      if (options.serve) {
        await serve(context, options, k, encoding);
        return;
      }
      const { description = '' } = options;
      if (`${description}${options.keywords}`.trim() === '')
        throw new UsageError('find-tool: There is nothing to search for. Give --description TEXT.');
      const { found, failed } = await withToolSource(
        'find-tool',
        context,
        options,
        async (client, opened) => ({
          found: await client.tokens.findTool({
            source: opened.source,
            description,
            keywords: options.keywords,
            k,
            retriever: options.retriever,
            encoding,
          }),
          failed: opened.failed,
        }),
      );
      for (const { server, reason } of failed) output.error(`${server}: ${reason}`);
      for (const { server, reason } of found.excluded)
        output.note(`${server} is left out: ${reason}`);
      found.excluded.push(...failed);
      output.answer(findToolShape(found), () => text(found));
      if (failed.length > 0) io.setExitCode(exitCodes.incomplete);
    });
}

async function serve(
  context: CommandContext,
  options: FindToolOptions,
  k: number,
  encoding: ReturnType<typeof readEncoding>,
): Promise<void> {
  if (options.tools === '-')
    throw new UsageError(
      'find-tool: --serve speaks over standard input, so the tools must be a file or servers.',
    );
  const [{ createToolFinder }, { serveFindTool }] = await Promise.all([
    import('../../../services/tokens/findTool.ts'),
    import('../../../servers/findTool/stdio.ts'),
  ]);
  if (options.tools !== undefined && options.server === undefined) {
    const counter = new TokenCounter({ maxInlineLength: Infinity });
    const { list } = await countReceived(
      counter,
      await readTools(options.tools, context.io),
      encoding,
    );
    const finder = createToolFinder(list, options.retriever);
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
    await serveFindTool({
      find: async (description, keywords, most) =>
        findToolShape(
          await client.tokens.findTool({
            source,
            description,
            keywords,
            k: most,
            retriever: options.retriever,
            encoding,
          }),
        ),
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
    `${tokenCount} tokens`,
    (tool.description.split('\n', 1)[0] ?? '').slice(0, 90),
  ]);
  return [
    tools.length === 0 ? 'No tool matches these words.' : table(rows),
    `${tools.length} of ${offered} tools: ${returnedTokens} of ${baselineTokens} tokens, ` +
      `${tokensSaved} saved (${formatShare(savingsPercentage / 100)})`,
  ].join('\n');
}
