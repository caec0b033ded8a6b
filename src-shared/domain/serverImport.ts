import { z } from 'zod';
import { jsonObject } from './json.ts';
import { serverConfig, serverVariable } from './server.ts';
import { fileProblem } from './suiteFile.ts';

export const serverFileFormats = [
  'mcp-servers',
  'claude-code',
  'cline',
  'vscode',
  'codex',
  'registry',
  'bundle',
  'link',
] as const;
export const serverFileFormat = z.enum(serverFileFormats);
export type ServerFileFormat = z.infer<typeof serverFileFormat>;

/** A value that a person gives at launch; `${input:id}` stands for it. */
export const serverFileInput = z.object({
  id: z.string(),
  description: z.string().nullable(),
  password: z.boolean(),
  default: z.string().nullable(),
});
export type ServerFileInput = z.infer<typeof serverFileInput>;

/** What is kept of the file that a server came from: enough to write it again without loss. */
export const serverOrigin = z.object({
  format: serverFileFormat,
  /** Keys of the entry that mean nothing here, such as `autoApprove`. */
  extra: jsonObject,
  inputs: z.array(serverFileInput),
  /** The file's name, or its path where it is one of the known files. */
  fileName: z.string().nullable().optional(),
  /** What a person gave for inputs that are no passwords, by id. */
  values: z.record(z.string(), z.string()).optional(),
});
export type ServerOrigin = z.infer<typeof serverOrigin>;

/**
 * `danger` is shown in red and wants a second look; `note` is worth knowing. Neither says that the
 * rest is safe.
 */
export const commandMark = z.object({ severity: z.enum(['danger', 'note']), reason: z.string() });
export type CommandMark = z.infer<typeof commandMark>;

export const serverImportEntry = z.object({
  /** Unique in the preview: what `import` is told. */
  name: z.string(),
  state: z.enum(['new', 'same', 'conflict', 'skipped']),
  /** Why it is not simply new; null where it is. */
  reason: z.string().nullable(),
  /**
   * The registered server that it would replace where that is asked for; null where there is none.
   */
  replaces: z.string().nullable(),
  /**
   * The name that it would be registered under: another one where its own is taken. Null where
   * nothing would be registered.
   */
  registersAs: z.string().nullable(),
  /**
   * The full command, quoted as a shell would need it, or the address, with credentials masked;
   * null where the entry can't be read.
   */
  command: z.string().nullable(),
  /** With credentials masked. */
  config: serverConfig.nullable(),
  marks: z.array(commandMark),
  warnings: z.array(z.string()),
  /** References that are expanded at launch, and whether each has a value now. */
  variables: z.array(serverVariable),
  /** Credentials that would be kept apart: in the keychain, or in memory. */
  secrets: z.array(z.string()),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
});
export type ServerImportEntry = z.infer<typeof serverImportEntry>;

/** What an import would do. Nothing is written or started by looking. */
export const serverImportPreview = z.object({
  format: serverFileFormat.nullable(),
  entries: z.array(serverImportEntry),
  /** The file as a whole can't be read while this is not empty. */
  problems: z.array(fileProblem),
});
export type ServerImportPreview = z.infer<typeof serverImportPreview>;

export const serverExportFormat = z.enum(['mcp.json', '.mcp.json', 'claude-desktop']);
export type ServerExportFormat = z.infer<typeof serverExportFormat>;

export const serverExport = z.object({
  fileName: z.string(),
  text: z.string(),
  /** What the file can't say, by server. */
  losses: z.array(z.object({ server: z.string(), message: z.string() })),
});
export type ServerExport = z.infer<typeof serverExport>;

/** A configuration file of another program that stands on this machine. */
export const knownServerFile = z.object({
  client: z.string(),
  path: z.string(),
  bytes: z.number().int(),
});
export type KnownServerFile = z.infer<typeof knownServerFile>;
