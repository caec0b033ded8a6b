import { orElse } from '../../../../src-shared/domain/orElse.ts';
import { isJsonObject } from '../../../../src-shared/domain/json.ts';
import { readJsonSource } from './jsonSource.ts';
import { unreadableFile, problemAtStart, type ServerFile } from './serverFile.ts';
import { readEntry, readInputs } from './tableEntries.ts';

/**
 * Recognizes links that install a server in other programs, and web pages that redirect to them.
 */
export const isInstallLink = (text: string): boolean =>
  /^\s*(?:cursor|lmstudio|vscode|vscode-insiders|https):\S+\s*$/i.test(text);

/**
 * Reads `cursor://…/mcp/install?name&config`, `lmstudio://add_mcp?name&config` and
 * `vscode:mcp/install?{json}`.
 */
export function readInstallLink(text: string): ServerFile {
  const found = parseLink(text.trim());
  if (found === null)
    return unreadableFile(
      problemAtStart(
        "It isn't a supported install link. Links of Cursor, LM Studio and VS Code are supported.",
      ),
    );
  const source = readJsonSource(found.json);
  const inLink = (message: string) => ({
    ...problemAtStart(`In the link's configuration: ${message}`),
  });
  if ('problems' in source)
    return unreadableFile(...source.problems.map(({ message }) => inLink(message)));
  if (!isJsonObject(source.value)) return unreadableFile(inLink("It isn't an object."));
  const { name: own, inputs, ...entry } = source.value;
  const name = found.name ?? (typeof own === 'string' && own !== '' ? own : 'server');
  const file: ServerFile = { format: 'link', entries: [], skipped: [], problems: [] };
  readEntry(
    file,
    {
      value: entry,
      problemAt: (path, message) => ({ line: 1, column: 1, path: path.join('/'), message }),
    },
    { name, path: [], rest: entry },
    { inputs: readInputs(inputs) },
  );
  return file;
}

function parseLink(link: string): { name: string | null; json: string } | null {
  let url: URL;
  try {
    url = new URL(link);
  } catch {
    return null;
  }
  const { protocol, searchParams: query } = url;
  const isVscodeLink =
    /^vscode(?:-insiders)?:$/.test(protocol) &&
    /^\/*mcp\/install\/?$/.test(`${url.host}${url.pathname}`.replace(/^\/+/, ''));
  if (isVscodeLink) return decodeQuery(url.search.slice(1));
  const config = query.get('config');
  const known =
    protocol === 'cursor:' ||
    protocol === 'lmstudio:' ||
    (protocol === 'https:' &&
      /(?:^|\.)(?:cursor\.com|lmstudio\.ai|vscode\.dev)$/.test(url.hostname));
  if (!known) return null;
  const target = query.get('url');
  if (config === null)
    return target !== null && /^vscode(?:-insiders)?:mcp\/install\?/.test(target)
      ? parseLink(target)
      : null;
  // Query parsing turns + into a space, and base64 contains no spaces.
  const json = config.trimStart().startsWith('{')
    ? config
    : Buffer.from(config.replaceAll(' ', '+'), 'base64').toString('utf8');
  return { name: query.get('name'), json };
}

function decodeQuery(query: string): { name: null; json: string } | null {
  return orElse(() => ({ name: null, json: decodeURIComponent(query) }), null);
}
