import { z } from 'zod';
import { externalRetriever } from './retrievalRun.ts';
import { defaultOverlapWeights, overlapWeights, similarityMeasure } from './similarity.ts';
import { textModel } from './textModel.ts';

export const themes = ['system', 'light', 'dark'] as const;

interface SettingRow {
  section: 'evaluation' | 'thresholds';
  label: string;
  description: string;
  /** What one press of an arrow adds. */
  step: number;
  /** Digits after the point; default 0. */
  decimals?: number;
  /** Shown after the number. */
  unit?: string;
}

/** What is known of each setting beside its schema. */
const settingDetails = z.registry<{ initial: z.$output; row?: SettingRow }>();

/**
 * The settings of a workspace. One entry describes a setting whole: the values it takes, the value
 * it starts with and, for a number, its row in the form.
 */
export const appSettings = z.object({
  theme: z.enum(themes).register(settingDetails, { initial: 'system' }),
  repetitions: z
    .number()
    .int()
    .min(1)
    .max(100)
    .register(settingDetails, {
      initial: 1,
      row: {
        section: 'evaluation',
        label: 'Repetitions',
        description: 'Runs per case and model.',
        step: 1,
      },
    }),
  concurrency: z
    .number()
    .int()
    .min(1)
    .max(256)
    .register(settingDetails, {
      initial: 8,
      row: {
        section: 'evaluation',
        label: 'Concurrency',
        description: 'Parallel runs.',
        step: 1,
      },
    }),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(300)
    .register(settingDetails, {
      initial: 30,
      row: {
        section: 'evaluation',
        label: 'Time limit',
        description: 'Maximum time per answer.',
        step: 1,
        unit: ' s',
      },
    }),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .register(settingDetails, {
      initial: 0.4,
      row: {
        section: 'evaluation',
        label: 'Temperature',
        description: 'Sent to models that support it.',
        step: 0.1,
        decimals: 2,
      },
    }),
  maxRetries: z
    .number()
    .int()
    .min(0)
    .max(10)
    .register(settingDetails, {
      initial: 3,
      row: {
        section: 'evaluation',
        label: 'Retries',
        description: 'After provider errors only.',
        step: 1,
      },
    }),
  maxToolText: z
    .number()
    .min(0.1)
    .max(25)
    .register(settingDetails, {
      initial: 1,
      row: {
        section: 'evaluation',
        label: 'Large tools from',
        description: 'Tokens of larger tools are counted in the background.',
        step: 0.5,
        decimals: 1,
        unit: ' MB',
      },
    }),
  highConfidence: z
    .number()
    .min(0)
    .max(1)
    .register(settingDetails, {
      initial: 0.7,
      row: {
        section: 'thresholds',
        label: 'High confidence from',
        description: 'Confidence at or above this counts as high.',
        step: 0.05,
        decimals: 2,
      },
    }),
  similarityThreshold: z
    .number()
    .min(0)
    .max(1)
    .register(settingDetails, {
      initial: 0.85,
      row: {
        section: 'thresholds',
        label: 'Similar from',
        description: 'Flags pairs of tools at or above this.',
        step: 0.05,
        decimals: 2,
      },
    }),
  /** Rules of quality that are turned off; a rule that no longer exists has no effect. */
  qualityRulesOff: z.array(z.string().max(100)).max(100).register(settingDetails, { initial: [] }),
  /** What pairs of tools are ordered and flagged by. */
  similarityMeasure: similarityMeasure.register(settingDetails, { initial: 'similarity' }),
  overlapWeights: overlapWeights.register(settingDetails, { initial: defaultOverlapWeights }),
  /** Model that writes and rates settingDetails; null = none. */
  textModel: textModel.nullable().register(settingDetails, { initial: null }),
  /**
   * Hosts that are contacted although they lead to a link-local or reserved address, in small
   * letters.
   */
  allowedHosts: z
    .array(
      z
        .string()
        .regex(/^[^\s/@]{1,253}$/, 'Write a host without a path.')
        .toLowerCase(),
    )
    .max(100)
    .register(settingDetails, { initial: [] }),
  /** Whether servers of the sample data count among the tools once there are others. */
  showSample: z.boolean().register(settingDetails, { initial: false }),
  /** External retrievers that answered a test query: at most one of each kind. */
  externalRetrievers: z.array(externalRetriever).max(2).register(settingDetails, { initial: [] }),
});
export type AppSettings = z.infer<typeof appSettings>;
type SettingSchemas = typeof appSettings.shape;

export const defaultAppSettings: AppSettings = appSettings.parse(
  Object.fromEntries(
    Object.entries(appSettings.shape).map(([name, schema]) => [
      name,
      settingDetails.get(schema)?.initial,
    ]),
  ),
);

/** The settings that are numbers: each has a row in the form. */
export type NumberSetting = {
  [Name in keyof SettingSchemas]: SettingSchemas[Name] extends z.ZodNumber ? Name : never;
}[keyof SettingSchemas];

const isNumberSetting = (name: keyof SettingSchemas): name is NumberSetting =>
  appSettings.shape[name] instanceof z.ZodNumber;

/** The rows of the form, by section and in the order of the schema. */
export const settingRows = appSettings
  .keyof()
  .options.filter(isNumberSetting)
  .flatMap((name) => {
    const row = settingDetails.get(appSettings.shape[name])?.row;
    return row === undefined ? [] : [{ name, decimals: 0, unit: '', ...row }];
  });
export type SettingField = (typeof settingRows)[number];

export const workspaceInfo = z.object({
  version: z.string(),
  host: z.enum(['electron', 'loopback', 'cli']),
  folder: z.string(),
  databaseFile: z.string(),
  databaseBytes: z.number().int(),
  /** Id of the newest migration in the database. */
  schemaVersion: z.number().int(),
  sqliteVersion: z.string(),
  nodeVersion: z.string(),
  platform: z.string(),
  /** Hosts that this session has contacted, apart from the window itself. */
  contactedHosts: z.array(z.string()),
  /** True if the workspace was opened read-only. */
  readOnly: z.boolean(),
  /** What a check of the database found, and what to do; null if nothing was found. */
  damage: z.string().nullable(),
  /** What the start did with credentials that stood in the database; null if there were none. */
  plainSecrets: z.string().nullable(),
});
export type WorkspaceInfo = z.infer<typeof workspaceInfo>;

export const logTail = z.object({
  /** Null if this host writes no log. */
  file: z.string().nullable(),
  /** Oldest first. */
  lines: z.array(z.string()),
});
