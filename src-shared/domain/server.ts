import { keyPlace } from './keys.ts';
import { z } from 'zod';

const serverStatuses = ['inactive', 'active', 'failed'] as const;
const serverStatus = z.enum(serverStatuses);
export type ServerStatus = z.infer<typeof serverStatus>;

/** A colon would make `server:tool` ambiguous; control characters would hide part of the name. */
const serverName = z
  .string()
  .trim()
  .min(1, 'A server needs a name.')
  .max(100, 'A server name has at most 100 characters.')
  .regex(/^[^:\u0000-\u001f\u007f]+$/u, 'A server name holds no colon and no control character.');

const nameValueList = z.record(z.string().min(1), z.string());
/**
 * How long the server may take to answer the handshake, in milliseconds. Null or absent: 60 s for a
 * stdio server, 10 s for others.
 */
const startTimeoutMs = z
  .int('A start timeout is a whole number of milliseconds.')
  .min(1, 'A start timeout is at least 1 ms.')
  .max(86_400_000, 'A start timeout is at most 24 hours.')
  .nullable()
  .optional();

/** What a start timeout is, for a text that `readStartTimeout` refuses. */
export const startTimeoutNeeds =
  'a number of seconds, such as 90 or 1.5, at most 86,400 (24 hours)';

/**
 * A start timeout that a person writes in seconds, in milliseconds. Null for any other text: `1,000`
 * may be one second or a thousand.
 */
export function readStartTimeout(seconds: string): number | null {
  if (!/^(?:\d+(?:\.\d{1,3}|,\d{1,2})?|\.\d{1,3})$/.test(seconds.trim())) return null;
  const ms = Math.round(Number(seconds.trim().replace(',', '.')) * 1000);
  return startTimeoutMs.safeParse(ms).success ? ms : null;
}

/** Texts of a configuration that look like credentials and that a person marked as not secret. */
const notSecret = z.array(z.string().min(1)).max(100).optional();

/**
 * True if a session leaves no data that another one sees: a stdio server keeps none from one start to
 * the next, and runs of tasks may use an HTTP server at the same time.
 */
const isolated = z.literal(true).optional();

const stdioConfig = z.strictObject({
  transport: z.literal('stdio'),
  command: z.string().min(1, 'A stdio server needs a command.'),
  args: z.array(z.string()).default([]),
  cwd: z.string().nullable().default(null),
  env: nameValueList.default({}),
  isolated,
  startTimeoutMs,
  notSecret,
});

const httpUrl = z.url({ protocol: /^https?$/ });
/** The value of a variable is only known at launch and is checked again then. */
const addressWithVariables = /^(?:https?:\/\/.*)?\$\{[^}]+\}/;
const httpAddress = z
  .string()
  .refine(
    (value) => httpUrl.safeParse(value).success || addressWithVariables.test(value),
    'The address must be an http or https URL.',
  );

const httpConfig = z.strictObject({
  transport: z.enum(['streamable-http', 'sse']),
  url: httpAddress,
  headers: nameValueList.default({}),
  isolated,
  startTimeoutMs,
  notSecret,
});

/** Absolute, or beginning with the home folder or a variable, whose value is known at launch. */
const folderPath = z
  .string()
  .regex(
    /^(?:\/|~(?:$|[\\/])|[A-Za-z]:[\\/]|\\\\|\$\{)/,
    'The folder of skills must be an absolute path, such as /home/me/.claude/skills.',
  );

/** A folder of skills. Each is offered to models next to the tools of servers. */
const skillsConfig = z.strictObject({ transport: z.literal('skills'), folder: folderPath });

/**
 * How to reach a server. Values may contain `${secret:name}`, whose value is never stored here, and
 * variables that are expanded at launch.
 */
export const serverConfig = z.discriminatedUnion('transport', [
  stdioConfig,
  httpConfig,
  skillsConfig,
]);
export type StdioConfig = z.infer<typeof stdioConfig>;
export type HttpConfig = z.infer<typeof httpConfig>;
export type SkillsConfig = z.infer<typeof skillsConfig>;
export type ServerConfig = z.infer<typeof serverConfig>;

/** What a configuration passes by name: environment variables or headers. */
export const namedValues = (config: ServerConfig): Record<string, string> =>
  config.transport === 'stdio' ? config.env : 'headers' in config ? config.headers : {};

/**
 * A reference in a server's configuration. Its value never leaves the core, only whether it has
 * one.
 */
export const serverVariable = z.object({
  /** As written in the text, such as `${input:api-key}`. */
  reference: z.string(),
  kind: z.enum(['secret', 'input', 'environment']),
  resolved: z.boolean(),
  /** Where its value is stored; null if it has none. */
  place: z.enum([...keyPlace.options, 'workspace', 'default']).nullable(),
  description: z.string().nullable(),
  /** True if its value is masked in the form and kept in the vault. */
  password: z.boolean(),
});
export type ServerVariable = z.infer<typeof serverVariable>;

export const serverInput = z.strictObject({ name: serverName, config: serverConfig });
export type ServerInput = z.infer<typeof serverInput>;

export const server = z.object({
  id: z.string(),
  name: z.string(),
  /**
   * Unique: the address, or `stdio:` and the shell-quoted command, or `skills:` and the folder; see
   * docs/rules.md §1.
   */
  url: z.string(),
  config: serverConfig,
  /** What its last connectivity check found: nothing else changes it. */
  status: serverStatus,
  /** Why the last check failed, as advice for the user; null unless `failed`. */
  statusReason: z.string().nullable(),
  /**
   * Why its tools could not be listed last, whoever asked for them; null or absent if they were, or
   * nobody asked.
   */
  toolsError: z.string().nullable().optional(),
  /** True while a connectivity check runs in the background. */
  checking: z.boolean(),
  lastConnectedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Server = z.infer<typeof server>;
