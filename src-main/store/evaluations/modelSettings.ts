import type { z } from 'zod';
import {
  modelConfiguration,
  modelSettings,
  type ModelSettings,
} from '../../../src-shared/domain/model.ts';
import { json, readRow, requireRow } from '../database/row.ts';
import type { StoreContext } from '../storeContext.ts';

/** Settings without a column of their own. */
const options = modelConfiguration.pick({
  api: true,
  reasoningEffort: true,
  strict: true,
  deferTools: true,
  confidence: true,
  contextTokens: true,
  requestsPerMinute: true,
});
type Options = z.infer<typeof options>;

export type NewModelSettings = Omit<ModelSettings, 'id' | 'createdAt' | keyof Options> &
  Partial<Options>;

export interface ModelSettingsStore {
  /**
   * The row that holds exactly this configuration: the one that is there, else a new one. Rows
   * never change.
   */
  insert(content: NewModelSettings): ModelSettings;
  get(id: string): ModelSettings | null;
}

interface ModelSettingsRow {
  id: string;
  provider: string;
  model: string;
  timeout: number;
  temperature: number;
  max_retries: number;
  base_url: string | null;
  replay_file: string | null;
  wire_api: string;
  system_prompt: string | null;
  sent: string;
  options: string;
  created_at: string;
}

export function openModelSettings({
  db,
  clock,
  nextId,
  transaction,
}: StoreContext): ModelSettingsStore {
  const byId = db.prepare<[string], ModelSettingsRow>('SELECT * FROM model_settings WHERE id = ?');
  const same = db.prepare<
    [Omit<ModelSettingsRow, 'id' | 'created_at'>],
    ModelSettingsRow
  >(`SELECT * FROM model_settings
    WHERE provider = :provider AND model = :model AND timeout = :timeout AND temperature = :temperature AND max_retries = :max_retries
      AND base_url IS :base_url AND replay_file IS :replay_file AND wire_api = :wire_api AND system_prompt IS :system_prompt AND sent = :sent AND options = :options
    ORDER BY created_at LIMIT 1`);
  const insertRow = db.prepare<[ModelSettingsRow]>(`INSERT INTO model_settings
    (id, provider, model, timeout, temperature, max_retries, base_url, replay_file, wire_api, system_prompt, sent, options, created_at)
    VALUES (:id, :provider, :model, :timeout, :temperature, :max_retries, :base_url, :replay_file, :wire_api, :system_prompt, :sent, :options, :created_at)`);

  return {
    get(id) {
      const row = byId.get(id);
      return row === undefined ? null : readModelSettings(row);
    },
    insert: (content) =>
      transaction(() => {
        const values = toRow(content);
        const known = same.get(values);
        if (known !== undefined) return readModelSettings(known);
        const id = nextId();
        insertRow.run({ ...values, id, created_at: clock.now() });
        return readModelSettings(requireRow(byId.get(id)));
      }),
  };
}

function readModelSettings(row: ModelSettingsRow): ModelSettings {
  return readRow(
    modelSettings,
    `The model settings ${row.provider} ${row.model} (${row.id})`,
    () => ({
      id: row.id,
      provider: row.provider,
      model: row.model,
      timeout: row.timeout,
      temperature: row.temperature,
      maxRetries: row.max_retries,
      baseUrl: row.base_url,
      replayFile: row.replay_file,
      wireApi: row.wire_api,
      systemPrompt: row.system_prompt,
      sent: json(row.sent),
      ...options.parse(json(row.options)),
      createdAt: row.created_at,
    }),
  );
}

const plain = options.parse({});

function toRow(content: NewModelSettings) {
  // Sorted, so that the same settings are the same text.
  const sent = Object.fromEntries(
    Object.entries(content.sent).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  // Only what differs from the default: rows of before this column stay equal to themselves.
  const chosen = options.parse(
    Object.fromEntries(
      Object.keys(options.shape).map((name) => [name, content[name as keyof Options]]),
    ),
  );
  const given = Object.entries(chosen).filter(
    ([name, value]) => value !== plain[name as keyof Options],
  );
  return {
    options: JSON.stringify(Object.fromEntries(given)),
    provider: content.provider,
    model: content.model,
    timeout: content.timeout,
    temperature: content.temperature,
    max_retries: content.maxRetries,
    base_url: content.baseUrl,
    replay_file: content.replayFile,
    wire_api: content.wireApi,
    system_prompt: content.systemPrompt,
    sent: JSON.stringify(sent),
  };
}
