import { z } from 'zod';
import { executorType, httpConfig, mcpConfig, pythonConfig, shellConfig } from './executors.ts';
import { jsonObject } from './json.ts';

export const toolStatuses = ['DRAFT', 'ACTIVE', 'DEPRECATED', 'DISABLED'] as const;
export const toolStatus = z.enum(toolStatuses);
export type ToolStatus = z.infer<typeof toolStatus>;

/** Allowed status transitions of a tool (docs/rules.md §7). A tool can be deleted in any status. */
export const statusTransitions: Readonly<Record<ToolStatus, readonly ToolStatus[]>> = {
  DRAFT: ['ACTIVE'],
  ACTIVE: ['DISABLED', 'DEPRECATED'],
  DISABLED: ['ACTIVE'],
  DEPRECATED: ['ACTIVE'],
};

const managedToolName = z
  .string()
  .min(1, 'A tool needs a name.')
  .max(100, 'A tool name has at most 100 characters.')
  .regex(
    /^_*[a-z0-9][a-z0-9_]*$/,
    'A tool name has lower-case letters, digits, and underscores only, and not only underscores.',
  );

const oneLine = /^[^\u0000-\u001f\u007f]*$/u;
const tag = z
  .string()
  .trim()
  .min(1, 'A tag is not empty.')
  .max(50, 'A tag has at most 50 characters.')
  .regex(oneLine, 'A tag is one line.');
const script = z.string().max(1_000_000, 'A script has at most 1,000,000 characters.');
const noScript = z.null('Only python and shell tools have a script.').default(null);

const toolBase = z.strictObject({
  name: managedToolName,
  displayName: z
    .string()
    .trim()
    .min(1, 'A tool needs a display name.')
    .max(200, 'A display name has at most 200 characters.')
    .regex(oneLine, 'A display name is one line.'),
  description: z
    .string()
    .trim()
    .min(1, 'A tool needs a description: models choose by it.')
    .max(20_000, 'A description has at most 20,000 characters.'),
  tags: z.array(tag).max(50, 'A tool has at most 50 tags.').default([]),
  inputSchema: jsonObject,
  /** {} accepts any output. */
  outputSchema: jsonObject.default({}),
});

/**
 * The content of a version: everything that a save changes. Status and category are not part of it.
 */
export const toolContent = z.discriminatedUnion('executorType', [
  toolBase.extend({
    executorType: z.literal('python'),
    executorConfig: pythonConfig,
    scriptContent: script.refine((text) => text.trim() !== '', 'A python tool needs a script.'),
  }),
  toolBase.extend({
    executorType: z.literal('shell'),
    executorConfig: shellConfig,
    scriptContent: script.nullable().default(null),
  }),
  toolBase.extend({
    executorType: z.literal('http'),
    executorConfig: httpConfig,
    scriptContent: noScript,
  }),
  toolBase.extend({
    executorType: z.literal('mcp'),
    executorConfig: mcpConfig,
    scriptContent: noScript,
  }),
]);
export type ToolContent = z.infer<typeof toolContent>;

export const managedTool = z.object({
  id: z.string(),
  status: toolStatus,
  categoryId: z.string().nullable(),
  version: z.number().int().min(1),
  content: toolContent,
  createdAt: z.string(),
  updatedAt: z.string(),
  deletedAt: z.string().nullable(),
});
export type ManagedTool = z.infer<typeof managedTool>;

/** A tool in a list. */
export const toolRow = z.object({
  id: z.string(),
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  status: toolStatus,
  categoryId: z.string().nullable(),
  tags: z.array(z.string()),
  executorType,
  version: z.number().int(),
  updatedAt: z.string(),
  deletedAt: z.string().nullable(),
});
export type ToolRow = z.infer<typeof toolRow>;

export const versionRow = z.object({
  version: z.number().int().min(1),
  changelog: z.string(),
  name: z.string(),
  isLatest: z.boolean(),
  createdAt: z.string(),
});
export type VersionRow = z.infer<typeof versionRow>;
export const toolVersion = versionRow.extend({ content: toolContent });
export type ToolVersion = z.infer<typeof toolVersion>;

export const changelog = z
  .string()
  .trim()
  .max(2000, 'A changelog line has at most 2,000 characters.');

/** What went with a category: what was directly in it is now in its parent. */
export const removedCategory = z.object({
  what: z.string(),
  tools: z.number().int(),
  categories: z.number().int(),
  /** The name of the parent; null = none. */
  movedTo: z.string().nullable(),
});
export type RemovedCategory = z.infer<typeof removedCategory>;

export const categoryInput = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'A category needs a name.')
    .max(100, 'A category name has at most 100 characters.')
    .regex(/^[^/\u0000-\u001f\u007f]*$/u, 'A category name is one line without a slash.'),
  description: z
    .string()
    .trim()
    .max(2000, 'A category description has at most 2,000 characters.')
    .nullable()
    .default(null),
  parentId: z.string().nullable().default(null),
});
export type CategoryInput = z.infer<typeof categoryInput>;

export const toolCategory = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  parentId: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ToolCategory = z.infer<typeof toolCategory>;

/** Names of a category and those above it, from the top level down. */
export function categoryPath(categories: readonly ToolCategory[], id: string | null): string[] {
  const category = categories.find((each) => each.id === id);
  return category === undefined
    ? []
    : [...categoryPath(categories, category.parentId), category.name];
}

/** A problem of a tool, with the field that has it. */
export const toolProblem = z.object({
  field: z.string(),
  message: z.string(),
  /** JSON pointer into a schema, or null. */
  path: z.string().nullable(),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
});
export type ToolProblem = z.infer<typeof toolProblem>;

/** Unsaved content of the editor. Kept as text, because it may be incomplete. */
export const toolDraft = z.strictObject({
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  tags: z.string(),
  executorType,
  inputSchema: z.string(),
  outputSchema: z.string(),
  executorConfig: z.string(),
  scriptContent: z.string(),
});
export type ToolDraft = z.infer<typeof toolDraft>;

export const modelForms = ['openai', 'anthropic', 'mcp'] as const;
export const modelForm = z.enum(modelForms);
export type ModelForm = z.infer<typeof modelForm>;

export const workshopSettings = z.object({
  /** Command or path of the interpreter; "" searches for python3 and python. */
  python: z.string().max(4000).regex(oneLine, 'A command is one line.'),
  /** Executions older than this are deleted. */
  retentionDays: z.number().int().min(1).max(3650),
  /** Number of executions that run at the same time; others wait. */
  concurrency: z.number().int().min(1).max(128),
  /**
   * How much memory each process of a script may allocate, in MB; 0: no limit. Only Linux
   * enforces it.
   */
  memoryMb: z.number().int().min(0).max(1_048_576),
});
export type WorkshopSettings = z.infer<typeof workshopSettings>;
export const defaultWorkshopSettings: WorkshopSettings = {
  python: '',
  retentionDays: 30,
  concurrency: 16,
  memoryMb: 1024,
};
