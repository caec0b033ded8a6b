import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { isJsonObject } from '../../../src-shared/domain/json.ts';
import type { ToolContent, ToolProblem } from '../../../src-shared/domain/workshop.ts';
import { checkPythonSyntax, type Interpreter } from '../../adapters/process/pythonInterpreter.ts';
import { findValueInCode } from './executors/valueInCode.ts';
import type { SchemaChecker } from './schemaChecker.ts';
import { findPlaceholders } from './templates.ts';

export interface ContentChecks {
  schemaChecker: SchemaChecker;
  python: (signal: AbortSignal) => Promise<Interpreter>;
}

export const problem = (
  field: string,
  message: string,
  more: Partial<ToolProblem> = {},
): ToolProblem => ({ field, message, path: null, line: null, column: null, ...more });

/**
 * Finds everything that prevents saving a tool although each field is well-formed. Runs nothing of
 * the tool.
 */
export async function checkContent(
  content: ToolContent,
  { schemaChecker, python }: ContentChecks,
  signal: AbortSignal,
): Promise<ToolProblem[]> {
  const [input, output, script] = await Promise.all([
    checkInputSchema(content.inputSchema, schemaChecker, signal),
    schemaChecker
      .checkSchema(content.outputSchema, signal)
      .then((found) =>
        found.map(({ path, message }) => problem('outputSchema', message, { path })),
      ),
    content.executorType === 'python' ? checkScript(content.scriptContent, python, signal) : [],
  ]);
  return [...input, ...output, ...script, ...checkExecutor(content)];
}

async function checkInputSchema(
  schema: JsonObject,
  schemaChecker: SchemaChecker,
  signal: AbortSignal,
): Promise<ToolProblem[]> {
  if (schema['type'] !== 'object')
    return [
      problem('inputSchema', 'The input schema describes an object: its "type" is "object".', {
        path: '/type',
      }),
    ];
  const found = await schemaChecker.checkSchema(schema, signal);
  return found.map(({ path, message }) => problem('inputSchema', message, { path }));
}

async function checkScript(
  script: string,
  python: ContentChecks['python'],
  signal: AbortSignal,
): Promise<ToolProblem[]> {
  const interpreter = await python(signal);
  // Without an interpreter the script is saved unchecked; the missing interpreter is reported when
  // the tool runs.
  if (!interpreter.found) return [];
  const syntaxError = await checkPythonSyntax(interpreter.command, script, signal);
  return syntaxError === null
    ? []
    : [
        problem(
          'scriptContent',
          "This isn't valid Python: " +
            `${syntaxError.message}${syntaxError.line === null ? '' : ` (line ${syntaxError.line})`}.`,
          { line: syntaxError.line, column: syntaxError.column },
        ),
      ];
}

function checkExecutor(content: ToolContent): ToolProblem[] {
  switch (content.executorType) {
    case 'python':
      return [];
    case 'shell': {
      const { command, args } = content.executorConfig;
      if (command === null && (content.scriptContent ?? '').trim() === '')
        return [
          problem(
            'scriptContent',
            'A shell tool needs a script, or a command in its executor settings.',
          ),
        ];
      const valueInCode = command === null ? null : findValueInCode(command, args);
      if (valueInCode !== null) return [problem('executorConfig.args', valueInCode)];
      return unknownParameters(content, 'executorConfig.args', [
        ...findPlaceholders(args).parameters,
      ]);
    }
    case 'http': {
      const { url, query, headers, body } = content.executorConfig;
      const names = new Set(
        [url, query, headers, body].flatMap((part) => [...findPlaceholders(part).parameters]),
      );
      return [
        ...checkUrl(url),
        ...unknownParameters(content, 'executorConfig', [...names]),
        ...unusedSecrets(content),
      ];
    }
    case 'mcp':
      return [
        ...unknownParameters(content, 'executorConfig.arguments', [
          ...findPlaceholders(content.executorConfig.arguments).parameters,
        ]),
        ...unusedSecrets(content),
      ];
  }
}

/** Only scripts get a secret without a place for it. */
function unusedSecrets({ executorConfig }: ToolContent): ToolProblem[] {
  const used = findPlaceholders(executorConfig).secrets;
  return executorConfig.secrets
    .filter((name) => !used.has(name))
    .map((name) =>
      problem(
        'executorConfig.secrets',
        `No setting uses the secret ${name}. Insert it as \${secret:${name}}, or remove it.`,
      ),
    );
}

function checkUrl(url: string): ToolProblem[] {
  const field = 'executorConfig.url';
  const [, scheme, host] = /^([a-z]+):\/\/([^/?#]*)/i.exec(url) ?? [];
  if (
    scheme === undefined ||
    !['http', 'https'].includes(scheme.toLowerCase()) ||
    host === undefined ||
    host === ''
  )
    return [problem(field, 'The address begins with http:// or https:// and a host.')];
  // Choosing the host would mean choosing who gets the headers.
  if (/\{\{|\$\{/.test(host))
    return [
      problem(
        field,
        'The host is fixed: parameters and secrets can be used in path and query only.',
      ),
    ];
  if (host.includes('@'))
    return [
      problem(
        field,
        'Put a user name and a password into a header with ${secret:name}, not into the address.',
      ),
    ];
  return URL.canParse(url.replaceAll(/\{\{[^}]*\}\}|\$\{[^}]*\}/g, 'x'))
    ? []
    : [problem(field, "This isn't a URL.")];
}

/** Placeholders that the input schema does not list, unless the schema allows other names. */
function unknownParameters(
  { inputSchema }: ToolContent,
  field: string,
  names: readonly string[],
): ToolProblem[] {
  const properties = inputSchema['properties'];
  const listed = isJsonObject(properties) ? properties : {};
  const allowsAnyParameter =
    inputSchema['additionalProperties'] !== undefined &&
    inputSchema['additionalProperties'] !== false;
  if (
    allowsAnyParameter ||
    inputSchema['patternProperties'] !== undefined ||
    inputSchema['$ref'] !== undefined ||
    inputSchema['allOf'] !== undefined
  )
    return [];
  return names.flatMap((name) => {
    const [first = ''] = name.split('.');
    return Object.hasOwn(listed, first)
      ? []
      : [problem(field, `{{${name}}} names no parameter of the input schema.`)];
  });
}
