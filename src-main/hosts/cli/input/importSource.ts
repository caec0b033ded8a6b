import { maxSuiteFileBytes } from '../../../../src-shared/contract/suites.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { joinBfclFiles, type CarriedTool } from '../../../services/suites/exchange/bfclFiles.ts';
import type { CommandContext } from '../commandContext.ts';
import { UsageError } from '../exitCodes.ts';
import { checkOutput } from '../output/writeOutput.ts';
import { readInput } from './files.ts';

export interface ImportOptions {
  from: string;
  map?: string;
  server?: string;
  name?: string;
  replace?: boolean;
  answers?: string;
  toolsOut?: string;
}

/**
 * The text to import, and the tools that it brings along. Throws a UsageError for options that don't
 * go together, and for answers that can't be read.
 */
export async function readImportSource(
  file: string,
  { from, server, answers, toolsOut }: ImportOptions,
  { io, output }: CommandContext,
): Promise<{ text: string; tools: CarriedTool[] }> {
  const isJoined = answers !== undefined || toolsOut !== undefined;
  if (isJoined && from !== 'bfcl')
    throw new UsageError('suite import: --answers and --tools-out are for --from bfcl.');
  if (toolsOut !== undefined && server !== undefined)
    throw new UsageError(
      'suite import: With --tools-out, each question has a server of its own. Leave out --server.',
    );
  if (toolsOut !== undefined) await checkOutput(toolsOut);
  const text = await readInput(file, io, maxSuiteFileBytes);
  if (!isJoined) return { text, tools: [] };
  const given = answers === undefined ? null : await readInput(answers, io, maxSuiteFileBytes);
  try {
    const joined = joinBfclFiles(text, given, toolsOut !== undefined);
    if (joined.unused.length > 0)
      output.note(
        `${answers}: ${counted(joined.unused.length, 'answer')} to no question of the file: ` +
          `${joined.unused.slice(0, 5).join(', ')}${joined.unused.length > 5 ? ', …' : ''}.`,
      );
    return joined;
  } catch (error) {
    throw new UsageError(`${answers}: ${errorText(error)}`, { cause: error });
  }
}
