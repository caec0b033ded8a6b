import { randomUUID } from 'node:crypto';
import { constants, statSync, type Stats } from 'node:fs';
import { lstat, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { errorCode } from '../../../../src-shared/domain/errorText.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { recordedExchange } from '../../../../src-shared/domain/recordedExchange.ts';
import { fileCause } from '../../../runtime/fileProblem.ts';
import { makeFolder } from '../../../runtime/makeFolder.ts';
import { ofOthers, readPlainFile } from '../../../runtime/plainFile.ts';
import { sealOf, sealProblem, sealKeyVariable } from '../../../runtime/seal.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { ChatReply } from '../chatModel.ts';

const cachedReply = recordedExchange.pick({
  observation: true,
  request: true,
  response: true,
  elapsedMs: true,
});
/** The second line of an entry; the first is its seal. */
const entry = z.object({ key: z.string(), reply: cachedReply });

/** An entry is one answer of a model; a longer file was not written by this program. */
const maxEntryBytes = 64 * 1024 * 1024;

/** Mode bits with which others than the owner could write answers. */
const othersWrite = 0o022;

/** A new entry that wasn't written to for so long is of a process that was killed. */
const minLeftMs = 60_000;

/** Entries that are named for each reason: after a key was changed, no entry of the cache is used. */
const maxNamed = 5;

/** Removes what killed processes left of entries, also where other machines share the folder. */
async function sweepKilled(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^[0-9a-f]{2}$/.test(name)) continue;
    for (const entryName of await readdir(join(folder, name))) {
      if (!/\.json\.[0-9a-f-]{36}\.new$/.test(entryName)) continue;
      const path = join(folder, name, entryName);
      if (Date.now() - (await lstat(path)).mtimeMs > minLeftMs) await rm(path, { force: true });
    }
  }
}

/** Why an entry isn't used, in words that a person can use. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError) return 'It is damaged.';
  // No link is followed to an entry.
  return errorCode(error) === 'ELOOP' ? 'It is a symbolic link.' : fileCause(error, 'read');
}

/**
 * A folder of answers by the key of their request, which several processes may share. Opens it, and
 * creates it where there is none. Throws ServiceError INVALID where that can't be done. Entries hold
 * no secrets.
 */
export function openAnswerCache(
  folder: string,
  warn: (message: string) => void,
  redactValue: Secrets['redactValue'],
  sealKey: string | null = null,
) {
  const refuse = (cause: string, nextStep: string, error?: unknown): never => {
    throw new ServiceError(
      'INVALID',
      { thing: `Cache ${folder}`, cause, nextStep, field: 'cacheFolder' },
      { cause: error },
    );
  };
  try {
    makeFolder(folder);
  } catch (error) {
    return refuse(
      fileCause(error, 'write'),
      'Choose a folder that can be written, or evaluate without a cache.',
      error,
    );
  }
  // With a key, it doesn't matter who can write there.
  const foreign = (found: Stats): string | null =>
    sealKey === null ? ofOthers(found, othersWrite, 'change') : null;
  const isShared = foreign(statSync(folder));
  if (isShared !== null)
    return refuse(isShared, `Choose a folder of your own, or share ${sealKeyVariable} with them.`);
  /** Throws where others can put entries into a folder of this cache, or it leads elsewhere. */
  const checkInner = async (inner: string): Promise<void> => {
    const found = await lstat(inner);
    const problem = found.isDirectory() ? foreign(found) : "It isn't a folder.";
    if (problem !== null) throw new Error(`Its folder ${inner} is not used: ${problem}`);
  };
  let hasFailed = false;
  /** How many entries weren't used, by reason. */
  const unused = new Map<string, number>();
  const sayUnused = (file: string, reason: string): void => {
    const before = unused.get(reason) ?? 0;
    unused.set(reason, before + 1);
    if (before < maxNamed)
      warn(`${file}: This cache entry is not used, so the model is asked again. ${reason}`);
    if (before === maxNamed)
      warn(`${folder}: More cache entries are not used, and won't be named. ${reason}`);
  };
  // What can't be swept takes room and does no harm.
  const swept = sweepKilled(folder).catch(() => undefined);
  // Two levels, because some file systems are slow with many files in one folder.
  const fileOf = (key: string): string => join(folder, key.slice(0, 2), `${key}.json`);
  return {
    /** The answer, or null. A damaged or foreign entry counts as missing; a later answer replaces it. */
    async get(key: string): Promise<ChatReply | null> {
      const file = fileOf(key);
      try {
        await checkInner(dirname(file));
        const content = await readPlainFile(file, {
          maxBytes: maxEntryBytes,
          flags: constants.O_NOFOLLOW,
          check: (found) => {
            const problem = foreign(found);
            if (problem !== null) throw new Error(problem);
          },
        });
        const [seal = '', text = ''] = content.toString('utf8').split('\n');
        const problem = sealProblem(seal, sealOf(text, sealKey), sealKey);
        if (problem !== null) throw new Error(`It ${problem}.`);
        const found = entry.parse(parseJson(text));
        if (found.key !== key) throw new Error('It answers another request.');
        return found.reply;
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') sayUnused(file, reasonOf(error));
        return null;
      }
    },
    /** Never throws: an answer that can't be kept is asked for again next time. */
    async put(
      key: string,
      { observation, request, response, elapsedMs }: ChatReply,
    ): Promise<void> {
      const file = fileOf(key);
      // Renaming replaces an entry as a whole, so a reader never sees half of it.
      const temporary = `${file}.${randomUUID()}.new`;
      const reply = redactValue({ observation, request, response, elapsedMs });
      const text = JSON.stringify({ key, reply });
      try {
        await swept;
        makeFolder(dirname(file));
        await checkInner(dirname(file));
        await writeFile(temporary, `${sealOf(text, sealKey)}\n${text}`, {
          mode: 0o600,
          flag: 'wx',
        });
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        if (!hasFailed)
          warn(`${folder}: Answers can't be kept in this cache: ${fileCause(error, 'write')}`);
        hasFailed = true;
      }
    },
  };
}
export type AnswerCache = ReturnType<typeof openAnswerCache>;
