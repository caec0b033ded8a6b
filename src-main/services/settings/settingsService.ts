import { statSync } from 'node:fs';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { readEnvironmentDefaults } from '../../../src-shared/domain/environmentDefaults.ts';
import type { WorkspaceInfo } from '../../../src-shared/domain/settings.ts';
import type { RequestSecrets } from '../models/requestSecrets.ts';
import type { Store } from '../../store/store.ts';
import type { TrashKind } from '../../store/workspace/trash.ts';
import type { FileLog } from '../../runtime/fileLog.ts';
import type { ServiceFor } from '../contractTypes.ts';
import type { SampleWorkspace } from './sampleWorkspace.ts';

type Topic = ServiceFor<'settings'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

export interface SettingsParts {
  store: Store;
  /** What the composition of the program knows. */
  fixed: Omit<WorkspaceInfo, 'databaseBytes' | 'contactedHosts' | 'damage'>;
  /** The variables that the program was started with. */
  environment: NodeJS.ProcessEnv;
  contactedHosts: ReadonlySet<string>;
  log?: Pick<FileLog, 'file' | 'lastLines'> | null;
  /** Left out in tests without credentials. */
  requestSecrets?: RequestSecrets;
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

  async get(): Answer<'get'> {
    return this.#parts.store.settings.get();
  }

  async update(change: Input<'update'>): Answer<'update'> {
    const { store, requestSecrets } = this.#parts;
    const { textModel, externalRetrievers } = change;
    const kept: typeof change = { ...change };
    if (requestSecrets && textModel) kept.textModel = await requestSecrets.keep(textModel);
    if (requestSecrets && externalRetrievers)
      kept.externalRetrievers = await Promise.all(
        externalRetrievers.map((each) => requestSecrets.keepRetriever(each)),
      );
    return store.transaction(() => store.settings.patch(kept));
  }

  async environment(): Answer<'environment'> {
    return readEnvironmentDefaults(this.#parts.environment);
  }

  async info(): Answer<'info'> {
    return {
      ...this.#parts.fixed,
      databaseBytes:
        fileSize(this.#parts.fixed.databaseFile) +
        fileSize(`${this.#parts.fixed.databaseFile}-wal`),
      damage: this.#parts.store.damage?.message ?? null,
      contactedHosts: [...this.#parts.contactedHosts].sort(),
    };
  }

  async log({ lines }: Input<'log'>): Answer<'log'> {
    const { log = null } = this.#parts;
    return { file: log?.file ?? null, lines: log?.lastLines(lines) ?? [] };
  }

  async find({ text }: Input<'find'>): Answer<'find'> {
    return this.#parts.store.finder.find(text, maxMatches);
  }

  async sample(): Answer<'sample'> {
    return this.#parts.sample.read();
  }

  addSample(): Answer<'addSample'> {
    return this.#parts.sample.add();
  }

  removeSample(): Answer<'removeSample'> {
    return this.#parts.sample.remove();
  }

  async undo({ token }: Input<'undo'>): Answer<'undo'> {
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
