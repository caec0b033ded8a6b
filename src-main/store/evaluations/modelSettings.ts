import { z } from 'zod';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import {
  modelConfiguration,
  modelSettings,
  type ModelSettings,
} from '../../../src-shared/domain/model.ts';
import { sentAfter } from '../../../src-shared/domain/refusedSetting.ts';
import { readRow, requireRow, defineTable, type Row } from '../database/table.ts';
import type { RefusedByModel } from './evaluations.ts';
import type { StoreContext } from '../storeContext.ts';

/** Settings without a column of their own. */
const options = modelConfiguration.omit({
  provider: true,
  model: true,
  timeout: true,
  temperature: true,
  maxRetries: true,
  baseUrl: true,
  replayFile: true,
});
type Options = z.infer<typeof options>;
/** With the temperature where it is not sent: its column can't hold that. */
const storedOptions = options.extend({ temperature: z.null().optional() });

export type NewModelSettings = Omit<ModelSettings, 'id' | 'createdAt' | keyof Options | 'refused'> &
  Partial<Options>;

const table = defineTable('model_settings', {
  id: 'text',
  provider: 'text',
  model: 'text',
  timeout: 'integer',
  temperature: 'real',
  maxRetries: 'integer',
  baseUrl: 'text?',
  replayFile: 'text?',
  wireApi: 'text',
  systemPrompt: 'text?',
  sent: 'json',
  options: 'json',
  createdAt: 'text',
});
type ModelSettingsRow = Row<typeof table>;

export function openModelSettings({ db, clock, nextId, transaction }: StoreContext) {
  const select = `SELECT ${table.columns} FROM model_settings`;
  const byId = db.prepare<[string], ModelSettingsRow>(`${select} WHERE id = ?`);
  const same = db.prepare<[ModelSettingsRow], ModelSettingsRow>(`${select}
    WHERE provider = :provider AND model = :model AND timeout = :timeout AND temperature = :temperature AND max_retries = :maxRetries
      AND base_url IS :baseUrl AND replay_file IS :replayFile AND wire_api = :wireApi AND system_prompt IS :systemPrompt AND sent = :sent AND options = :options
    ORDER BY created_at LIMIT 1`);
  const referring = db.prepare<[], ModelSettingsRow>(
    `${select} WHERE options LIKE '%\${secret:%' ORDER BY created_at`,
  );
  const insertRow = db.prepare<[ModelSettingsRow]>(table.insert());

  const get = (id: string): ModelSettings | null => {
    const row = byId.get(id);
    return row === undefined ? null : readModelSettings(row);
  };
  return {
    get,
    /** Those whose additions to requests refer to secrets. */
    withReferences: (): ModelSettings[] => referring.all().map(readModelSettings),
    /** The settings as one evaluation really sent them: without what the endpoint refused. */
    of({ refused: byModel }: { refused: RefusedByModel }, id: string): ModelSettings | null {
      const settings = get(id);
      const refused = byModel[id];
      return settings && refused
        ? { ...settings, sent: sentAfter(settings.sent, refused), refused }
        : settings;
    },
    /**
     * Returns the row with exactly this configuration: the existing one, or a new one. Rows never
     * change. A new one gets the given id, if there is one.
     */
    insert: (content: NewModelSettings, newId?: string): ModelSettings =>
      transaction(() => {
        const values = storedValues(content);
        // Only a new row gets an id and a time; the search does not use them.
        const known = same.get(table.toRow({ ...values, id: '', createdAt: '' }));
        if (known !== undefined) return readModelSettings(known);
        const id = newId ?? nextId();
        insertRow.run(table.toRow({ ...values, id, createdAt: clock.now() }));
        return readModelSettings(requireRow(byId.get(id)));
      }),
  };
}

function readModelSettings(row: ModelSettingsRow): ModelSettings {
  return readRow(
    modelSettings,
    `The model settings ${row.provider} ${row.model} (${row.id})`,
    () => {
      const { options: chosen, temperature, ...value } = table.fromRow(row);
      const read = storedOptions.parse(chosen);
      return { temperature, ...value, ...read };
    },
  );
}

const defaults = options.parse({});

function storedValues(content: NewModelSettings) {
  // Sorted, so that the same settings have the same text.
  const sent = Object.fromEntries(
    Object.entries(content.sent).sort(([a], [b]) => compareText(a, b)),
  );
  // Only what differs from the default is stored, so that rows from before this column stay equal.
  const chosen = options.parse(
    Object.fromEntries(
      Object.keys(options.shape).map((name) => [name, content[name as keyof Options]]),
    ),
  );
  const given = Object.entries(chosen).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name as keyof Options]),
  );
  const { temperature } = content;
  return {
    ...content,
    sent,
    // The column takes numbers only.
    temperature: temperature ?? modelConfiguration.shape.temperature.parse(undefined) ?? 0,
    options: { ...Object.fromEntries(given), ...(temperature === null && { temperature }) },
  };
}
