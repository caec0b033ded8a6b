import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { jsonObject } from '../domain/json.ts';
import { clientConfig, mcpClient } from '../domain/clientConfig.ts';
import { executionFilter, toolExecution } from '../domain/toolExecution.ts';
import { toolSecret, toolSecretValue } from '../domain/toolSecrets.ts';
import {
  categoryInput,
  changelog,
  managedTool,
  modelForm,
  removedCategory,
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
import { modelConfiguration } from '../domain/model.ts';
import { procedure } from './base.ts';
import { draftKinds, proposals } from './suites.ts';

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
  /** Nothing is imported while there are any. */
  problems: z.array(toolFileProblem),
});

const executionStart = z.strictObject({
  /** Id or name of a tool. */
  tool: z.string().min(1),
  arguments: jsonObject,
  /** Defaults to the latest. */
  version: z.number().int().min(1).optional(),
  callerId: z.string().max(200).optional(),
  traceId: z.string().max(200).optional(),
  /** If true, tools that are not active are treated as missing. */
  activeOnly: z.boolean().default(false),
  /**
   * Values of the tool's secrets for this call, by name: what an MCP client passes in its
   * environment. They come before those that are set here, and are never stored.
   */
  secrets: z.record(z.string(), z.string().max(65_536)).optional(),
});

const draftStart = z.strictObject({
  content: toolContent,
  /** The tool that the draft would change; null for a new one. */
  toolId: z.string().nullable().default(null),
  arguments: jsonObject,
  callerId: z.string().max(200).optional(),
  traceId: z.string().max(200).optional(),
});

const interpreterState = z.object({
  found: z.boolean(),
  command: z.string().nullable(),
  version: z.string().nullable(),
  reason: z.string().nullable(),
});

/** Which limits this system enforces on scripts. */
const enforcedLimits = z.object({ memory: z.boolean() });

const servingState = z.object({ url: z.string().nullable(), token: z.string().nullable() });
export type ServingState = z.infer<typeof servingState>;

const modelTool = z.object({ name: z.string(), tool: jsonObject });

