import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { errorCode, errorText } from '../../../../src-shared/domain/errorText.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { recordedExchange } from '../../../../src-shared/domain/recordedExchange.ts';
import { makeFolder } from '../../../runtime/makeFolder.ts';
import { sha256 } from '../../../runtime/sha256.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { ChatReply } from '../chatModel.ts';

const cachedReply = recordedExchange.pick({
  observation: true,
  request: true,
  response: true,
  elapsedMs: true,
});
/** The second line of an entry; the first is its SHA-256. */
const entry = z.object({ key: z.string(), reply: cachedReply });

/** An entry is one answer of a model; a longer file was not written by this program. */
const maxEntryBytes = 64 * 1024 * 1024;

/** A folder of answers by the key of their request. Several processes may share it. */
export interface AnswerCache {
  /** The answer, or null. A damaged entry counts as missing, and a later answer replaces it. */
  get(key: string): Promise<ChatReply | null>;
  /** Never throws: an answer that can't be kept is asked for again next time. */
  put(key: string, reply: ChatReply): Promise<void>;
}

/**
 * Opens a cache, and creates its folder where there is none. Throws ServiceError INVALID where that
 * can't be done. Entries hold no secrets.
 */
export function openAnswerCache(
  folder: string,
  warn: (message: string) => void,
  redactValue: Secrets['redactValue'],
): AnswerCache {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new ServiceError(
      'INVALID',
      {
        thing: `Cache ${folder}`,
        cause: `The folder can't be created: ${errorText(error)}.`,
        nextStep: 'Choose a folder that can be written, or evaluate without a cache.',
        field: 'cacheFolder',
      },
      { cause: error },
    );
  }
  let hasFailed = false;
  // Two levels, because some file systems are slow with many files in one folder.
  const fileOf = (key: string): string => join(folder, key.slice(0, 2), `${key}.json`);
  return {
    async get(key) {
      const file = fileOf(key);
      try {
        if ((await stat(file)).size > maxEntryBytes) throw new Error('It is too large.');
        const [sum, text = ''] = (await readFile(file, 'utf8')).split('\n');
        if (sum !== sha256(text)) throw new Error('Its content was changed.');
        const found = entry.parse(parseJson(text));
        if (found.key !== key) throw new Error('It answers another request.');
        return found.reply;
      } catch (error) {
        if (errorCode(error) !== 'ENOENT')
          warn(`${file}: This cache entry is damaged, so the model is asked again.`);
        return null;
      }
    },
    async put(key, { observation, request, response, elapsedMs }) {
      const file = fileOf(key);
      // Renaming replaces an entry as a whole, so a reader never sees half of it.
      const temporary = `${file}.${randomUUID()}.new`;
      const reply = redactValue({ observation, request, response, elapsedMs });
      const text = JSON.stringify({ key, reply });
      try {
        makeFolder(join(folder, key.slice(0, 2)));
        await writeFile(temporary, `${sha256(text)}\n${text}`, {
          mode: 0o600,
          flag: 'wx',
        });
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        if (!hasFailed)
          warn(`${folder}: Answers can't be kept in this cache: ${errorText(error)}.`);
        hasFailed = true;
      }
    },
  };
}
