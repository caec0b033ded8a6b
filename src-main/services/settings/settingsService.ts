import { statSync } from 'node:fs';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { WorkspaceInfo } from '../../../src-shared/domain/settings.ts';
import type { Store } from '../../store/store.ts';
import type { TrashKind } from '../../store/workspace/trash.ts';
import type { FileLog } from '../../runtime/fileLog.ts';
import type { Input, Output, ServiceFor } from '../contractTypes.ts';

export interface SettingsParts {
  store: Store;
  /** What does not change while the program runs. */
  fixed: Omit<WorkspaceInfo, 'databaseBytes' | 'contactedHosts'>;
  contactedHosts: ReadonlySet<string>;
  log?: Pick<FileLog, 'file' | 'lastLines'> | null;
  /** Brings back what one kind of deletion took. */
  restore: Record<TrashKind, (content: unknown) => void>;
}

/** Of each kind: who sees as many goes on typing. */
const maxMatches = 12;

/** What was written last stands in the journal beside the file. */
const fileSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

export class SettingsService implements ServiceFor<'settings'> {
  readonly #parts: SettingsParts;

  constructor(parts: SettingsParts) {
    this.#parts = parts;
  }

  async get(): Promise<Output<'settings', 'get'>> {
    return this.#parts.store.settings.get();
  }

  async update(change: Input<'settings', 'update'>): Promise<Output<'settings', 'update'>> {
    return this.#parts.store.transaction(() => this.#parts.store.settings.patch(change));
  }

  async info(): Promise<Output<'settings', 'info'>> {
    return {
      ...this.#parts.fixed,
      databaseBytes:
        fileSize(this.#parts.fixed.databaseFile) +
        fileSize(`${this.#parts.fixed.databaseFile}-wal`),
      contactedHosts: [...this.#parts.contactedHosts].sort(),
    };
  }

  async log({ lines }: Input<'settings', 'log'>): Promise<Output<'settings', 'log'>> {
    const { log = null } = this.#parts;
    return { file: log?.file ?? null, lines: log?.lastLines(lines) ?? [] };
  }

  async find({ text }: Input<'settings', 'find'>): Promise<Output<'settings', 'find'>> {
    return this.#parts.store.finder.find(text, maxMatches);
  }

  async undo({ token }: Input<'settings', 'undo'>): Promise<Output<'settings', 'undo'>> {
    const { store, restore } = this.#parts;
    return store.transaction(() => {
      const taken = store.trash.take(token);
      if (!taken) {
        throw new ServiceError('NOT_FOUND', {
          thing: 'What was deleted',
          cause: 'It was brought back already, or the program has started anew since.',
          nextStep: 'Make it again, or import it.',
        });
      }
      restore[taken.kind](taken.content);
      return { what: taken.title };
    });
  }
}
