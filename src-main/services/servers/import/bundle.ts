// The entry for Node also starts threads, which nothing here needs.
import { unzipSync } from 'fflate/browser';
import { decodeText } from '../../../../src-shared/display/decodeText.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { ServerFileInput } from '../../../../src-shared/domain/serverImport.ts';
import { readClientEntry } from './clientEntry.ts';
import { readJsonSource } from './jsonSource.ts';
import { unreadableFile, problemAtStart, type FileSource, type ServerFile } from './serverFile.ts';

/**
 * Limits of a bundle. Only its manifest is unpacked; everything else is counted from the zip
 * directory, so that a zip bomb never unfolds.
 */
const limits = {
  files: 20_000,
  manifestBytes: 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
} as const;

class BundleError extends Error {}

/** Reads a `.mcpb` or `.dxt` bundle, given as base64. */
export function readBundle(base64: string): ServerFile {
  let manifest: string;
  try {
    manifest = unpackManifest(Buffer.from(base64, 'base64'));
  } catch (error) {
    return unreadableFile(
      problemAtStart(
        error instanceof BundleError
          ? error.message
          : `The bundle can't be unpacked (${errorText(error)}).`,
      ),
    );
  }
  const source = readJsonSource(manifest);
  if ('problems' in source)
    return unreadableFile(
      ...source.problems.map((problem) => ({
        ...problem,
        message: `manifest.json: ${problem.message}`,
      })),
    );
  return isJsonObject(source.value)
    ? readManifest(source, source.value)
    : unreadableFile(source.problemAt([], "manifest.json: It isn't an object."));
}

function unpackManifest(bytes: Buffer): string {
  let files = 0;
  let total = 0;
  const declared: number[] = [];
  const unpacked = unzipSync(bytes, {
    filter({ name, originalSize }) {
      files += 1;
      total += originalSize;
      if (files > limits.files)
        throw new BundleError(`The bundle lists more than ${limits.files} files.`);
      if (total > limits.totalBytes)
        throw new BundleError(
          `The bundle would unpack to more than ${limits.totalBytes / 1024 / 1024} MB.`,
        );
      if (escapesFolder(name))
        throw new BundleError(
          'The bundle contains a file that would be written outside its folder: ' +
            `${JSON.stringify(name.slice(0, 200))}.`,
        );
      if (name !== 'manifest.json') return false;
      if (declared.length > 0)
        throw new BundleError('The bundle contains two files named manifest.json.');
      if (originalSize > limits.manifestBytes)
        throw new BundleError(
          `manifest.json is larger than ${limits.manifestBytes / 1024 / 1024} MB.`,
        );
      declared.push(originalSize);
      return true;
    },
  })['manifest.json'];
  if (unpacked === undefined) throw new BundleError('The bundle contains no manifest.json.');
  if (unpacked.length !== declared[0])
    throw new BundleError('manifest.json is not as large as the bundle says.');
  const { text, problem } = decodeText(unpacked);
  if (problem !== null)
    throw new BundleError(
      `manifest.json: line ${problem.line}, column ${problem.column}: ${problem.cause}`,
    );
  return text;
}

/** True for a path that would be written outside the folder that the bundle is unpacked into. */
function escapesFolder(name: string): boolean {
  return (
    name.startsWith('/') ||
    /^[A-Za-z]:/.test(name) ||
    name.includes('\u0000') ||
    name.split(/[\\/]/).includes('..') ||
    name.startsWith('\\')
  );
}

