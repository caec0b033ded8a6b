import type { ServerConfig } from './server.ts';

/** Programs that start what a later word names. */
const runners = new Set(
  (
    'npx npm pnpm pnpx yarn bun bunx node nodejs tsx ts-node deno uv uvx pipx python python3 py ' +
    'docker podman go cargo dotnet dnx java ruby php env sh bash cmd'
  ).split(' '),
);
/** Their commands, which stand before that word. */
const verbs = new Set('run exec dlx x tool container start script /c'.split(' '));
/** Flags of runners that are followed by a value. */
const valued = new Set(
  (
    '-e --env --env-file -v --volume --mount --name --network -p --publish -u --user -w ' +
    '--workdir --entrypoint --platform --from --with --python --project --directory -C --prefix ' +
    '--cwd --import -r --require --loader --add-host'
  ).split(' '),
);
/** Flags whose value is what is started. */
const naming = new Set(['-jar', '--package']);
/** Names of files and folders that say nothing about the server. */
const generic = new Set(
  'index main server cli app dist build out src bin lib mcp stdio'.split(' '),
);

/**
 * A name for a server that has none, from what it is reached by: the package, the file or the image
 * that its command starts, the host of its address, the last folder of its skills. Never empty,
 * without a colon, at most 100 characters.
 */
export function nameOfConfig(config: ServerConfig): string {
  const found =
    config.transport === 'stdio'
      ? nameOfCommand([config.command, ...config.args], config.cwd)
      : config.transport === 'skills'
        ? lastSaying(config.folder)
        : nameOfAddress(config.url);
  const clean = (found ?? '')
    .replace(/[:\p{Cc}\s]+/gu, '-')
    .slice(0, 100)
    .replace(/^[-.]+|[-.]+$/g, '');
  return clean === '' ? 'server' : clean;
}

function nameOfCommand([command = '', ...args]: string[], cwd: string | null): string | null {
  const program = fileName(command);
  if (!runners.has(program.toLowerCase())) return lastSaying(command);
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '-m') return lastSaying((args[at + 1] ?? '').replaceAll('.', '/'));
    if (naming.has(word)) return lastSaying(args[at + 1] ?? '');
    if (word.startsWith('-')) {
      if (valued.has(word)) at += 1;
    } else if (!verbs.has(word) && !runners.has(word) && !/^\w+=/.test(word))
      return lastSaying(word) ?? lastSaying(cwd ?? '');
  }
  return lastSaying(cwd ?? '') ?? program;
}

/** Without folders and the ending. */
const fileName = (path: string): string =>
  (path.split(/[\\/]/).at(-1) ?? '').replace(
    /\.(?:exe|cmd|bat|[cm]?[jt]sx?|py|rb|jar|sh|php)$/i,
    '',
  );

/** The last part of a path, package or image that says something: `@acme/mcp` is `acme`. */
function lastSaying(path: string): string | null {
  const parts = path.split(/[\\/]/).map((part) => withoutVersion(fileName(part)));
  const saying = parts.findLast((part) => /\w/.test(part) && !generic.has(part.toLowerCase()));
  return saying === undefined ? null : withoutKind(saying.replace(/^@/, ''));
}

const withoutVersion = (part: string): string => part.replace(/(?<=.)(?:@|==|:).*$/, '');

/** `mcp-server-git`, `github-mcp-server` and `notion-mcp` without what every server is called. */
function withoutKind(name: string): string {
  const bare = name
    .replace(/^(?:mcp[-_])?server[-_]|^mcp[-_]/i, '')
    .replace(/[-_](?:mcp|server|mcp[-_]server|server[-_]mcp)$/i, '');
  return /\w/.test(bare) ? bare : name;
}

/** `linear` of `https://mcp.linear.app/sse`; a host of this machine keeps its port. */
function nameOfAddress(address: string): string | null {
  const [, host = '', port] =
    /^https?:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/:?#]+)(?::(\d+))?/i.exec(address.trim()) ?? [];
  if (/^\[|^[\d.]+$|^localhost$/i.test(host))
    return [host.replace(/[[\]]/g, ''), port].filter(Boolean).join('-');
  const labels = host.split('.').filter((label) => !/^(?:www|mcp|api|server)$/i.test(label));
  return withoutKind(labels[0] ?? host);
}
