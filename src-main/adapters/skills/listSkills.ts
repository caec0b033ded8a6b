import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { formatBytes } from '../../../src-shared/display/numbers.ts';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import { skillInputSchema } from '../../../src-shared/domain/skill.ts';
import type { ReceivedTool, RejectedTool, Tool } from '../../../src-shared/domain/tool.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import type { SkillLimits } from './limits.ts';
import { parseSkill } from './parseSkill.ts';
import { isWithin, readRegularFile, readSkillFiles, textOf, UnreadableSkill } from './readFiles.ts';
import { SkillsFault } from './skillsFault.ts';

export interface ListedSkills {
  tools: ReceivedTool[];
  rejected: RejectedTool[];
}

interface ListOptions {
  /** The name under which the folder is registered. */
  server: string;
  folder: string;
  limits: SkillLimits;
}

/**
 * Reads all skills of a folder: each subfolder at any depth with a SKILL.md, or the folder itself if
 * it has one. A skill that can't be offered is rejected by name and does not affect the others.
 */
export async function listSkills(
  { server, folder, limits }: ListOptions,
  signal: AbortSignal,
): Promise<ListedSkills> {
  const root = await openFolder(folder);
  const tools: ReceivedTool[] = [];
  const rejected: RejectedTool[] = [];
  const names = new Set<string>();
  const yieldIfDue = createYielder();
  let [count, bytes] = [0, 0];
  for (const candidate of await findSkills(root, limits)) {
    signal.throwIfAborted();
    count += 1;
    if (count > limits.skills) throw SkillsFault.overLimit(`more than ${limits.skills} skills`);
    const reject = (reason: string): void =>
      void rejected.push({ server, name: candidate.name, reason });
    const read = await readSkill({ server, root, limits, ...candidate }, signal).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof UnreadableSkill) return error.message;
        if (error instanceof Error && 'code' in error)
          return `It can’t be read (${String(error.code)}).`;
        throw error;
      },
    );
    if (typeof read === 'string') reject(read);
    else if (names.has(read.name))
      reject(`Another skill is named ${read.name} too; the first in order of folders is kept.`);
    else {
      names.add(read.name);
      const raw = rawOf(read);
      bytes += Buffer.byteLength(raw);
      if (bytes > limits.listBytes)
        throw SkillsFault.overLimit(`more than ${formatBytes(limits.listBytes)} of text`);
      tools.push({ tool: read, raw });
    }
    await yieldIfDue();
  }
  if (count === 0) throw SkillsFault.empty(root);
  return { tools, rejected };
}

/** Rejects if the folder can't be read. */
export async function reachFolder(folder: string): Promise<void> {
  await readFolder(await openFolder(folder));
}

function rawOf({ name, description, inputSchema, skill }: Tool): string {
  return JSON.stringify({ name, description, inputSchema, skill });
}

/** `~` is the home folder, as in a shell. */
const expandHome = (folder: string): string =>
  /^~(?:$|[\\/])/.test(folder) ? join(homedir(), folder.slice(1)) : folder;

const readFolder = (root: string): Promise<Dirent[]> =>
  readdir(root, { withFileTypes: true }).catch((error: unknown) => {
    throw SkillsFault.unreadable(root, error);
  });

/** The folder without links. Throws SkillsFault if there is none. */
async function openFolder(folder: string): Promise<string> {
  const path = resolve(expandHome(folder));
  const root = await realpath(path).catch(() => null);
  if (root === null) throw SkillsFault.missing(path);
  if (!(await stat(root)).isDirectory()) throw SkillsFault.noFolder(path);
  return root;
}

/** Folders that are never searched for skills. */
const unsearched = new Set(['.git', 'node_modules']);
/** More folders are another kind of folder, such as a home folder. */
const maxFolders = 20_000;

/**
 * The folders that hold a SKILL.md, by their path below the root, at any depth. What is within such a
 * folder belongs to its skill. Links are followed directly below the root only.
 */
async function findSkills(
  root: string,
  { depth }: SkillLimits,
): Promise<{ name: string; path: string }[]> {
  const found: { name: string; path: string }[] = [];
  const queue: { path: string; steps: string[] }[] = [{ path: root, steps: [] }];
  for (const { path, steps } of queue) {
    if (queue.length > maxFolders) throw SkillsFault.overLimit(`more than ${maxFolders} folders`);
    const entries = await (steps.length === 0
      ? readFolder(root)
      : readdir(path, { withFileTypes: true }).catch(() => []));
    if (entries.some(({ name }) => isSkillFile(name))) {
      found.push({ name: steps.join('/') || basename(root), path });
      continue;
    }
    if (steps.length >= depth) continue;
    for (const entry of entries)
      if (
        !unsearched.has(entry.name) &&
        (entry.isDirectory() || (entry.isSymbolicLink() && steps.length === 0))
      )
        queue.push({ path: join(path, entry.name), steps: [...steps, entry.name] });
  }
  return found.sort((a, b) => compareText(a.name, b.name));
}

const isSkillFile = (name: string): boolean => name === 'SKILL.md' || name === 'skill.md';

/** Reads one skill; a text says why it can't be offered. */
async function readSkill(
  {
    server,
    root,
    name: folder,
    path,
    limits,
  }: { server: string; root: string; name: string; path: string; limits: SkillLimits },
  signal: AbortSignal,
): Promise<Tool | string> {
  const own = await realpath(path);
  if (!isWithin(root, own)) return 'It is a link out of the folder. Add the folder it leads to.';
  const fileName = (await readdir(own)).find(isSkillFile) ?? 'SKILL.md';
  const target = await realpath(join(own, fileName));
  if (!isWithin(root, target)) return `Its ${fileName} is a link out of the folder.`;
  const file = await readRegularFile(target, limits.skillBytes);
  if ('problem' in file) return `${fileName}: ${file.problem}`;
  const text = textOf(file.content);
  if (text === null) return `${fileName}: It isn’t text in UTF-8.`;
  const parsed = parseSkill(text);
  if ('reason' in parsed) return `${fileName}, line ${parsed.line}: ${parsed.reason}`;
  const { name, description, ...content } = parsed;
  const files = await readSkillFiles({ root, folder: own, limits }, signal);
  return {
    server,
    name,
    title: null,
    description,
    inputSchema: skillInputSchema,
    outputSchema: null,
    annotations: null,
    skill: { folder, ...content, files },
  };
}
