import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { skillPlace } from '../../../src-shared/display/skillPlace.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { openSkills } from '../../adapters/skills/openSkills.ts';
import type { ToolsFile } from './toolsFile.ts';
import type { FindPlace } from './toolsFilePlaces.ts';

/**
 * Reads a folder of skills like a tools file. Its name is that of their server. Throws TROUBLE for a
 * folder without a skill.
 */
export async function readSkillsFolder(folder: string, signal: AbortSignal): Promise<ToolsFile> {
  const root = resolve(folder);
  const name = basename(root).replaceAll(':', '_') || 'skills';
  const config = { transport: 'skills' as const, folder: root };
  const { tools, rejected } = await openSkills({ name, config }).listTools(signal);
  return { tools, rejected };
}

/**
 * The folder of skills that belongs to a configuration: `.claude/skills` next to it, as of a project
 * or of a user. Null if there is none with a skill in it.
 */
export async function skillsNextTo(
  file: string,
  signal: AbortSignal,
): Promise<{ folder: string; skills: number } | null> {
  const folder = join(dirname(resolve(file)), '.claude', 'skills');
  if (!existsSync(folder)) return null;
  const found = await readSkillsFolder(folder, signal).catch((error: unknown) => {
    if (error instanceof ServiceError) return null;
    throw error;
  });
  return found === null || found.tools.length === 0 ? null : { folder, skills: found.tools.length };
}

/**
 * Finds file and line of a part of a skill. What isn't text of a file as it stands, such as the
 * description, is in the frontmatter of its SKILL.md. `folders` are those of the servers; the path
 * of another one begins with its name.
 */
export function placesInSkills(
  tools: readonly Pick<Tool, 'server' | 'name' | 'skill'>[],
  folders: ReadonlyMap<string, string>,
): FindPlace {
  const skills = new Map(
    tools.flatMap(({ server, name, skill }) =>
      skill === undefined ? [] : [[toolId(server, name), { server, skill }] as const],
    ),
  );
  return (id, place, offset = 0) => {
    const found = skills.get(id);
    if (found === undefined) return null;
    const { server, skill } = found;
    const root = folders.get(server) ?? join('servers', server);
    const path = root.replace(/^~(?=$|[\\/])/, homedir());
    const { file, line } = skillPlace(skill, place, offset) ?? { file: 'SKILL.md', line: 1 };
    const own = existsSync(join(path, 'SKILL.md')) ? path : join(path, skill.folder);
    return { file: join(own, file), line, column: 1 };
  };
}
