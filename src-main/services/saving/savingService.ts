import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { SaveProgress, SaveRequest } from '../../../src-shared/domain/saving.ts';
import type { Store } from '../../store/store.ts';
import { explainFileProblem } from '../files/explainFileProblem.ts';
import { checkWhole, writeWhole } from '../files/writeWhole.ts';
import type { NextId } from '../clock.ts';
import type { Services } from '../services.ts';

/** What the system offers where the program has a window of its own. */
export interface SaveDialog {
  /** The path that the user chose; null where the dialog was closed. `folder` is where it opens, null for the usual place. */
  choose(suggestion: { folder: string | null; fileName: string }): Promise<string | null>;
  showInFolder(path: string): void;
}

export interface SavingParts {
  store: Pick<Store, 'settings'>;
  /** Null where the page itself saves: a browser has its own downloads. */
  dialog: SaveDialog | null;
  reports: Services['reports'];
  nextId: NextId;
}

/** Texts are handed to the disk, and their size to the screen, in parts of so many characters. */
const partLength = 1024 * 1024;
const rememberedPaths = 100;

export function createSavingService({ store, dialog, reports, nextId }: SavingParts): Services['saving'] {
  const saved = new Map<string, string>();
  let asking = false;

  const choose = async (fileName: string): Promise<string | null> => {
    if (dialog === null) throw new ServiceError('CONFLICT', { thing: fileName, cause: 'There is no dialog here: your browser saves files itself.', nextStep: 'Use its downloads.' });
    if (asking) throw new ServiceError('CONFLICT', { thing: fileName, cause: 'The dialog is open for another file.', nextStep: 'Answer that one first.' });
    asking = true;
    try {
      const last = store.settings.recall('saveFolder');
      const isThere = last !== null && (await stat(last).then((found) => found.isDirectory(), () => false));
      return await dialog.choose({ folder: isThere ? last : null, fileName });
    } finally {
      asking = false;
    }
  };

  async function* save({ fileName, content }: SaveRequest, given: AbortSignal): AsyncGenerator<SaveProgress, undefined> {
    const left = new AbortController();
    const signal = AbortSignal.any([given, left.signal]);
    const path = await choose(fileName);
    if (path === null) {
      yield { state: 'cancelled' };
      return;
    }
    let bytes = 0;
    const news = createNews<number>();
    async function* counted(): AsyncIterable<string> {
      for await (const text of textsOf(reports, content, signal)) {
        signal.throwIfAborted();
        yield text;
        bytes += Buffer.byteLength(text);
        news.tell(bytes);
      }
      signal.throwIfAborted();
    }
    const written = explained(path, async () => {
      // A report can take long: that it can't be written is said first.
      await checkWhole(path);
      await writeWhole(path, counted());
    }).finally(() => news.end());
    // Told below; a failure during a slow reader's pause would else count as unhandled.
    written.catch(() => undefined);
    try {
      for await (const done of news.latest()) yield { state: 'writing', bytes: done };
      await written;
    } finally {
      // Whoever leaves half-way is let go when nothing half is left.
      left.abort();
      await written.catch(() => undefined);
    }
    store.settings.remember('saveFolder', dirname(path));
    const token = nextId();
    saved.set(token, path);
    for (const [oldest] of saved) if (saved.size > rememberedPaths) saved.delete(oldest);
    yield { state: 'saved', fileName: basename(path), folder: dirname(path), bytes, token };
  }

  return {
    save: (request, { signal }) => save(request, signal),
    showInFolder: async ({ token }) => {
      const path = saved.get(token);
      if (path === undefined || dialog === null) throw new ServiceError('NOT_FOUND', { thing: 'The saved file', cause: 'It was saved before the program was started anew.', nextStep: 'Look for it where you saved it.' });
      if (!(await stat(path).then(() => true, () => false))) throw new ServiceError('NOT_FOUND', { thing: join(dirname(path), basename(path)), cause: 'It is no longer there.', nextStep: 'Save it again.' });
      dialog.showInFolder(path);
      return {};
    },
  };
}

async function* textsOf(reports: Services['reports'], content: SaveRequest['content'], signal: AbortSignal): AsyncIterable<string> {
  if (content.from === 'text') {
    for (let start = 0; start < content.text.length; ) {
      let end = Math.min(content.text.length, start + partLength);
      // A character of two halves is written in one piece.
      if (/[\ud800-\udbff]/.test(content.text[end - 1] ?? '') && end < content.text.length) end += 1;
      yield content.text.slice(start, end);
      start = end;
    }
    return;
  }
  const parts = content.from === 'evaluation' ? reports.export(content.report, { signal }) : reports.exportShown(content.report, { signal });
  for await (const { text } of parts) yield text;
}

async function explained(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const problem = explainFileProblem(error, 'write');
    if (problem === null) throw error;
    throw new ServiceError(problem.ofTheDisk ? 'TROUBLE' : 'INVALID', { thing: path, cause: problem.cause, nextStep: problem.nextStep }, { cause: error });
  }
}

/** The newest of many values for a reader that may be slower than they come. */
function createNews<Value>() {
  let [waiting, ended]: [{ value: Value } | null, boolean] = [null, false];
  let wake: (() => void) | null = null;
  const stir = () => {
    wake?.();
    wake = null;
  };
  return {
    tell(value: Value) {
      waiting = { value };
      stir();
    },
    end() {
      ended = true;
      stir();
    },
    async *latest(): AsyncIterable<Value> {
      for (;;) {
        const next = waiting;
        waiting = null;
        if (next !== null) yield next.value;
        else if (ended) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
