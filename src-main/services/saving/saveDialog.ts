import { stat } from 'node:fs/promises';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Store } from '../../store/store.ts';

/** The system dialogs of a host that has its own window. */
export interface SaveDialog {
  /**
   * The path that the user chose; null if the dialog was closed. It opens in `folder`, or in the
   * default folder if that is null.
   */
  choose(suggestion: { folder: string | null; fileName: string }): Promise<string | null>;
  /** The folder that the user chose for several files; null if the dialog was closed. */
  chooseFolder(suggestion: { folder: string | null }): Promise<string | null>;
  /**
   * Asks whether existing files with other content may be replaced. `choose` asks this by itself.
   */
  confirmReplace(found: { folder: string; names: readonly string[] }): Promise<boolean>;
  showInFolder(path: string): void;
}

/** Shows one dialog at a time, in the folder that was chosen last. */
export class DialogQueue {
  readonly #dialog: SaveDialog | null;
  readonly #settings: Pick<Store['settings'], 'recall'>;
  #isOpen = false;

  /** `dialog` is null if the page saves files itself, as downloads of a browser. */
  constructor(dialog: SaveDialog | null, settings: Pick<Store['settings'], 'recall'>) {
    this.#dialog = dialog;
    this.#settings = settings;
  }

  /** Throws CONFLICT if there is no dialog, or if it is open for another file. */
  async ask<Answer>(
    fileName: string,
    question: (dialog: SaveDialog, folder: string | null) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.#dialog === null)
      throw new ServiceError('CONFLICT', {
        thing: fileName,
        cause: 'No save dialog is available here: your browser saves files itself.',
        nextStep: 'Use its downloads.',
      });
    if (this.#isOpen)
      throw new ServiceError('CONFLICT', {
        thing: fileName,
        cause: 'The dialog is open for another file.',
        nextStep: 'Answer that one first.',
      });
    this.#isOpen = true;
    try {
      return await question(this.#dialog, await this.#lastFolder());
    } finally {
      this.#isOpen = false;
    }
  }

  async #lastFolder(): Promise<string | null> {
    const last = this.#settings.recall('saveFolder');
    if (last === null) return null;
    const isFolder = await stat(last).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isFolder ? last : null;
  }
}