/** Reads a manifest: the command for this platform, and its `user_config` as inputs. */
export function readManifest(
  source: FileSource,
  root: JsonObject,
  platform: string = process.platform,
): ServerFile {
  const file: ServerFile = { format: 'bundle', entries: [], skipped: [], problems: [] };
  const name = typeof root['name'] === 'string' ? root['name'] : 'bundle';
  const server = isJsonObject(root['server']) ? root['server'] : {};
  const general = isJsonObject(server['mcp_config']) ? server['mcp_config'] : {};
  const overrides = isJsonObject(general['platform_overrides'])
    ? general['platform_overrides'][platform]
    : undefined;
  const { platform_overrides: _overrides, ...config } = {
    ...general,
    ...(isJsonObject(overrides) ? overrides : {}),
  };
  const fields = isJsonObject(root['user_config']) ? root['user_config'] : {};
  const lists = severalValues(fields);
  const expanded = Array.isArray(config['args'])
    ? { ...config, args: config['args'].flatMap((arg) => expandArgument(arg, lists)) }
    : config;
  const written = JSON.stringify(expanded).replace(
    /\$\{user_config\.([^}]+)\}/g,
    (_whole, id: string) => `\${input:${id}}`,
  );
  const read = readClientEntry(JSON.parse(written) as JsonObject);
  const place = source.problemAt(
    ['server', 'mcp_config', ...(read.readable ? [] : read.path)],
    read.readable ? '' : read.message,
  );
  if (!read.readable) file.skipped.push({ name, problem: place });
  else {
    const warnings = written.includes('${__dirname}')
      ? [
          'Its program is in the bundle. Unpack the bundle, and replace ${__dirname} with the' +
            ' folder before you connect to the server.',
        ]
      : [];
    file.entries.push({
      name,
      config: read.config,
      extra: {},
      notCarried: read.notCarried,
      inputs: [...userConfig(fields, lists), ...read.inputs],
      warnings: [...warnings, ...listWarnings(fields, lists, expanded), ...read.warnings],
      line: place.line,
      column: place.column,
    });
  }
  return file;
}

type Plain = string | number | boolean;
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** The default values of fields that have a list of them, by the field's name. */
const severalValues = (fields: JsonObject): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(fields).flatMap(([id, field]) =>
      isJsonObject(field) && Array.isArray(field['default'])
        ? [[id, field['default'].filter(isPlain).map(String)] as const]
        : [],
    ),
  );

/** The name of the input with one of several values: `folders`, `folders_2`, … */
const inputName = (id: string, index: number): string => (index === 0 ? id : `${id}_${index + 1}`);

const wholeField = /^\$\{user_config\.([^}]+)\}$/u;

/** MCPB: an argument that is nothing but a field with several values becomes one for each of them. */
function expandArgument(
  argument: JsonValue,
  lists: ReadonlyMap<string, readonly string[]>,
): JsonValue[] {
  const id = typeof argument === 'string' ? wholeField.exec(argument)?.[1] : undefined;
  const values = id === undefined ? undefined : lists.get(id);
  if (id === undefined || values === undefined || values.length < 2) return [argument];
  return values.map((_, index) => `\${user_config.${inputName(id, index)}}`);
}

/** What of several values can't be carried over as it is. */
function listWarnings(
  fields: JsonObject,
  lists: ReadonlyMap<string, readonly string[]>,
  config: JsonObject,
): string[] {
  const { args = [], ...others } = config;
  const inText = JSON.stringify([
    others,
    Array.isArray(args)
      ? args.filter((arg) => typeof arg !== 'string' || !wholeField.test(arg))
      : args,
  ]);
  return Object.entries(fields).flatMap(([id, field]) => {
    if (!isJsonObject(field)) return [];
    const several = (lists.get(id)?.length ?? 0) > 1;
    if (several && inText.includes(`\${user_config.${id}}`))
      return [
        `"${id}" has several default values, and one text takes them: only the first is filled in.`,
      ];
    return field['multiple'] === true && !several
      ? [`"${id}" takes several values: for more than one, add arguments to the server.`]
      : [];
  });
}

function userConfig(
  fields: JsonObject,
  lists: ReadonlyMap<string, readonly string[]>,
): ServerFileInput[] {
  return Object.entries(fields).flatMap(([id, field]) => {
    if (!isJsonObject(field)) return [];
    const { default: given, title, description } = field;
    const words = typeof description === 'string' ? description : title;
    const values = lists.get(id) ?? (isPlain(given) ? [String(given)] : []);
    return (values.length === 0 ? [null] : values).map((value, index) => ({
      id: inputName(id, index),
      description: typeof words === 'string' ? words : null,
      password: field['sensitive'] === true,
      default: value,
    }));
  });
}
