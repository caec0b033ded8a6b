import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { maxAddedTools } from '../../../../src-shared/domain/whatIf.ts';
import { readToolsFile, type ToolsFile } from '../../servers/toolsFile.ts';

/**
 * Reads the tools file of a what-if; nothing is stored. Throws INVALID when no tool can be offered
 * or when there are more than a what-if accepts.
 */
export function readAddedTools(text: string, fileName: string): ToolsFile {
  const file = readToolsFile(text, fileName);
  const thing = `The tools file ${fileName}`;
  if (file.tools.length === 0)
    throw new ServiceError('INVALID', {
      thing,
      cause: 'None of its tools is usable.',
      nextStep: 'Give each tool a name and an input schema of type object.',
    });
  if (file.tools.length > maxAddedTools)
    throw new ServiceError('INVALID', {
      thing,
      cause:
        `It holds ${file.tools.length} tools, more than the ${maxAddedTools} that a what-if ` +
        'takes.',
      nextStep: 'Split it.',
    });
  return file;
}
