import {
  appSettings,
  defaultAppSettings,
  type AppSettings,
} from '../../../src-shared/domain/settings.ts';
import { json } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

type Remembered = 'saveFolder' | 'integrityCheck' | 'sample' | 'plainSecrets' | 'importMaps';

export function openSettings({ db, transaction }: StoreContext) {
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
    /** Every setting. Where a stored value is missing or invalid for this version, its default. */
    get,
    /** Things that are done once per workspace. */
    isMarked: (what: string): boolean => one.get(`mark:${what}`) !== undefined,
    mark: (what: string): void =>
      transaction(() => {
        put.run(`mark:${what}`, 'true');
      }),
    /** What was last used or done, kept between starts. Null where there is none yet. */
    recall: (what: Remembered): string | null => {
      const found = one.get(`last:${what}`);
      const value = found ? json(found.value) : null;
      return typeof value === 'string' ? value : null;
    },
    remember: (what: Remembered, value: string): void =>
      transaction(() => {
        put.run(`last:${what}`, JSON.stringify(value));
      }),
    /** Changes the given settings. Keys of other versions stay. */
    patch: (change: Partial<AppSettings>): AppSettings =>
      transaction(() => {
        const entries: [string, unknown][] = Object.entries(appSettings.partial().parse(change));
        for (const [key, value] of entries) {
          if (value !== undefined) put.run(key, JSON.stringify(value));
        }
        return get();
      }),
  };
}
export type SettingsStore = ReturnType<typeof openSettings>;
