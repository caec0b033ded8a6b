import { z } from 'zod';
import { jsonObject, jsonValue } from './json.ts';

export const executorTypes = ['python', 'http', 'shell', 'mcp'] as const;
export const executorType = z.enum(executorTypes);
export type ExecutorType = z.infer<typeof executorType>;

/** The longest that any execution lasts, in seconds; a tool may ask for less. */
export const maxExecutionSeconds = 30;

/** What models and people are told about a call before they make it; published with the tool. */
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
};

const noControlCharacters = /^[^\u0000-\u001f\u007f]*$/u;
const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'A variable is named by letters, digits and underscores.');
/** Values may hold `${secret:name}`; a secret's value is never stored. */
const environment = z.record(variableName, z.string().max(10_000)).default({});

export const pythonConfig = z.strictObject({ ...common, env: environment });

export const outputFormats = ['json', 'text'] as const;

export const shellConfig = z.strictObject({
  ...common,
  /** A program that is started directly; null runs the script. */
  command: z
    .string()
    .min(1, 'Name the program, or leave it out and write a script.')
    .max(1000)
    .regex(noControlCharacters, 'A program is named on one line.')
    .nullable()
    .default(null),
  /**
   * Each one becomes one argument, whatever stands in it: `{{name}}` is replaced by the parameter
   * of that name.
   */
  args: z.array(z.string().max(10_000)).max(200).default([]),
  output: z.enum(outputFormats).default('text'),
  env: environment,
});

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;
export const redirectPolicies = ['refuse', 'same-origin', 'follow'] as const;
export const privatePolicies = ['refuse', 'loopback', 'allow'] as const;
export const bodyEncodings = ['json', 'form', 'text'] as const;

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'This is no name of a header.');

export const httpConfig = z.strictObject({
  ...common,
  method: z.enum(httpMethods).default('GET'),
  /**
   * Parameters stand in path and query only, each encoded as one part: `https://host/users/{{id}}`.
   */
  url: z
    .string()
    .min(1, 'An http tool needs an address.')
    .max(10_000)
    .regex(noControlCharacters, 'An address is one line.'),
  /** Added to the address; an entry whose parameter is not given is left out. */
  query: z.record(z.string().min(1), z.string().max(10_000)).default({}),
  /** Values may hold `{{name}}` and `${secret:name}`. */
  headers: z
    .record(headerName, z.string().max(10_000).regex(noControlCharacters, 'A header is one line.'))
    .default({}),
  /**
   * In JSON and form bodies a text that is `{{name}}` and nothing else becomes the parameter
   * itself.
   */
  body: jsonValue.default(null),
  encoding: z.enum(bodyEncodings).default('json'),
  output: z.enum(outputFormats).default('json'),
  redirects: z.enum(redirectPolicies).default('same-origin'),
  /**
   * Addresses of this computer and of private networks; link-local ones, where clouds keep their
   * credentials, are refused always.
   */
  private: z.enum(privatePolicies).default('refuse'),
});

export const mcpConfig = z.strictObject({
  ...common,
  server: z.string().min(1, 'Name the registered server.').max(100),
  tool: z.string().min(1, 'Name the tool of that server.').max(1000),
  /** Null hands the parameters on as they came; else a template as for a JSON body. */
  arguments: jsonObject.nullable().default(null),
});

export type PythonConfig = z.infer<typeof pythonConfig>;
export type ShellConfig = z.infer<typeof shellConfig>;
export type HttpToolConfig = z.infer<typeof httpConfig>;
export type McpToolConfig = z.infer<typeof mcpConfig>;
