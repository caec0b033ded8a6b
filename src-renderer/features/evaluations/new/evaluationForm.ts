import { evaluationSettings, type EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { builtinModelName } from '../../../../src-shared/domain/model.ts';
import type { AppSettings } from '../../../../src-shared/domain/settings.ts';

/** The models that can be chosen; each row of the form is one. */
export const choices = ['builtin', 'replay'] as const;
export type Choice = (typeof choices)[number];
export const choiceWords: Record<Choice, string> = { builtin: 'builtin (no model)', replay: 'replay of a recording' };

export interface ModelRow {
  /** Tells rows apart while they are edited. */
  key: number;
  provider: Choice;
  /** `replay`: the model whose answers were recorded. */
  model: string;
  replayFile: string;
}

/** A number as it is being typed. */
type Typed = number | string;

export interface EvaluationForm {
  suiteId: string | null;
  /** Null = those of each case. */
  servers: string[] | null;
  models: ModelRow[];
  repetitions: Typed;
  concurrency: Typed;
  highConfidence: Typed;
  timeout: Typed;
  temperature: Typed;
  maxRetries: Typed;
}

export function emptyForm(settings: AppSettings, suiteId: string | null): EvaluationForm {
  const { repetitions, concurrency, highConfidence, timeout, temperature, maxRetries } = settings;
  return {
    suiteId,
    servers: null,
    models: [{ key: 1, provider: 'builtin', model: '', replayFile: '' }],
    repetitions,
    concurrency,
    highConfidence,
    timeout,
    temperature,
    maxRetries,
  };
}

export type Parsed = { settings: EvaluationSettings; faults: null } | { settings: null; faults: ReadonlyMap<string, string> };

function numberOf(typed: Typed): number | undefined {
  if (typeof typed === 'number') return typed;
  return typed.trim() === '' ? undefined : Number(typed);
}

/** Checks the form against the contract's own schema. Faults are keyed by field: `suiteId`, `repetitions`, `timeout`, `models.0.replayFile`. */
export function parseForm(form: EvaluationForm): Parsed {
  const faults = new Map<string, string>();
  if (form.suiteId === null) faults.set('suiteId', 'Choose a suite.');
  if (form.servers?.length === 0) faults.set('servers', 'Choose at least one server, or the servers of each case.');
  form.models.forEach((row, index) => {
    if (row.provider !== 'replay') return;
    if (row.model.trim() === '') faults.set(`models.${index}.model`, 'Name the model that was recorded.');
    if (row.replayFile.trim() === '') faults.set(`models.${index}.replayFile`, 'Give the path of the recording.');
  });
  const parsed = evaluationSettings.safeParse({
    suiteId: form.suiteId,
    servers: form.servers,
    models: form.models.map((row) => ({
      provider: row.provider,
      model: row.provider === 'builtin' ? builtinModelName : row.model.trim(),
      replayFile: row.provider === 'replay' ? row.replayFile.trim() : null,
      timeout: numberOf(form.timeout) ?? null,
      temperature: numberOf(form.temperature) ?? null,
      maxRetries: numberOf(form.maxRetries) ?? null,
    })),
    repetitions: numberOf(form.repetitions) ?? null,
    concurrency: numberOf(form.concurrency) ?? null,
    highConfidence: numberOf(form.highConfidence) ?? null,
  });
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path.map(String);
    const last = path.at(-1) ?? '';
    // The advanced fields hold for every model; their first fault is enough.
    const field = ['timeout', 'temperature', 'maxRetries'].includes(last) ? last : path.join('.');
    if (!faults.has(field)) faults.set(field, issue.code === 'invalid_type' ? 'Give a number.' : issue.message);
  }
  if (faults.size > 0 || !parsed.success) return { settings: null, faults };
  return { settings: parsed.data, faults: null };
}
