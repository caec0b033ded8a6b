import { z } from 'zod';
import {
  defaultWorkshopSettings,
  toolDraft,
  workshopSettings,
  type ToolDraft,
  type WorkshopSettings,
} from '../../../src-shared/domain/workshop.ts';
import { json, readRow } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

/** An unsaved draft, with the version that it was started from. */
const keptDraft = z.object({
  draft: toolDraft,
  baseVersion: z.number().int().nullable(),
  updatedAt: z.string(),
});
type KeptDraft = z.infer<typeof keptDraft>;

const settingsKey = 'workshop';

/** State of the workshop besides its tools: drafts, settings, and a counter of changes. */
export function openWorkshopState({ db, clock, transaction }: StoreContext) {
  const one = db.prepare<
    [string],
    { content: string; base_version: number | null; updated_at: string }
  >('SELECT content, base_version, updated_at FROM tool_drafts WHERE id = ?');
  const ids = db.prepare<[], string>('SELECT id FROM tool_drafts ORDER BY id').pluck();
  const put = db.prepare<
    [string, string, number | null, string]
  >(`INSERT INTO tool_drafts (id, content, base_version, updated_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET content = excluded.content, base_version = excluded.base_version, updated_at = excluded.updated_at`);
  const drop = db.prepare<[string]>('DELETE FROM tool_drafts WHERE id = ?');
  const setting = db.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
  const putSetting = db.prepare<[string, string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const revision = db.prepare<[], number>('SELECT revision FROM workshop_revision').pluck();
  const raise = db.prepare('UPDATE workshop_revision SET revision = revision + 1');

  const settings = (): WorkshopSettings => {
    // Where a stored value is missing or invalid for this version, the default applies.
    const stored = z
      .record(z.string(), z.unknown())
      .catch({})
      .parse(json(setting.get(settingsKey) ?? '{}'));
    const valid = Object.entries(stored).filter(
      ([key, value]) =>
        key in defaultWorkshopSettings &&
        workshopSettings.safeParse({ ...defaultWorkshopSettings, [key]: value }).success,
    );
    return { ...defaultWorkshopSettings, ...Object.fromEntries(valid) };
  };

  return {
    draft: (id: string): KeptDraft | null => {
      const row = one.get(id);
      if (row === undefined) return null;
      return readRow(keptDraft, `The draft of ${id}`, () => ({
        draft: json(row.content),
        baseVersion: row.base_version,
        updatedAt: row.updated_at,
      }));
    },
    /** Ids of the tools that have a draft, and "new". */
    drafts: (): string[] => ids.all(),
    /** Returns the time of saving. */
    keepDraft: (id: string, draft: ToolDraft, baseVersion: number | null): string =>
      transaction(() => {
        const at = clock.now();
        put.run(id, JSON.stringify(draft), baseVersion, at);
        return at;
      }),
    dropDraft: (id: string): void =>
      transaction(() => {
        drop.run(id);
      }),
    settings,
    /** Changes the given settings and returns all of them. */
    patchSettings: (change: Partial<WorkshopSettings>): WorkshopSettings =>
      transaction(() => {
        putSetting.run(
          settingsKey,
          JSON.stringify(workshopSettings.parse({ ...settings(), ...change })),
        );
        return settings();
      }),
    /** Counts the changes of what is served; other processes see the number too. */
    revision: (): number => revision.get() ?? 0,
    raiseRevision: (): void =>
      transaction(() => {
        raise.run();
      }),
  };
}
