import { z } from 'zod';
import { jsonObject, jsonValue } from './json.ts';
import { toolSecretName } from './toolSecrets.ts';

export const executorTypes = ['python', 'http', 'shell', 'mcp'] as const;
/** Of a tool that doesn't name its executor. */
export const defaultExecutor = 'python';
export const executorType = z.enum(executorTypes);
export type ExecutorType = z.infer<typeof executorType>;

/** Upper limit of an execution in seconds; a tool may set a lower one. */
export const maxExecutionSeconds = 30;

/** An address that Touchstone answers itself, with what it received. */
export const echoHost = 'echo.localhost';

/** Hints for models and users before a call; published with the tool. */
const annotations = z.strictObject({
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

const common = {
  timeout: z
    .number('The time limit is a number of seconds.')
    .int('The time limit is a whole number of seconds.')
    .min(1)
    .max(maxExecutionSeconds, `The time limit is ${maxExecutionSeconds} s at most.`)
    .default(maxExecutionSeconds),
  annotations: annotations.default({}),
  /**
   * Secrets that the tool needs, by name. A script gets each as an environment variable; other
   * tools insert it as `${secret:NAME}`. Values are never part of a tool.
   */
  secrets: z
    .array(toolSecretName)
    .max(50, 'A tool has at most 50 secrets.')
    .refine((names) => new Set(names).size === names.length, 'Name each secret once.')
    .default([]),
};

const noControlCharacters = /^[^\u0000-\u001f\u007f]*$/u;
const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'A variable is named by letters, digits and underscores.');
/** Values may contain `${secret:name}`; the value of a secret is never stored. */
const environment = z.record(variableName, z.string().max(10_000)).default({});

export const pythonConfig = z.strictObject({ ...common, env: environment });

export const outputFormats = ['json', 'text'] as const;

export const shellConfig = z.strictObject({
  ...common,
  /** A program to start directly; null runs the script. */
  command: z
    .string()
    .min(1, 'Name the program, or leave it out and write a script.')
    .max(1000)
    .regex(noControlCharacters, 'A program is named on one line.')
    .nullable()
    .default(null),
  /**
   * Each one becomes exactly one argument; `{{name}}` is replaced by the parameter of that name.
   */
  args: z.array(z.string().max(10_000)).max(200).default([]),
  output: z.enum(outputFormats).default('text'),
  env: environment,
});

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;
export const redirectPolicies = ['refuse', 'same-origin', 'follow'] as const;
export const privatePolicies = ['refuse', 'loopback', 'allow'] as const;
export const bodyEncodings = ['json', 'form', 'text'] as const;

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'This isn’t a header name.');

export const httpConfig = z.strictObject({
  ...common,
  method: z.enum(httpMethods).default('GET'),
  /**
   * Parameters are allowed only in path and query, each encoded as one part:
   * `https://host/users/{{id}}`.
   */
  url: z
    .string()
    .min(1, 'An http tool needs an address.')
    .max(10_000)
    .regex(noControlCharacters, 'An address is one line.'),
  /** Added to the address. Entries whose parameter is not given are left out. */
  query: z.record(z.string().min(1), z.string().max(10_000)).default({}),
  /** Values may contain `{{name}}` and `${secret:name}`. */
  headers: z
    .record(headerName, z.string().max(10_000).regex(noControlCharacters, 'A header is one line.'))
    .default({}),
  /**
   * In JSON and form bodies, a text that consists only of `{{name}}` becomes the parameter with its
   * type.
   */
  body: jsonValue.default(null),
  encoding: z.enum(bodyEncodings).default('json'),
  output: z.enum(outputFormats).default('json'),
  redirects: z.enum(redirectPolicies).default('same-origin'),
  /**
   * Policy for loopback and private addresses. Link-local addresses, where clouds serve
   * credentials, are always refused.
   */
  private: z.enum(privatePolicies).default('refuse'),
});

export const mcpConfig = z.strictObject({
  ...common,
  server: z.string().min(1, 'Name the registered server.').max(100),
  tool: z.string().min(1, 'Name the tool of that server.').max(1000),
  /** Null passes the parameters unchanged; otherwise a template as for a JSON body. */
  arguments: jsonObject.nullable().default(null),
});

export type PythonConfig = z.infer<typeof pythonConfig>;
export type ShellConfig = z.infer<typeof shellConfig>;
export type HttpToolConfig = z.infer<typeof httpConfig>;
export type McpToolConfig = z.infer<typeof mcpConfig>;
