import { z } from 'zod';
import { jsonObject, jsonValue } from './json.ts';

/** The formats of files that tell an agent its MCP servers. */
const configFormats = ['mcp-servers', 'codex', 'opencode', 'goose'] as const;

/**
 * A place in a document: a JSON pointer, in which `*` means every member. `where` has values at
 * pointers that a document must have, so that lines of one kind are told from others.
 */
const agentPlace = z.strictObject({
  where: z.record(z.string(), jsonValue).default({}),
  at: z.string().regex(/^\//, 'A pointer begins with a slash.'),
});
export type AgentPlace = z.infer<typeof agentPlace>;

/** A file of the home folder: its name has no way out of it. */
const homeFile = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^(?![\\/])(?!.*(?:^|[\\/])\.\.(?:[\\/]|$))[^\0:]+$/,
    'Name a file below the home folder.',
  );

/**
 * How an agent is started for one run: a program that gets a request and the MCP servers, calls
 * tools by itself, and ends with an answer. Texts may hold `{{prompt}}`, `{{mcp_config}}`,
 * `{{work_dir}}`, `{{home}}`, `{{model}}` and `{{datasets}}` (the folder that holds the sample);
 * values of `env` refer to credentials as `${key:PROVIDER}`, `${secret:NAME}` or `${env:NAME}` and
 * never hold one.
 */
export const agentTemplate = z.strictObject({
  /** As results name it. */
  name: z
    .string()
    .max(40)
    .regex(/^[A-Za-z0-9][\w.-]*$/, 'A name has letters, digits, dots, hyphens and underscores.'),
  /**
   * `acp`: it is started once and speaks the Agent Client Protocol on standard input and output.
   * Absent: it is started once for each request.
   */
  protocol: z.literal('acp').optional(),
  /**
   * What the tokens count that an agent reports through ACP at the end of a turn: this turn, or all
   * turns so far, which the protocol leaves open. Absent: not known, and no tokens of later turns.
   */
  usage: z.enum(['turn', 'session']).optional(),
  /** The program and its arguments. Without `{{prompt}}` it reads the request on standard input. */
  command: z.array(z.string().max(10_000)).min(1).max(100),
  /**
   * The arguments with which the program of `command` says its version and ends; absent: it isn't
   * asked.
   */
  version: z.array(z.string().max(1_000)).min(1).max(20).optional(),
  /** Further arguments where a model is named. */
  modelArguments: z.array(z.string().max(1_000)).max(20).default([]),
  /** All arguments of a further turn, in place of those of `command`; null: one request a run. */
  nextTurn: z.array(z.string().max(10_000)).max(100).nullable().default(null),
  /** Variables. One that refers to a credential that isn't there is left out if it is optional. */
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string().max(8_000)).default({}),
  /** Names of `env` that may have no value. */
  optional: z.array(z.string()).max(20).default([]),
  /** The file of the home folder that names the MCP servers, and what else is in it. */
  mcp: z
    .strictObject({
      file: homeFile,
      format: z.enum(configFormats),
      /** The other members of the file. */
      others: jsonObject.default({}),
      /** Further members of each server. */
      server: jsonObject.default({}),
    })
    .default({ file: 'mcp.json', format: 'mcp-servers', others: {}, server: {} }),
  /** Other files of the home folder, as texts or as JSON. */
  files: z.record(homeFile, jsonValue).default({}),
  /** Where the answer is in lines of JSON on standard output; null: all of it is the answer. */
  answer: z
    .strictObject({
      text: agentPlace,
      /** Parts of the answer are joined; otherwise the last one counts. */
      joined: z.boolean().default(false),
      usage: z
        .strictObject({
          where: agentPlace.shape.where,
          /** Pointers whose numbers are added up. */
          input: z.array(z.string()).min(1),
          output: z.array(z.string()).min(1),
        })
        .nullable()
        .default(null),
      /** Where calls of the agent's own tools are named. */
      ownTools: z.array(agentPlace).max(10).default([]),
      /** Names that are calls of MCP tools, as a pattern. */
      mcpTools: z.string().max(200).nullable().default(null),
    })
    .nullable()
    .default(null),
});
export type AgentTemplate = z.infer<typeof agentTemplate>;

/** `datasets/agents_v1.json`. */
export const agentsFile = z.strictObject({
  note: z.string(),
  agents: z.array(agentTemplate),
});
