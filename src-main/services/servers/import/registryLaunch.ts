import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { firstList, RegistryValues, firstText, type Launch } from './registryValues.ts';

/**
 * Makes the command that starts a published package: npx, uvx, docker or dnx with its pinned
 * version.
 */
export function toPackageLaunch(item: JsonObject): Launch {
  const kind = firstText(item, 'registryType', 'registry_type', 'registry_name') ?? 'unknown';
  const identifier = firstText(item, 'identifier', 'name');
  if (identifier === null) return { refused: 'The package has no identifier.' };
  const transport = isJsonObject(item['transport']) ? firstText(item['transport'], 'type') : null;
  if (transport !== null && transport !== 'stdio')
    return {
      refused:
        `The package listens over ${transport} once started. Start it yourself and add ` +
        'its address.',
    };

  const values = new RegistryValues();
  const runtimeArguments = readArguments(
    firstList(item, 'runtimeArguments', 'runtime_arguments'),
    values,
  );
  const packageArguments = readArguments(
    firstList(item, 'packageArguments', 'package_arguments'),
    values,
  );
  const env = firstList(item, 'environmentVariables', 'environment_variables').flatMap(
    (field): [string, JsonValue][] => {
      const name = firstText(field, 'name');
      const value = name === null ? null : values.resolveField(field, name);
      return name === null || value === null ? [] : [[name, value]];
    },
  );
  const command = commandFor(kind, {
    identifier,
    version: firstText(item, 'version'),
    hint: firstText(item, 'runtimeHint', 'runtime_hint'),
    runtimeArguments,
    packageArguments,
    variableNames: env.map(([name]) => name),
  });
  if (command === null)
    return {
      refused:
        kind === 'mcpb'
          ? 'It is a bundle. Download it and import the file.'
          : `Packages of kind ${kind} can't be started here: npm, pypi, oci and nuget can.`,
    };
  const [first = '', ...args] = command;
  return {
    entry: { command: first, args, env: Object.fromEntries(env) },
    inputs: values.inputs,
    warnings: values.warnings,
  };
}

interface CommandParts {
  identifier: string;
  version: string | null;
  hint: string | null;
  runtimeArguments: string[];
  packageArguments: string[];
  variableNames: string[];
}

function commandFor(
  kind: string,
  { identifier, version, hint, runtimeArguments, packageArguments, variableNames }: CommandParts,
): string[] | null {
  const pinned = (sign: string): string =>
    version === null || version === 'latest' ? identifier : `${identifier}${sign}${version}`;
  switch (kind) {
    case 'npm': {
      const command = hint ?? 'npx';
      const confirmFlag =
        command === 'npx' && !runtimeArguments.includes('-y') && !runtimeArguments.includes('--yes')
          ? ['-y']
          : [];
      return [command, ...confirmFlag, ...runtimeArguments, pinned('@'), ...packageArguments];
    }
    case 'pypi':
      return [
        hint ?? 'uvx',
        ...runtimeArguments,
        pinned((hint ?? 'uvx') === 'uvx' ? '@' : '=='),
        ...packageArguments,
      ];
    case 'nuget':
      return [
        hint ?? 'dnx',
        ...runtimeArguments,
        pinned('@'),
        '--yes',
        ...(packageArguments.length > 0 ? ['--', ...packageArguments] : []),
      ];
    case 'oci':
    case 'docker': {
      const tagged = /[:@][^/]*$/.test(identifier) ? identifier : pinned(':');
      const start =
        runtimeArguments[0] === 'run'
          ? runtimeArguments
          : ['run', '-i', '--rm', ...runtimeArguments];
      return [
        hint ?? 'docker',
        ...start,
        ...variableNames.flatMap((name) => ['-e', name]),
        tagged,
        ...packageArguments,
      ];
    }
    default:
      return null;
  }
}

/** Named arguments without any value are flags. */
function readArguments(fields: readonly JsonObject[], values: RegistryValues): string[] {
  return fields.flatMap((field) => {
    const name = firstText(field, 'name');
    const hint = firstText(field, 'valueHint', 'value_hint');
    if (field['type'] !== 'named') {
      const value = values.resolveField(field, hint ?? name ?? 'argument');
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
    const value = values.resolveField(field, name.replace(/^-+/, ''));
    return value === null ? [] : [name, value];
  });
}
