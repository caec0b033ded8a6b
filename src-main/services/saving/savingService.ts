import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { SaveProgress, SaveRequest } from '../../../src-shared/domain/saving.ts';
import type { NextId } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { explainFileProblem } from '../../runtime/fileProblem.ts';
import { checkWritable, writeFileAtomically } from '../files/writeFileAtomically.ts';
import type { ReportsService } from '../reports/reportsService.ts';
import { DialogQueue, type SaveDialog } from './saveDialog.ts';
import { chooseTargets, readContent, type SaveTarget } from './saveTargets.ts';

/**
 * Hands the latest value to a reader that may be slower than the writer; older values are skipped.
 */
class LatestValue<Value> {
  #waiting: { value: Value } | null = null;
  #hasEnded = false;
  #wake: (() => void) | null = null;

  set(value: Value): void {
    this.#waiting = { value };
    this.#notify();
  }

  end(): void {
    this.#hasEnded = true;
    this.#notify();
  }

  async *read(): AsyncIterable<Value> {
    for (;;) {
      const next = this.#waiting;
      this.#waiting = null;
      if (next !== null) yield next.value;
      else if (this.#hasEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }
}

export interface SavingParts {
  store: Pick<Store, 'settings'>;
  /** Null if the page saves files itself, as downloads of a browser. */
  dialog: SaveDialog | null;
  reports: Pick<ReportsService, 'export' | 'exportShown'>;
  nextId: NextId;
}

/** Paths of this many saved files can still be shown in their folder. */
const maxRememberedPaths = 100;

/** Saves files where the user chooses, through the dialogs of the system. */
export class SavingService implements ServiceFor<'saving'> {
  readonly #parts: SavingParts;
  readonly #dialogs: DialogQueue;
  readonly #savedPaths = new Map<string, string>();

  constructor(parts: SavingParts) {
    this.#parts = parts;
    this.#dialogs = new DialogQueue(parts.dialog, parts.store.settings);
  }

  async *save(
    request: Input<'saving', 'save'>,
    options: CallOptions,
  ): AsyncGenerator<Output<'saving', 'save'>, undefined> {
    const left = new AbortController();
    const signal = AbortSignal.any([options.signal, left.signal]);
    const targets = await this.#findTargets(request, signal);
    const [first] = targets ?? [];
    if (targets === null || first === undefined) {
      yield { state: 'cancelled' };
      return;
    }
    let bytes = 0;
    const progress = new LatestValue<number>();
    async function* counted(texts: AsyncIterable<string>): AsyncIterable<string> {
      for await (const text of texts) {
        signal.throwIfAborted();
        yield text;
        bytes += Buffer.byteLength(text);
        progress.set(bytes);
      }
      signal.throwIfAborted();
    }
    const writeAll = async (): Promise<void> => {
      // All targets are checked first: a report can take long, and if one of several files cannot
      // be written, none is.
      for (const { path, checked } of targets)
        if (checked) await withExplainedErrors(path, () => checkWritable(path));
      for (const { path, texts } of targets)
        await withExplainedErrors(path, () => writeFileAtomically(path, counted(texts())));
    };
    const written = writeAll().finally(() => progress.end());
    // Awaited below. Without this, a failure while a slow reader pauses counts as unhandled.
    written.catch(() => undefined);
    try {
      for await (const done of progress.read()) yield { state: 'writing', bytes: done };
      await written;
    } finally {
      // A reader that leaves early is released once no half-written file is left.
      left.abort();
      await written.catch(() => undefined);
    }
    yield this.#remember(targets, first.path, bytes);
  }

  async showInFolder({
    token,
  }: Input<'saving', 'showInFolder'>): Promise<Output<'saving', 'showInFolder'>> {
    const path = this.#savedPaths.get(token);
    const { dialog } = this.#parts;
    if (path === undefined || dialog === null)
      throw new ServiceError('NOT_FOUND', {
        thing: 'The saved file',
        cause: 'It was saved before Touchstone restarted.',
        nextStep: 'Look for it where you saved it.',
      });
    const exists = await stat(path).then(
      () => true,
      () => false,
    );
    if (!exists)
      throw new ServiceError('NOT_FOUND', {
        thing: join(dirname(path), basename(path)),
        cause: 'It is no longer there.',
        nextStep: 'Save it again.',
      });
    dialog.showInFolder(path);
    return {};
  }

  #findTargets(
    { fileName, content }: SaveRequest,
    signal: AbortSignal,
  ): Promise<SaveTarget[] | null> {
    return this.#dialogs.ask(fileName, async (dialog, folder) => {
      if (content.from === 'files') return chooseTargets(content.files, dialog, folder);
      const path = await dialog.choose({ folder, fileName });
      if (path === null) return null;
      const texts = () => readContent(this.#parts.reports, content, signal);
      return [{ path, checked: true, texts }];
    });
  }

  /** The page gets a token instead of a path, because it must never name one. */
  #remember(targets: readonly SaveTarget[], path: string, bytes: number): SaveProgress {
    const { store, nextId } = this.#parts;
    store.settings.remember('saveFolder', dirname(path));
    const token = nextId();
    this.#savedPaths.set(token, path);
    for (const [oldest] of this.#savedPaths)
      if (this.#savedPaths.size > maxRememberedPaths) this.#savedPaths.delete(oldest);
    return {
      state: 'saved',
      fileName: basename(path),
      folder: dirname(path),
      files: targets.length,
      bytes,
      token,
    };
  }
}

async function withExplainedErrors(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const problem = explainFileProblem(error, 'write');
    if (problem === null) throw error;
    throw new ServiceError(
      problem.isDiskProblem ? 'TROUBLE' : 'INVALID',
      { thing: path, cause: problem.cause, nextStep: problem.nextStep },
      { cause: error },
    );
  }
}
