import {
  appSettings,
  defaultAppSettings,
  type AppSettings,
} from '../../../src-shared/domain/settings.ts';
import { json } from '../database/row.ts';
import type { StoreContext } from '../storeContext.ts';

type Remembered = 'saveFolder' | 'integrityCheck' | 'sample' | 'plainSecrets' | 'importMaps';

export interface SettingsStore {
  /** Every setting. Where a stored value is missing or invalid for this version, its default. */
  get(): AppSettings;
  /** Changes the given settings. Keys of other versions stay. */
  patch(change: Partial<AppSettings>): AppSettings;
  /** Things that are done once per workspace. */
  isMarked(what: string): boolean;
  mark(what: string): void;
  /** What was last used or done, kept between starts. Null where there is none yet. */
  recall(what: Remembered): string | null;
  remember(what: Remembered, value: string): void;
}

export function openSettings({ db, transaction }: StoreContext): SettingsStore {
  const all = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings');
  const one = db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?');
  const put = db.prepare<[string, string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );

  const get = () => {
    let settings = defaultAppSettings;
    for (const { key, value } of all.all()) {
      const next = appSettings.safeParse({ ...settings, [key]: json(value) });
      if (next.success) settings = next.data;
    }
    return settings;
  };
  return {
    get,
    isMarked: (what) => one.get(`mark:${what}`) !== undefined,
    mark: (what) =>
      transaction(() => {
        put.run(`mark:${what}`, 'true');
      }),
    recall: (what) => {
      const found = one.get(`last:${what}`);
      const value = found ? json(found.value) : null;
      return typeof value === 'string' ? value : null;
    },
    remember: (what, value) =>
      transaction(() => {
        put.run(`last:${what}`, JSON.stringify(value));
      }),
    patch: (change) =>
      transaction(() => {
        const entries: [string, unknown][] = Object.entries(appSettings.partial().parse(change));
        for (const [key, value] of entries) {
          if (value !== undefined) put.run(key, JSON.stringify(value));
        }
        return get();
      }),
  };
}
