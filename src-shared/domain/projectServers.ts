import { z } from 'zod';

const text = z.string().min(1);
const texts = z.record(text, z.string());

/** A server that a check starts or reaches, as people have it. */
const declaredServer = z
  .strictObject({
    name: text.describe('What suites call it. Left out: the only server of the suite.').optional(),
    stdio: z
      .union([text, z.array(text).min(1)])
      .describe('Its command with arguments, as a line or a list.')
      .optional(),
    command: text.describe('The program alone, with `args`.').optional(),
    args: z.array(z.string()).optional(),
    cwd: text.describe('Its working folder, from the folder of this file.').optional(),
    env: z
      .union([z.array(text), texts])
      .describe('Variables by name, from the environment of the check; or names with values.')
      .optional(),
    url: text.describe('The address of an HTTP server.').optional(),
    transport: z.enum(['streamable-http', 'sse']).optional(),
    headers: texts.describe('Of an HTTP server. Write ${NAME} for a secret.').optional(),
    config: text.describe('A configuration of an MCP client, such as .mcp.json.').optional(),
    only: z.array(text).min(1).describe('Servers of `config`. Left out: all.').optional(),
  })
  .meta({ title: 'Server', description: 'A server that is started for the check.' });
export type DeclaredServer = z.infer<typeof declaredServer>;

/** The servers of a project file: registered ones by name, or what is started for the check. */
export const projectServers = z.union([
  z.array(z.union([text, declaredServer])).min(1),
  z.record(text, declaredServer),
  declaredServer,
]);
export type ProjectServers = z.infer<typeof projectServers>;
