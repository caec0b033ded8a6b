import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { jsonObject } from '../domain/json.ts';
import { executionFilter, toolExecution } from '../domain/toolExecution.ts';
import {
  categoryInput,
  changelog,
  managedTool,
  modelForm,
  toolCategory,
  toolContent,
  toolDraft,
  toolProblem,
  toolRow,
  toolStatus,
  toolVersion,
  versionRow,
  workshopSettings,
} from '../domain/workshop.ts';
import { procedure } from './base.ts';

const byId = z.strictObject({ id: z.string() });
const page = {
  offset: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).max(500).default(100),
};

const maxFileLength = 4 * 1024 * 1024;
const files = z
  .array(
    z.strictObject({
      path: z.string().min(1).max(1000),
      text: z.string().max(maxFileLength, 'A file of a tool has at most 4 MB.'),
    }),
  )
  .min(1, 'Choose a file.')
  .max(2000, 'At most 2,000 files are read at once: bring them in by parts.');

const toolFileProblem = z.object({
  file: z.string(),
  message: z.string(),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
});

const toolImportPreview = z.object({
  tools: z.array(
    z.object({ file: z.string(), name: z.string(), act: z.enum(['create', 'save', 'same']) }),
  ),
  /** While there is one, nothing is imported. */
  problems: z.array(toolFileProblem),
});

const executionStart = z.strictObject({
  /** The id of a tool, or its name. */
  tool: z.string().min(1),
  arguments: jsonObject,
  /** Left out = the latest. */
  version: z.number().int().min(1).optional(),
  callerId: z.string().max(200).optional(),
  traceId: z.string().max(200).optional(),
  /** True: a tool that is not ACTIVE is not there. */
  activeOnly: z.boolean().default(false),
});

const interpreterState = z.object({
  found: z.boolean(),
  command: z.string().nullable(),
  version: z.string().nullable(),
  reason: z.string().nullable(),
});

const servingState = z.object({ url: z.string().nullable(), token: z.string().nullable() });
export type ServingState = z.infer<typeof servingState>;

const modelTool = z.object({ name: z.string(), tool: jsonObject });

