import { statSync } from 'node:fs';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { readEnvironmentDefaults } from '../../../src-shared/domain/environmentDefaults.ts';
import type { WorkspaceInfo } from '../../../src-shared/domain/settings.ts';
import type { Store } from '../../store/store.ts';
import type { TrashKind } from '../../store/workspace/trash.ts';
import type { FileLog } from '../../runtime/fileLog.ts';
import type { Input, Output, ServiceFor } from '../contractTypes.ts';
import type { SampleWorkspace } from './sampleWorkspace.ts';

export interface SettingsParts {
  store: Store;
  /** What the composition of the program knows. */
  fixed: Omit<WorkspaceInfo, 'databaseBytes' | 'contactedHosts' | 'damage'>;
  /** The variables that the program was started with. */
  environment: NodeJS.ProcessEnv;
  contactedHosts: ReadonlySet<string>;
  log?: Pick<FileLog, 'file' | 'lastLines'> | null;
  sample: Pick<SampleWorkspace, 'read' | 'add' | 'remove'>;
  /** Restores a deleted item, by kind. */
  restore: Record<TrashKind, (content: unknown) => void>;
}

/** Per kind. A user who sees this many matches types more letters. */
const maxMatches = 12;

/**
 * Size in bytes, 0 if the file does not exist. Recent writes are in the `-wal` file next to the
 * database.
 */
const fileSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Settings of the app, facts about the workspace, search by name, and undo of deletions. */
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

  async environment(): Promise<Output<'settings', 'environment'>> {
    return readEnvironmentDefaults(this.#parts.environment);
  }

  async info(): Promise<Output<'settings', 'info'>> {
    return {
      ...this.#parts.fixed,
      databaseBytes:
        fileSize(this.#parts.fixed.databaseFile) +
        fileSize(`${this.#parts.fixed.databaseFile}-wal`),
      damage: this.#parts.store.damage?.message ?? null,
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

  async sample(): Promise<Output<'settings', 'sample'>> {
    return this.#parts.sample.read();
  }

  addSample(): Promise<Output<'settings', 'addSample'>> {
    return this.#parts.sample.add();
  }

  removeSample(): Promise<Output<'settings', 'removeSample'>> {
    return this.#parts.sample.remove();
  }

  async undo({ token }: Input<'settings', 'undo'>): Promise<Output<'settings', 'undo'>> {
    const { store, restore } = this.#parts;
    return store.transaction(() => {
      const taken = store.trash.take(token);
      if (!taken) {
        throw new ServiceError('NOT_FOUND', {
          thing: 'What was deleted',
          cause: 'It was already restored, or Touchstone has restarted since.',
          nextStep: 'Create it again, or import it.',
        });
      }
      restore[taken.kind](taken.content);
      return { what: taken.title };
    });
  }
}
