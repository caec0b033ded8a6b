import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { listOf, RegistryValues, textOf, type Launch } from './registryValues.ts';

/** The command that starts a published package: npx, uvx, docker or dnx with its pinned version. */
export function launchPackage(item: JsonObject): Launch {
  const kind = textOf(item, 'registryType', 'registry_type', 'registry_name') ?? 'unknown';
  const identifier = textOf(item, 'identifier', 'name');
  if (identifier === null) return { refused: 'The package has no identifier.' };
  const transport = isJsonObject(item['transport']) ? textOf(item['transport'], 'type') : null;
  if (transport !== null && transport !== 'stdio')
    return {
      refused: `The package listens over ${transport} once it is started. Start it yourself and add its address.`,
    };

  const values = new RegistryValues();
  const runtime = argumentsOf(listOf(item, 'runtimeArguments', 'runtime_arguments'), values);
  const own = argumentsOf(listOf(item, 'packageArguments', 'package_arguments'), values);
  const env = listOf(item, 'environmentVariables', 'environment_variables').flatMap(
    (field): [string, JsonValue][] => {
      const name = textOf(field, 'name');
      const value = name === null ? null : values.valueOf(field, name);
      return name === null || value === null ? [] : [[name, value]];
    },
  );
  const command = commandFor(kind, {
    identifier,
    version: textOf(item, 'version'),
    hint: textOf(item, 'runtimeHint', 'runtime_hint'),
    runtime,
    own,
    names: env.map(([name]) => name),
  });
  if (command === null)
    return {
      refused:
        kind === 'mcpb'
          ? 'It is a bundle. Download the bundle and import that.'
          : `Packages of kind ${kind} can't be started here: npm, pypi, oci and nuget can.`,
    };
  const [first = '', ...args] = command;
  return {
    entry: { command: first, args, env: Object.fromEntries(env) },
    inputs: values.inputs,
    warnings: values.warnings,
  };
}

interface Parts {
  identifier: string;
  version: string | null;
  hint: string | null;
  runtime: string[];
  own: string[];
  names: string[];
}

function commandFor(
  kind: string,
  { identifier, version, hint, runtime, own, names }: Parts,
): string[] | null {
  const pinned = (sign: string): string =>
    version === null || version === 'latest' ? identifier : `${identifier}${sign}${version}`;
  switch (kind) {
    case 'npm': {
      const command = hint ?? 'npx';
      const silent =
        command === 'npx' && !runtime.includes('-y') && !runtime.includes('--yes') ? ['-y'] : [];
      return [command, ...silent, ...runtime, pinned('@'), ...own];
    }
    case 'pypi':
      return [hint ?? 'uvx', ...runtime, pinned((hint ?? 'uvx') === 'uvx' ? '@' : '=='), ...own];
    case 'nuget':
      return [
        hint ?? 'dnx',
        ...runtime,
        pinned('@'),
        '--yes',
        ...(own.length > 0 ? ['--', ...own] : []),
      ];
    case 'oci':
    case 'docker': {
      const tagged = /[:@][^/]*$/.test(identifier) ? identifier : pinned(':');
      const start = runtime[0] === 'run' ? runtime : ['run', '-i', '--rm', ...runtime];
      return [hint ?? 'docker', ...start, ...names.flatMap((name) => ['-e', name]), tagged, ...own];
    }
    default:
      return null;
  }
}

function argumentsOf(fields: readonly JsonObject[], values: RegistryValues): string[] {
  return fields.flatMap((field) => {
    const name = textOf(field, 'name');
    const hint = textOf(field, 'valueHint', 'value_hint');
    if (field['type'] !== 'named') {
      const value = values.valueOf(field, hint ?? name ?? 'argument');
      return value === null ? [] : [value];
    }
    if (name === null) return [];
    const isFlag =
      field['value'] === undefined &&
      field['default'] === undefined &&
      hint === null &&
      field['isRequired'] !== true &&
      field['is_required'] !== true;
    if (isFlag) return [name];
    const value = values.valueOf(field, name.replace(/^-+/, ''));
    return value === null ? [] : [name, value];
  });
}
