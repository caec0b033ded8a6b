import type { ServerConfig } from '../../../src-shared/domain/server.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Matches `${env:NAME}`, `${input:id}`, `${secret:name}`, `${NAME:-default}`, `${NAME}` and `${/}`.
 * Anything else, including a shell's own syntax, stays unchanged.
 */
const reference =
  /\$\{(?:env:([^{}\s]+)|input:([^{}]+)|([A-Za-z_]\w*)(?::-([^{}]*))?|(\/)|secret:([^{}]+))\}/g;

export interface ExpandedConfig {
  config: ServerConfig;
  /** References without a value as written, without duplicates. */
  unresolved: string[];
}

/**
 * Replaces references in command, arguments, working folder, environment values, address and header
 * values (docs/rules.md §1). Inserted values are not expanded again. `inputs` has the values of
 * `${input:id}` by id, `secrets` those of `${secret:name}` by name.
 */
export function expandVariables(
  config: ServerConfig,
  environment: Environment,
  inputs: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>> = {},
): ExpandedConfig {
  const unresolved = new Set<string>();
  const lookUp = (
    whole: string,
    environmentName?: string,
    input?: string,
    name?: string,
    defaultValue?: string,
    secret?: string,
  ): string | undefined => {
    if (secret !== undefined) return ownValue(secrets, secret);
    if (environmentName !== undefined) return ownValue(environment, environmentName);
    if (input !== undefined) return ownValue(inputs, input);
    if (name === undefined) return whole === '${/}' ? separator(environment) : undefined;
    const value = ownValue(environment, name);
    if (defaultValue !== undefined)
      return value === undefined || value === '' ? defaultValue : value;
    return value ?? wellKnownValue(name, environment);
  };
  const expand = (text: string): string =>
    text.replace(reference, (whole: string, ...groups: (string | undefined)[]) => {
      const value = lookUp(whole, groups[0], groups[1], groups[2], groups[3], groups[5]);
      if (value === undefined) unresolved.add(whole);
      return value ?? whole;
    });
  const expandValues = (pairs: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, expand(value)]));
  const expanded: ServerConfig =
    config.transport === 'stdio'
      ? {
          ...config,
          command: expand(config.command),
          args: config.args.map(expand),
          cwd: config.cwd === null ? null : expand(config.cwd),
          env: expandValues(config.env),
        }
      : config.transport === 'skills'
        ? { ...config, folder: expand(config.folder) }
        : { ...config, url: expand(config.url), headers: expandValues(config.headers) };
  return { config: expanded, unresolved: [...unresolved] };
}

/** All references in a configuration, without duplicates. */
export function referencesIn(config: ServerConfig): string[] {
  return [...new Set(textsOf(config).flatMap((text) => text.match(reference) ?? []))];
}

/** All texts of a configuration that may contain references. */
function textsOf(config: ServerConfig): string[] {
  if (config.transport === 'skills') return [config.folder];
  return config.transport === 'stdio'
    ? [config.command, ...config.args, config.cwd ?? '', ...Object.values(config.env)]
    : [config.url, ...Object.values(config.headers)];
}

/** The environment variable of an input: `api-key` is `TOUCHSTONE_INPUT_API_KEY`. */
export const inputVariable = (id: string): string =>
  `TOUCHSTONE_INPUT_${id.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
export const workspaceVariable = 'TOUCHSTONE_WORKSPACE_FOLDER';

export function inputIds(config: ServerConfig): string[] {
  return referencesIn(config).flatMap(
    (reference) => /^\$\{input:(.+)\}$/.exec(reference)?.[1] ?? [],
  );
}

/**
 * Values of all inputs of a configuration: from the environment, or else the defaults of its file.
 */
export function inputValues(
  config: ServerConfig,
  environment: Environment,
  defaults: readonly { id: string; default: string | null }[],
): Record<string, string> {
  const values = inputIds(config).flatMap((id): [string, string][] => {
    const value =
      ownValue(environment, inputVariable(id)) ??
      defaults.find((input) => input.id === id)?.default;
    return value === undefined || value === null ? [] : [[id, value]];
  });
  return Object.fromEntries(values);
}

/** Variables that other programs define themselves, such as `userHome` in VS Code. */
function wellKnownValue(name: string, environment: Environment): string | undefined {
  if (name === 'userHome')
    return ownValue(environment, 'HOME') ?? ownValue(environment, 'USERPROFILE');
  if (name === 'workspaceFolder') return ownValue(environment, workspaceVariable);
  if (name === 'workspaceFolderBasename')
    return ownValue(environment, workspaceVariable)?.split(/[\\/]/).filter(Boolean).at(-1);
  return name === 'pathSeparator' ? separator(environment) : undefined;
}

const separator = (environment: Environment): string =>
  ownValue(environment, 'SystemRoot') === undefined ? '/' : '\\';
const ownValue = (values: Environment, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;
