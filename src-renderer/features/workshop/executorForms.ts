import {
  bodyEncodings,
  echoHost,
  type ExecutorType,
  httpMethods,
  maxExecutionSeconds,
  outputFormats,
  privatePolicies,
  redirectPolicies,
} from '../../../src-shared/domain/executors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';

/** Names that a person can choose from, besides any other. */
export interface Suggestions {
  servers: readonly string[];
  /** Tools of the chosen server. */
  tools: readonly string[];
}

const mapOfTexts: JsonObject = { type: 'object', additionalProperties: { type: 'string' } };
const texts = (description: string): JsonObject => ({ ...mapOfTexts, description });
const isEmpty = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) && Object.keys(value).length === 0;
const oneOf = (values: readonly string[], otherwise: string, description: string): JsonObject => ({
  type: 'string',
  enum: [...values],
  default: otherwise,
  description,
});
const hint = (description: string): JsonObject => ({ type: 'boolean', description });

const common: JsonObject = {
  timeout: {
    type: 'integer',
    minimum: 1,
    maximum: maxExecutionSeconds,
    default: maxExecutionSeconds,
    description: 'Seconds after which a run is stopped.',
  },
  secrets: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of secrets that the tool needs. Their values are set under Secrets.',
  },
  annotations: {
    type: 'object',
    description: 'What clients show people about the tool before a call.',
    properties: {
      readOnlyHint: hint('It changes nothing.'),
      destructiveHint: hint('It may destroy data. Touchstone asks before each run.'),
      idempotentHint: hint('A second call with the same arguments changes nothing more.'),
      openWorldHint: hint('It reaches things outside this computer.'),
    },
  },
};
const environment = texts('Environment variables of the script. ${secret:name} inserts a secret.');
const outputOf = (otherwise: string): JsonObject =>
  oneOf(
    outputFormats,
    otherwise,
    'How the result is read: json is parsed and checked against the output schema.',
  );

export function executorSchema(
  type: ExecutorType,
  settings: JsonObject,
  { servers, tools }: Suggestions,
): JsonObject {
  const properties: Record<ExecutorType, JsonObject> = {
    python: { env: environment, ...common },
    shell: {
      args: {
        type: 'array',
        items: { type: 'string' },
        uniqueItems: false,
        description:
          'Arguments of the script ($1, $2, …) or program, one each. {{name}} inserts a parameter.',
      },
      output: outputOf('text'),
      command: {
        type: 'string',
        description: 'A program to start instead of the script. Leave it empty to run the script.',
      },
      env: environment,
      ...common,
    },
    http: {
      method: oneOf(httpMethods, 'GET', 'The method of the request.'),
      url: {
        type: 'string',
        description:
          'The address. {{name}} inserts a parameter into the path or query; the host is fixed. ' +
          `http://${echoHost} answers with what it received.`,
      },
      query: texts('Added to the address. A row whose parameter is not given is left out.'),
      headers: texts('Sent with the request. {{name}} and ${secret:name} are replaced.'),
      body: {
        ...(settings['encoding'] === 'text' ? { type: 'string' } : mapOfTexts),
        description:
          'Sent with POST, PUT, PATCH and DELETE. A value of only {{name}} keeps its type.',
      },
      encoding: oneOf(bodyEncodings, 'json', 'How the body is written.'),
      output: outputOf('json'),
      redirects: oneOf(redirectPolicies, 'same-origin', 'Which redirects are followed.'),
      private: oneOf(
        privatePolicies,
        'refuse',
        'Whether this computer (loopback) or also private networks (allow) may be called.',
      ),
      ...common,
    },
    mcp: {
      server: {
        type: 'string',
        'x-suggestions': [...servers],
        description: 'A registered server, or todo, which comes with Touchstone.',
      },
      tool: { type: 'string', 'x-suggestions': [...tools], description: 'A tool of that server.' },
      arguments: {
        // An empty object passes nothing, unlike no object.
        ...(isEmpty(settings['arguments']) ? {} : mapOfTexts),
        description:
          'What the tool gets; {{name}} inserts a parameter. Without rows, the parameters are ' +
          'passed unchanged.',
      },
      ...common,
    },
  };
  const required: Record<ExecutorType, string[]> = {
    python: [],
    shell: [],
    http: ['url'],
    mcp: ['server', 'tool'],
  };
  return { type: 'object', properties: properties[type], required: required[type] };
}
