import type { Command } from 'commander';
import type { TokenReport } from '../../../../src-shared/domain/tokenReport.ts';
import { encodingNames, type EncodingName } from '../../../../src-shared/domain/tokens.ts';
import { exitCodes, worst, type SetExit } from '../exitCodes.ts';
import { oneOf, wholeNumber } from '../optionValues.ts';
import type { GlobalOptions } from '../output.ts';
import { createOutput, table } from '../output.ts';
import { openTemporarySession } from '../session.ts';
import { withToolSource, type ToolsInput } from '../toolsInput.ts';

interface TokensOptions extends ToolsInput {
  encoding: string;
  budget?: string;
}

export const readEncoding = (text: string): EncodingName => oneOf(text, '--encoding', encodingNames);

export function addTokens(program: Command, exit: SetExit): void {
  program
    .command('tokens')
    .description('counts the tokens of tools by part; 1 where a budget is exceeded')
    .option('--tools <file>', 'a file of tools (- reads standard input)')
    .option('--server <name...>', 'registered servers, asked now')
    .option('--encoding <encoding>', encodingNames.join(' or '), 'cl100k_base')
    .option('--budget <n>', 'end with 1 where all tools together have more tokens')
    .addHelpText('after', '\nExample:\n  touchstone tokens --server todo --budget 2000')
    .action(async (options: TokensOptions, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const output = createOutput(globals);
      const encoding = readEncoding(options.encoding);
      const limit = wholeNumber(options.budget, '--budget') ?? null;
      const { report, failed } = await withToolSource('tokens', globals, options, openTemporarySession, async (client, opened) => ({
        report: await client.tokens.count({ source: opened.source, encoding }),
        failed: opened.failed,
      }));
      for (const { server, reason } of failed) output.error(`${server}: ${reason}`);
      const over = limit === null ? 0 : Math.max(0, report.total - limit);
      const passed = over === 0;
      output.answer(shape(report, limit), () => text(report, limit));
      if (!passed) output.error(`The tools have ${report.total} tokens, ${over} more than the budget.`);
      exit(worst([failed.length > 0 ? exitCodes.incomplete : exitCodes.pass, passed ? exitCodes.pass : exitCodes.gateFailed]));
    });
}

function shape(report: TokenReport, limit: number | null) {
  return {
    encoding: report.encoding,
    tools: report.tools.map(({ toolId, tokenCount, parts }) => ({
      tool_id: toolId,
      token_count: tokenCount,
      parts: { name: parts.name, description: parts.description, input_schema: parts.inputSchema, output_schema: parts.outputSchema, structure: parts.structure },
    })),
    servers: report.servers.map(({ server, tokenCount }) => ({ server, token_count: tokenCount })),
    total: report.total,
    formats: report.formats.map(({ format, tokenCount, basis, requests, note }) => ({ format, token_count: tokenCount, basis, requests, note })),
    budget: limit === null ? null : { limit, passed: report.total <= limit },
  };
}

function text(report: TokenReport, limit: number | null): string {
  const head = ['tool', 'tokens', 'name', 'description', 'input schema', 'output schema', 'structure'];
  const rows = report.tools.map(({ toolId, tokenCount, parts }) => [toolId, tokenCount, parts.name, parts.description, parts.inputSchema, parts.outputSchema, parts.structure].map(String));
  return [
    table([head, ...rows]),
    '',
    table(report.servers.map(({ server, tools, tokenCount }) => [server, `${tokenCount} tokens`, `${tools} tools`])),
    `total ${report.total} tokens (${report.encoding})${limit === null ? '' : `, budget ${limit}: ${report.total <= limit ? 'kept' : 'exceeded'}`}`,
    '',
    table(report.formats.map(({ format, tokenCount, basis, note }) => [format, `${Math.round(tokenCount)} tokens`, basis, note])),
  ].join('\n');
}
