import { z } from 'zod';

/** Programs whose configuration can start a server of this program, by the words of a command. */
export const mcpClients = [
  'claude',
  'cursor',
  'vscode',
  'claude-code',
  'codex',
  'gemini-cli',
  'qwen-code',
  'opencode',
  'cline',
  'windsurf',
  'continue',
  'goose',
] as const;
export const mcpClient = z.enum(mcpClients);
export type McpClient = z.infer<typeof mcpClient>;

export const mcpClientLabels: Readonly<Record<McpClient, string>> = {
  claude: 'Claude Desktop',
  cursor: 'Cursor',
  vscode: 'VS Code',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'qwen-code': 'Qwen Code',
  opencode: 'opencode',
  cline: 'Cline',
  windsurf: 'Windsurf',
  continue: 'Continue',
  goose: 'goose',
};

/** What a client chose in an entry that goes; empty if it chose nothing. */
export const choicesText = (client: McpClient, choices: readonly string[]): string =>
  choices.length === 0
    ? ''
    : ` with what ${mcpClientLabels[client]} had set in it (${choices.join(', ')})`;

/** What adding the entry does to a client's file. */
export const clientAct = z.enum(['create', 'add', 'replace', 'same']);

/** Why a client's file is left alone. */
const clientProblem = z.object({
  message: z.string(),
  /** Null if the whole file is meant. */
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
});

/**
 * The lines that change, with some around them. Values of other entries are masked, because they can
 * be credentials.
 */
const clientChange = z.object({
  /** Number of the first line. */
  line: z.number().int(),
  above: z.array(z.string()),
  removed: z.array(z.string()),
  added: z.array(z.string()),
  below: z.array(z.string()),
});
export type ClientChange = z.infer<typeof clientChange>;

/** The configuration of one client for a server of this program, and the state of its file. */
export const clientConfig = z.object({
  client: mcpClient,
  /** The whole configuration as text to copy. */
  text: z.string(),
  /** The client's file for this user. */
  file: z.string(),
  exists: z.boolean(),
  /** Null where the file can't be changed. */
  act: clientAct.nullable(),
  problem: clientProblem.nullable(),
  change: clientChange.nullable(),
  /** Identifies the file's content as it was read. */
  revision: z.string(),
  /**
   * The backup that undoes the last change; null if there is nothing to undo. `isPart`: the file
   * has changed since, so that only the entry is taken back. `choices`: members that the client has
   * written into the entry, which go with it.
   */
  undo: z
    .object({
      backup: z.string().nullable(),
      isPart: z.boolean(),
      choices: z.array(z.string()),
    })
    .nullable(),
});
export type ClientConfig = z.infer<typeof clientConfig>;
