import { stat } from 'node:fs/promises';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { placesInSkills, readSkillsFolder } from '../../../services/servers/skillsFolder.ts';
import { readToolsFile, type ToolsDocument } from '../../../services/servers/toolsFile.ts';
import { placesInToolsFile, type FindPlace } from '../../../services/servers/toolsFilePlaces.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { readInput } from './files.ts';
import { otherFileText } from './otherFile.ts';

/** Tools of a file, and where the parts of each are in it. */
export interface ToolsAt extends ToolsDocument {
  findPlace: FindPlace;
}

/** Reads what `--tools` names: a tools file, standard input for `-`, or a folder of skills. */
export async function readToolsAt(path: string, io: CommandIo): Promise<ToolsAt> {
  if (path !== '-' && (await isFolder(path))) {
    const read = await readSkillsFolder(path, new AbortController().signal).catch(
      (error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        throw new UsageError(`${path}: ${error.data.cause} ${error.data.nextStep}`);
      },
    );
    const tools = read.tools.map(({ tool }) => tool);
    const folders = new Map(tools.map(({ server }) => [server, path]));
    return { ...read, leftOut: [], findPlace: placesInSkills(tools, folders) };
  }
  const text = await readInput(path, io);
  try {
    return { ...readToolsFile(text, path), findPlace: placesInToolsFile(text, path) };
  } catch (error) {
    const other = otherFileText(text, { role: 'tools', kind: 'a list of tools' }, path);
    throw other === null ? error : new UsageError(`The tools file ${path}: ${other}`);
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true;