export const workshopContract = {
  list: procedure
    .input(
      z.strictObject({
        /** Prefixes of words in the name, display name or description. */
        search: z.string().max(500).default(''),
        status: z.array(toolStatus).max(4).optional(),
        /** Includes subcategories; null = without a category. */
        categoryId: z.string().nullable().optional(),
        tag: z.string().optional(),
        deleted: z.boolean().default(false),
        ...page,
      }),
    )
    .output(z.object({ rows: z.array(toolRow), total: z.number().int() })),
  /** All tags in use, sorted by name. */
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
   * Saves a new version. Fails if `baseVersion`, the version that was edited, is no longer the
   * latest.
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
  undelete: procedure.input(byId).output(managedTool),
  /** Permanently removes a deleted tool with its versions, executions and secrets. */
  purge: procedure.input(byId).output(z.object({ what: z.string() })),
  /** All problems that prevent saving this content, while it is being written. */
  check: procedure
    .input(z.strictObject({ draft: toolDraft, id: z.string().nullable().default(null) }))
    .output(z.object({ problems: z.array(toolProblem), content: toolContent.nullable() })),

  /**
   * The secrets that the latest version of a tool, or of each tool that is not deleted, needs: whether
   * they are set, never their values.
   */
  secrets: procedure
    .input(z.strictObject({ id: z.string().optional() }))
    .output(z.array(toolSecret)),
  /** Sets a secret that a version of the tool needs. */
  setSecret: procedure
    .input(z.strictObject({ id: z.string(), name: z.string(), value: toolSecretValue }))
    .output(toolSecret),
  /** The status can still be `set`, if the environment has a value too. */
  removeSecret: procedure
    .input(z.strictObject({ id: z.string(), name: z.string() }))
    .output(toolSecret),

  versions: procedure.input(byId).output(z.array(versionRow)),
  version: procedure
    .input(z.strictObject({ id: z.string(), version: z.number().int().min(1) }))
    .output(toolVersion),
  /** Saves the content of an old version as a new one. */
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
  /** Its tools and subcategories move to its parent. */
  removeCategory: procedure.input(byId).output(removedCategory),

  draft: procedure.input(byId).output(
    z
      .object({
        draft: toolDraft,
        baseVersion: z.number().int().nullable(),
        updatedAt: z.string(),
      })
      .nullable(),
  ),
  /** `id` is that of the tool, or "new". */
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

  /** Returns immediately. The execution continues until it is final, even if nobody watches it. */
  start: procedure.input(executionStart).output(toolExecution),
  /**
   * Runs content that is not saved, under the same checks and limits. The execution is recorded
   * without a version.
   */
  startDraft: procedure.input(draftStart).output(toolExecution),
  /** Returns when the execution is final. */
  wait: procedure.input(byId).output(toolExecution),
  /** Starts and waits. A caller that disconnects cancels the execution. */
  execute: procedure.input(executionStart).output(toolExecution),
  cancel: procedure.input(byId).output(toolExecution),
  execution: procedure.input(byId).output(toolExecution),
  executions: procedure
    .input(z.strictObject({ filter: executionFilter.default({}), ...page }))
    .output(z.object({ rows: z.array(toolExecution), total: z.number().int() })),
  callers: procedure.output(z.array(z.string())),

  /**
   * Active tools in the format of a provider or a client. Tools that it would reject are listed
   * with the reason.
   */
  models: procedure.input(z.strictObject({ form: modelForm })).output(
    z.object({
      tools: z.array(modelTool),
      omitted: z.array(z.object({ name: z.string(), reason: z.string() })),
    }),
  ),
  model: procedure.input(z.strictObject({ form: modelForm, name: z.string() })).output(jsonObject),
  /** Yields a number that changes whenever the active tools do, starting with the current one. */
  watch: procedure
    .input(z.strictObject({ afterRevision: z.number().int().min(-1).default(-1) }))
    .output(eventIterator(z.object({ revision: z.number().int() }))),

  serving: procedure.output(servingState),
  serve: procedure
    .input(z.strictObject({ port: z.number().int().min(0).max(65_535).default(0) }))
    .output(servingState),
  stopServing: procedure.output(servingState),
  /**
   * The configuration with which each MCP client starts the workshop's server, and what adding it to
   * the client's file would change. Writes nothing.
   */
  clients: procedure.output(z.array(clientConfig)),
  /** Changes a client's file as previewed, after a backup. Fails if it has changed since. */
  addToClient: procedure
    .input(z.strictObject({ client: mcpClient, revision: z.string() }))
    .output(clientConfig),
  /** Restores the backup. Fails if the file has changed since. */
  undoClient: procedure.input(z.strictObject({ client: mcpClient })).output(clientConfig),
  /**
   * Proposes cases for an active tool from its description and from the arguments of its successful
   * executions. Nothing is written.
   */
  proposeCases: procedure
    .input(
      z.strictObject({
        id: z.string(),
        kinds: z.array(z.enum(draftKinds)).default([...draftKinds]),
        /** Uses the latest successful executions with different arguments, at most this many. */
        executions: z.number().int().min(0).max(50).default(10),
        model: modelConfiguration.nullable().default(null),
      }),
    )
    .output(proposals.extend({ server: z.string() })),
  /** Registers the workshop as a server, so that suites can use its tools. */
  register: procedure.output(
    z.object({ serverId: z.string(), name: z.string(), made: z.boolean() }),
  ),

  /** Null = all tools that are not deleted. */
  export: procedure
    .input(z.strictObject({ ids: z.array(z.string()).nullable() }))
    .output(z.object({ files: z.array(z.object({ path: z.string(), text: z.string() })) })),
  previewImport: procedure.input(z.strictObject({ files })).output(toolImportPreview),
  import: procedure
    .input(
      z.strictObject({
        files,
        changelog: changelog.default(''),
        /** Instead of the category that a file names; null = without a category. */
        categoryId: z.string().nullable().optional(),
      }),
    )
    .output(
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
  limits: procedure.output(enforcedLimits),
};