export const workshopContract = {
  list: procedure
    .input(
      z.strictObject({
        /** Words that stand, or begin, anywhere in name, display name or description. */
        search: z.string().max(500).default(''),
        status: z.array(toolStatus).max(4).optional(),
        /** With everything below it; null = without a category. */
        categoryId: z.string().nullable().optional(),
        tag: z.string().optional(),
        deleted: z.boolean().default(false),
        ...page,
      }),
    )
    .output(z.object({ rows: z.array(toolRow), total: z.number().int() })),
  /** Every tag in use, by name. */
  tags: procedure.output(z.array(z.string())),
  get: procedure.input(byId).output(managedTool),
  getByName: procedure.input(z.strictObject({ name: z.string() })).output(managedTool),
  create: procedure
    .input(
      z.strictObject({
        content: toolContent,
        categoryId: z.string().nullable().default(null),
        changelog: changelog.default(''),
      }),
    )
    .output(managedTool),
  /**
   * A new version. `baseVersion` is the one that was edited: where it is not the latest any more,
   * nothing is saved.
   */
  save: procedure
    .input(
      z.strictObject({
        id: z.string(),
        content: toolContent,
        changelog,
        baseVersion: z.number().int().min(1),
      }),
    )
    .output(managedTool),
  setStatus: procedure
    .input(z.strictObject({ id: z.string(), status: toolStatus }))
    .output(managedTool),
  setCategory: procedure
    .input(z.strictObject({ id: z.string(), categoryId: z.string().nullable() }))
    .output(managedTool),
  remove: procedure.input(byId).output(z.object({ what: z.string() })),
  /** Brings a deleted tool back. */
  undelete: procedure.input(byId).output(managedTool),
  /** Removes a deleted tool for good, with its versions and executions. */
  purge: procedure.input(byId).output(z.object({ what: z.string() })),
  /** Everything that would keep this content from being saved, while it is being written. */
  check: procedure
    .input(z.strictObject({ draft: toolDraft, id: z.string().nullable().default(null) }))
    .output(z.object({ problems: z.array(toolProblem), content: toolContent.nullable() })),

  versions: procedure.input(byId).output(z.array(versionRow)),
  version: procedure
    .input(z.strictObject({ id: z.string(), version: z.number().int().min(1) }))
    .output(toolVersion),
  /** A new version with the content of an old one. */
  restore: procedure
    .input(
      z.strictObject({
        id: z.string(),
        version: z.number().int().min(1),
        changelog: changelog.optional(),
      }),
    )
    .output(managedTool),

  categories: procedure.output(z.array(toolCategory)),
  createCategory: procedure.input(categoryInput).output(toolCategory),
  updateCategory: procedure.input(categoryInput.extend({ id: z.string() })).output(toolCategory),
  /** Its tools and categories move up to its parent. */
  removeCategory: procedure.input(byId).output(z.object({ what: z.string() })),

  draft: procedure.input(byId).output(
    z
      .object({
        draft: toolDraft,
        baseVersion: z.number().int().nullable(),
        updatedAt: z.string(),
      })
      .nullable(),
  ),
  /** `id` is the tool's, or "new". */
  keepDraft: procedure
    .input(
      z.strictObject({
        id: z.string().min(1),
        draft: toolDraft,
        baseVersion: z.number().int().nullable(),
      }),
    )
    .output(z.object({ updatedAt: z.string() })),
  dropDraft: procedure.input(byId).output(z.object({})),
  drafts: procedure.output(z.array(z.string())),

  /** Answers at once; the execution goes on until it is final, whoever watches. */
  start: procedure.input(executionStart).output(toolExecution),
  /** Answers when it is final. */
  wait: procedure.input(byId).output(toolExecution),
  /** Start and wait in one: a caller who gives up cancels it. */
  execute: procedure.input(executionStart).output(toolExecution),
  cancel: procedure.input(byId).output(toolExecution),
  execution: procedure.input(byId).output(toolExecution),
  executions: procedure
    .input(z.strictObject({ filter: executionFilter.default({}), ...page }))
    .output(z.object({ rows: z.array(toolExecution), total: z.number().int() })),
  callers: procedure.output(z.array(z.string())),

  /**
   * ACTIVE tools as a provider or a client takes them; what its rules leave out is named with its
   * reason.
   */
  models: procedure.input(z.strictObject({ form: modelForm })).output(
    z.object({
      tools: z.array(modelTool),
      omitted: z.array(z.object({ name: z.string(), reason: z.string() })),
    }),
  ),
  model: procedure.input(z.strictObject({ form: modelForm, name: z.string() })).output(jsonObject),
  /** A number that changes whenever the ACTIVE tools do; the first one comes at once. */
  watch: procedure
    .input(z.strictObject({ afterRevision: z.number().int().min(-1).default(-1) }))
    .output(eventIterator(z.object({ revision: z.number().int() }))),

  serving: procedure.output(servingState),
  serve: procedure
    .input(z.strictObject({ port: z.number().int().min(0).max(65_535).default(0) }))
    .output(servingState),
  stopServing: procedure.output(servingState),
  /**
   * Registers the workshop as a server like any other, so that its tools can be put into suites.
   */
  register: procedure.output(
    z.object({ serverId: z.string(), name: z.string(), made: z.boolean() }),
  ),

  /** `ids` null = every tool that is not deleted. */
  export: procedure
    .input(z.strictObject({ ids: z.array(z.string()).nullable() }))
    .output(z.object({ files: z.array(z.object({ path: z.string(), text: z.string() })) })),
  previewImport: procedure.input(z.strictObject({ files })).output(toolImportPreview),
  import: procedure.input(z.strictObject({ files, changelog: changelog.default('') })).output(
    z.object({
      tools: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          act: z.enum(['create', 'save', 'same']),
          version: z.number().int(),
        }),
      ),
    }),
  ),

  settings: procedure.output(workshopSettings),
  updateSettings: procedure.input(workshopSettings.partial()).output(workshopSettings),
  interpreter: procedure.output(interpreterState),
};
