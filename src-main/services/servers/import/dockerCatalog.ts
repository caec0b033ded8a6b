import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ServerFileInput } from '../../../../src-shared/domain/serverImport.ts';
import { addLaunch } from './registryFile.ts';
import { firstList, firstText, type Launch } from './registryValues.ts';
import type { FileSource, ServerFile } from './serverFile.ts';

// Follows docs/server-entry-spec.md of docker/mcp-gateway.

const isServer = (value: unknown): value is JsonObject =>
  isJsonObject(value) &&
  ((typeof value['image'] === 'string' && typeof value['type'] === 'string') ||
    (isJsonObject(value['remote']) && typeof value['remote']['url'] === 'string'));

/** A catalog, which has its servers under `registry`, or the entry of one server. */
export const isDockerCatalog = (root: JsonObject): boolean =>
  isServer(root) ||
  (isJsonObject(root['registry']) && Object.values(root['registry']).some(isServer));

/** Reads each server of a catalog as the command or the address that the gateway uses. */
export function readDockerCatalog(source: FileSource, root: JsonObject): ServerFile {
  const file: ServerFile = { format: 'docker', entries: [], skipped: [], problems: [] };
  const servers = isJsonObject(root['registry'])
    ? Object.entries(root['registry'])
    : [[firstText(root, 'name') ?? 'server', root] as const];
  for (const [name, server] of servers)
    addLaunch(file, source, {
      name,
      at: isJsonObject(root['registry']) ? ['registry', name] : [],
      made: isJsonObject(server) ? toLaunch(server) : { refused: 'A server is an object.' },
    });
  return file;
}

/** What describes a server, or is read elsewhere. */
const described = new Set(
  (
    'name title type image description icon command volumes user remote secrets env config tools ' +
    'metadata disableNetwork readme toolsUrl source upstream ref prompts resources dateAdded'
  ).split(' '),
);

function toLaunch(server: JsonObject): Launch {
  const inputs: ServerFileInput[] = [];
  const properties = firstList(server, 'config').flatMap((each) =>
    isJsonObject(each['properties']) ? Object.entries(each['properties']) : [],
  );
  const input = (id: string, password: boolean, field: JsonObject = {}): string => {
    const given = field['default'];
    if (!inputs.some((each) => each.id === id))
      inputs.push({
        id,
        description: firstText(field, 'description'),
        password,
        default: given === undefined || typeof given === 'object' ? null : String(given),
      });
    return `\${input:${id}}`;
  };
  /** `{{server.name|filter}}` is a value that a person enters. */
  const filled = (value: unknown): string =>
    String(value).replace(/\{\{\s*([\w.-]+)[^{}]*\}\}/g, (_whole, id: string) => {
      const [, field] = properties.find(([name]) => id.endsWith(`.${name}`)) ?? [];
      return input(id, false, isJsonObject(field) ? field : {});
    });
  const secrets = firstList(server, 'secrets').flatMap((secret): [string, string][] => {
    const [env, id] = [firstText(secret, 'env'), firstText(secret, 'name')];
    return env === null || id === null
      ? []
      : [[env, input(id, true, { ...secret, default: null })]];
  });
  const rest = Object.fromEntries(Object.entries(server).filter(([key]) => !described.has(key)));
  const { remote, image } = server;
  if (isJsonObject(remote)) {
    const values = new Map(secrets);
    const withSecrets = (value: unknown): string =>
      filled(value).replace(/\$\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole);
    const headers = isJsonObject(remote['headers']) ? Object.entries(remote['headers']) : [];
    const entry = {
      ...rest,
      type: firstText(remote, 'transport_type') ?? 'http',
      url: withSecrets(remote['url']),
      headers: Object.fromEntries(headers.map(([name, value]) => [name, withSecrets(value)])),
    };
    return { entry, inputs, warnings: [] };
  }
  if (typeof image !== 'string')
    return {
      refused: `It is of the type ${JSON.stringify(server['type'])} and has no image that stays up.`,
    };
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(filled) : []);
  const env: [string, string][] = [
    ...firstList(server, 'env').flatMap((each): [string, string][] => {
      const name = firstText(each, 'name');
      return name === null ? [] : [[name, filled(each['value'] ?? '')]];
    }),
    ...secrets,
  ];
  const args = [
    ...['run', '-i', '--rm'],
    ...env.flatMap(([name]) => ['-e', name]),
    ...texts(server['volumes']).flatMap((volume) => ['-v', volume]),
    ...(server['user'] === undefined ? [] : ['-u', filled(server['user'])]),
    ...(server['disableNetwork'] === true ? ['--network', 'none'] : []),
    image,
    ...texts(server['command']),
  ];
  return {
    entry: { ...rest, command: 'docker', args, env: Object.fromEntries(env) },
    inputs,
    warnings: [],
  };
}
