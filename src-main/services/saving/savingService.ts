import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { SaveProgress, SaveRequest } from '../../../src-shared/domain/saving.ts';
import type { Store } from '../../store/store.ts';
import { explainFileProblem } from '../files/explainFileProblem.ts';
import { checkWhole, writeWhole } from '../files/writeWhole.ts';
import type { NextId } from '../../runtime/clock.ts';
import type { Services } from '../services.ts';

/** What the system offers where the program has a window of its own. */
export interface SaveDialog {
  /**
   * The path that the user chose; null where the dialog was closed. `folder` is where it opens,
   * null for the usual place.
   */
  choose(suggestion: { folder: string | null; fileName: string }): Promise<string | null>;
  /** The folder that the user chose for many files; null where the dialog was closed. */
  chooseFolder(suggestion: { folder: string | null }): Promise<string | null>;
  /**
   * Whether these files of a folder, which hold something else, may be replaced: `choose` asks that
   * by itself.
   */
  mayReplace(found: { folder: string; names: readonly string[] }): Promise<boolean>;
  showInFolder(path: string): void;
}

export interface SavingParts {
  store: Pick<Store, 'settings'>;
  /** Null where the page itself saves: a browser has its own downloads. */
  dialog: SaveDialog | null;
  reports: Services['reports'];
  nextId: NextId;
}

interface NamedText {
  name: string;
  text: string;
}

interface Target {
  path: string;
  /** Looked at before the first one is written. */
  checked: boolean;
  texts: () => AsyncIterable<string>;
}

/** Texts are handed to the disk, and their size to the screen, in parts of so many characters. */
const partLength = 1024 * 1024;
const rememberedPaths = 100;

export function createSavingService({
  store,
  dialog,
  reports,
  nextId,
}: SavingParts): Services['saving'] {
  const saved = new Map<string, string>();
  let asking = false;

  const ask = async <T>(
    fileName: string,
    question: (dialog: SaveDialog, folder: string | null) => Promise<T>,
  ): Promise<T> => {
    if (dialog === null)
      throw new ServiceError('CONFLICT', {
        thing: fileName,
        cause: 'There is no dialog here: your browser saves files itself.',
        nextStep: 'Use its downloads.',
      });
    if (asking)
      throw new ServiceError('CONFLICT', {
        thing: fileName,
        cause: 'The dialog is open for another file.',
        nextStep: 'Answer that one first.',
      });
    asking = true;
    try {
      const last = store.settings.recall('saveFolder');
      const isThere =
        last !== null &&
        (await stat(last).then(
          (found) => found.isDirectory(),
          () => false,
        ));
      return await question(dialog, isThere ? last : null);
    } finally {
      asking = false;
    }
  };
  const findTargets = (
    { fileName, content }: SaveRequest,
    signal: AbortSignal,
  ): Promise<Target[] | null> =>
    ask(fileName, async (shown, folder) => {
      if (content.from === 'files') return chooseTargets(content.files, shown, folder);
      const path = await shown.choose({ folder, fileName });
      return path === null
        ? null
        : [{ path, checked: true, texts: () => textsOf(reports, content, signal) }];
    });

  async function* save(
    request: SaveRequest,
    given: AbortSignal,
  ): AsyncGenerator<SaveProgress, undefined> {
    const left = new AbortController();
    const signal = AbortSignal.any([given, left.signal]);
    const targets = await findTargets(request, signal);
    const [first] = targets ?? [];
    if (targets === null || first === undefined) {
      yield { state: 'cancelled' };
      return;
    }
    let bytes = 0;
    const news = createNews<number>();
    async function* counted(texts: AsyncIterable<string>): AsyncIterable<string> {
      for await (const text of texts) {
        signal.throwIfAborted();
        yield text;
        bytes += Buffer.byteLength(text);
        news.tell(bytes);
      }
      signal.throwIfAborted();
    }
    const writeAll = async (): Promise<void> => {
      // A report can take long, and of many files none is written where one can't be: that is said
      // first.
      for (const { path, checked } of targets)
        if (checked) await explained(path, () => checkWhole(path));
      for (const { path, texts } of targets)
        await explained(path, () => writeWhole(path, counted(texts())));
    };
    const written = writeAll().finally(() => news.end());
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
    const { path } = first;
    store.settings.remember('saveFolder', dirname(path));
    const token = nextId();
    saved.set(token, path);
    for (const [oldest] of saved) if (saved.size > rememberedPaths) saved.delete(oldest);
    yield {
      state: 'saved',
      fileName: basename(path),
      folder: dirname(path),
      files: targets.length,
      bytes,
      token,
    };
  }

  return {
    save: (request, { signal }) => save(request, signal),
    showInFolder: async ({ token }) => {
      const path = saved.get(token);
      if (path === undefined || dialog === null)
        throw new ServiceError('NOT_FOUND', {
          thing: 'The saved file',
          cause: 'It was saved before the program was started anew.',
          nextStep: 'Look for it where you saved it.',
        });
      if (
        !(await stat(path).then(
          () => true,
          () => false,
        ))
      )
        throw new ServiceError('NOT_FOUND', {
          thing: join(dirname(path), basename(path)),
          cause: 'It is no longer there.',
          nextStep: 'Save it again.',
        });
      dialog.showInFolder(path);
      return {};
    },
  };
}

/**
 * Each file in the folder that the user names; null where none is named, or one of them is to stay
 * as it is.
 */
async function chooseTargets(
  files: readonly NamedText[],
  dialog: SaveDialog,
  last: string | null,
): Promise<Target[] | null> {
  const folder = await dialog.chooseFolder({ folder: last });
  if (folder === null) return null;
  const targets = files.map(({ name, text }) => ({ name, text, path: join(folder, name) }));
  const replaced = new Set<string>();
  for (const { name, text, path } of targets) {
    const old = await readFile(path, 'utf8').catch((error: unknown) =>
      errorCode(error) === 'ENOENT' ? text : null,
    );
    if (old !== text) replaced.add(name);
  }
  if (replaced.size > 0 && !(await dialog.mayReplace({ folder, names: [...replaced] })))
    return null;
  return targets.map(({ name, path, text }, index) => ({
    path,
    checked: index === 0 || replaced.has(name),
    texts: () => inParts(text),
  }));
}

async function* inParts(text: string): AsyncIterable<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + partLength);
    // A character of two halves is written in one piece.
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? '') && end < text.length) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

async function* textsOf(
  reports: Services['reports'],
  content: Exclude<SaveRequest['content'], { from: 'files' }>,
  signal: AbortSignal,
): AsyncIterable<string> {
  if (content.from === 'text') {
    yield* inParts(content.text);
    return;
  }
  const parts =
    content.from === 'evaluation'
      ? reports.export(content.report, { signal })
      : reports.exportShown(content.report, { signal });
  for await (const { text } of parts) yield text;
}

async function explained(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const problem = explainFileProblem(error, 'write');
    if (problem === null) throw error;
    throw new ServiceError(
      problem.ofTheDisk ? 'TROUBLE' : 'INVALID',
      { thing: path, cause: problem.cause, nextStep: problem.nextStep },
      { cause: error },
    );
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
