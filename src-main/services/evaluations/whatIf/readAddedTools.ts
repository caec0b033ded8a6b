import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { maxAddedTools } from '../../../../src-shared/domain/whatIf.ts';
import { readToolsFile, type ToolsFile } from '../../servers/toolsFile.ts';

/**
 * The tools of a file that a what-if may offer; nothing is written. Throws INVALID for another
 * file, or one of more than a what-if takes.
 */
export function readAddedTools(text: string, fileName: string): ToolsFile {
  const file = readToolsFile(text, fileName);
  const thing = `The tools file ${fileName}`;
  if (file.tools.length === 0)
    throw new ServiceError('INVALID', {
      thing,
      cause: 'None of its tools can be offered.',
      nextStep: 'Give each a name and an input schema that is an object.',
    });
  if (file.tools.length > maxAddedTools)
    throw new ServiceError('INVALID', {
      thing,
      cause: `It holds ${file.tools.length} tools, more than the ${maxAddedTools} that a what-if takes.`,
      nextStep: 'Split it.',
    });
  return file;
}
