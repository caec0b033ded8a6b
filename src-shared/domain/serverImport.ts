import { z } from 'zod';
import { jsonObject } from './json.ts';
import { serverConfig, serverVariable } from './server.ts';
import { fileProblem } from './suiteFile.ts';

/** The formats of configurations that are read, and how each is called. */
export const serverFileFormats = {
  'mcp-servers': 'mcpServers (Claude Desktop, Cursor, LM Studio, .mcp.json)',
  'claude-code': 'mcpServers (Claude Code)',
  cline: 'mcpServers (Cline)',
  roo: 'mcpServers (Roo Code)',
  windsurf: 'mcpServers (Windsurf)',
  warp: 'mcpServers (Warp)',
  copilot: 'mcpServers (Copilot CLI)',
  gemini: 'mcpServers (Gemini CLI, Qwen Code)',
  'cherry-studio': 'mcpServers (Cherry Studio)',
  librechat: 'mcpServers (LibreChat)',
  continue: 'Continue',
  goose: 'goose',
  opencode: 'opencode',
  crush: 'Crush',
  kilo: 'Kilo Code',
  zed: 'Zed',
  amp: 'Amp',
  augment: 'Augment',
  litellm: 'LiteLLM',
  mcphub: 'MCPHub',
  jan: 'Jan',
  '5ire': '5ire',
  vibe: 'Mistral Vibe',
  openhands: 'OpenHands',
  'mcp-agent': 'mcp-agent, fast-agent',
  'tiny-agents': 'tiny-agents',
  'spring-ai': 'Spring AI',
  n8n: 'n8n workflow',
  docker: 'Docker MCP catalog',
  vscode: 'VS Code',
  codex: 'Codex',
  api: 'servers of a model API',
  registry: 'MCP registry server.json',
  bundle: 'MCP bundle',
  link: 'install link',
} as const;
export type ServerFileFormat = keyof typeof serverFileFormats;
export const serverFileFormat = z.enum(
  Object.keys(serverFileFormats) as [ServerFileFormat, ...ServerFileFormat[]],
);

/** A value that the user enters; `${input:id}` refers to it. */
const serverFileInput = z.object({
  id: z.string(),
  description: z.string().nullable(),
  password: z.boolean(),
  default: z.string().nullable(),
});
export type ServerFileInput = z.infer<typeof serverFileInput>;

/**
 * What is kept of the file that a server was imported from: enough to write it again without loss.
 */
export const serverOrigin = z.object({
  format: serverFileFormat,
  /** Keys of the entry without a meaning here, such as `autoApprove`. */
  extra: jsonObject,
  inputs: z.array(serverFileInput),
  /** The file's name, or its path for one of the known files. */
  fileName: z.string().nullable().optional(),
  /** Entered values of inputs that are not passwords, by id. */
  values: z.record(z.string(), z.string()).optional(),
});
export type ServerOrigin = z.infer<typeof serverOrigin>;

/**
 * `danger` is shown in red and needs a second look; `note` is worth knowing. Neither says that the
 * rest is safe.
 */
const commandMark = z.object({ severity: z.enum(['danger', 'note']), reason: z.string() });
export type CommandMark = z.infer<typeof commandMark>;

const serverImportEntry = z.object({
  /** Unique in the preview; passed to `import`. */
  name: z.string(),
  state: z.enum(['new', 'same', 'conflict', 'skipped']),
  /** Why it is not new; null if it is. */
  reason: z.string().nullable(),
  /** The registered server that it can replace; null if there is none. */
  replaces: z.string().nullable(),
  /**
   * The name that it would get, which differs if its own is taken. Null if nothing would be
   * registered.
   */
  registersAs: z.string().nullable(),
  /**
   * The full command, shell-quoted, or the address, with credentials masked; null if the entry
   * cannot be read.
   */
  command: z.string().nullable(),
  /** With credentials masked. */
  config: serverConfig.nullable(),
  marks: z.array(commandMark),
  warnings: z.array(z.string()),
  /** Paths in the entry of settings that have no meaning here, such as `requestOptions.proxy`. */
  notCarried: z.array(z.string()),
  /** References that are expanded at launch, and whether each has a value now. */
  variables: z.array(serverVariable),
  /** Credentials that would be stored in the keychain, the encrypted file or memory. */
  secrets: z.array(z.string()),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
});
export type ServerImportEntry = z.infer<typeof serverImportEntry>;

/** What an import would do. Previewing writes and starts nothing. */
export const serverImportPreview = z.object({
  format: serverFileFormat.nullable(),
  entries: z.array(serverImportEntry),
  /** Not empty if the file as a whole cannot be read. */
  problems: z.array(fileProblem),
  /** Files that it names, as it writes them, and that were not given with it. */
  named: z.array(z.string()),
  /** A folder of skills next to a known file that no server reads yet. */
  skills: z.object({ folder: z.string(), skills: z.number().int() }).nullable(),
});
export type ServerImportPreview = z.infer<typeof serverImportPreview>;

export const serverExportFormat = z.enum(['mcp.json', '.mcp.json', 'claude-desktop']);
export type ServerExportFormat = z.infer<typeof serverExportFormat>;

export const serverExport = z.object({
  fileName: z.string(),
  text: z.string(),
  /** What the file cannot represent, by server. */
  losses: z.array(z.object({ server: z.string(), message: z.string() })),
});
export type ServerExport = z.infer<typeof serverExport>;

export const knownServerFile = z.object({
  client: z.string(),
  path: z.string(),
  bytes: z.number().int(),
});
export type KnownServerFile = z.infer<typeof knownServerFile>;
