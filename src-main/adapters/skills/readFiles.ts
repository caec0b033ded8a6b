import { constants } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { errorCode } from '../../../src-shared/domain/errorText.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { formatBytes } from '../../../src-shared/display/numbers.ts';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import type { SkillFile } from '../../../src-shared/domain/skill.ts';
import { FileTooLarge, NotPlainFile, readPlainFile } from '../../runtime/plainFile.ts';
import { sha256 } from '../../runtime/sha256.ts';
import type { SkillLimits } from './limits.ts';

/** A skill can't be read as a whole, so it is not offered. */
export class UnreadableSkill extends Error {
  override readonly name = 'UnreadableSkill';
}

/** What is read must lie in `root`, wherever links lead. Both are without links. */
export const isWithin = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

const skippedFolders = new Set(['node_modules', '.git', '__pycache__', '.venv']);

/**
 * The files of a skill's folder except its SKILL.md, in the order of their paths. A file that can't
 * be read as text is listed with the reason. Links out of `root` are not followed.
 */
export async function readSkillFiles(
  { root, folder, limits }: { root: string; folder: string; limits: SkillLimits },
  signal: AbortSignal,
): Promise<SkillFile[]> {
  const found: SkillFile[] = [];
  let read = 0;
  for await (const { path, inner } of walk(folder, limits, signal)) {
    if (found.length === limits.files)
      throw new UnreadableSkill(`It has more than ${limits.files} files.`);
    const file = await readSkillFile({ root, path, inner, limits });
    read += file.text === null ? 0 : file.bytes;
    if (read > limits.skillTextBytes)
      throw new UnreadableSkill(`It has more than ${formatBytes(limits.skillTextBytes)} of text.`);
    found.push(file);
  }
  return found.sort((a, b) => compareText(a.path, b.path));
}

async function* walk(
  folder: string,
  { depth: maxDepth }: SkillLimits,
  signal: AbortSignal,
): AsyncIterable<{ path: string; inner: string }> {
  const waiting = [{ path: folder, inner: '', depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, inner, depth } = next;
    signal.throwIfAborted();
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const below = {
        path: join(path, entry.name),
        inner: inner === '' ? entry.name : `${inner}/${entry.name}`,
      };
      if (!entry.isDirectory()) {
        if (below.inner.toLowerCase() !== 'skill.md') yield below;
      } else if (!skippedFolders.has(entry.name)) {
        if (depth === maxDepth)
          throw new UnreadableSkill(`Its folders are nested deeper than ${maxDepth} levels.`);
        waiting.push({ ...below, depth: depth + 1 });
      }
    }
  }
}

async function readSkillFile({
  root,
  path,
  inner,
  limits,
}: {
  root: string;
  path: string;
  inner: string;
  limits: SkillLimits;
}): Promise<SkillFile> {
  const unread = (problem: string, bytes = 0): SkillFile => ({
    path: inner,
    bytes,
    sha256: null,
    text: null,
    problem,
  });
  const target = await realpath(path).catch(() => null);
  if (target === null) return unread('It is a link that leads nowhere.');
  if (!isWithin(root, target)) return unread('It is a link out of the folder.');
  const file = await readRegularFile(target, limits.fileBytes);
  if ('problem' in file) return unread(file.problem, file.bytes);
  const { content } = file;
  return {
    path: inner,
    bytes: content.length,
    sha256: sha256(content),
    text: textOf(content),
    problem: null,
  };
}

/** The content of a file of up to so many bytes, or why it can't be read. */
export async function readRegularFile(
  path: string,
  maxBytes: number,
): Promise<{ content: Buffer } | { problem: string; bytes: number }> {
  try {
    // A file that became a link meanwhile is not followed.
    return { content: await readPlainFile(path, { maxBytes, flags: constants.O_NOFOLLOW }) };
  } catch (error) {
    if (error instanceof NotPlainFile) return { problem: error.message, bytes: 0 };
    if (error instanceof FileTooLarge)
      return { problem: `It is larger than ${formatBytes(maxBytes)}.`, bytes: error.bytes };
    return { problem: `It can’t be opened (${errorCode(error) ?? 'unknown error'}).`, bytes: 0 };
  }
}

/** Null if the bytes are not text in UTF-8. */
export function textOf(content: Buffer): string | null {
  if (content.includes(0)) return null;
  return orElse(() => new TextDecoder('utf-8', { fatal: true }).decode(content), null);
}
