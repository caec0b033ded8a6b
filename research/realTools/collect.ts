/**
 * Writes `real_tools_v1.json.br` (v2, v3, v4): the tools of public MCP servers, as Touchstone
 * lists them.
 *
 *   node research/realTools/collect.ts CACHE_FOLDER v1|v2|v3|v4
 *
 * Installs each package of `servers.v1.json` (v2, v3, v4) from npm without running its install
 * scripts, starts it in a network namespace that has only loopback, and keeps the definitions of
 * packages whose license allows passing them on; v4 keeps at most 60 of a server. Needs Linux with
 * `unshare`, and the npm registry. A server that was listed before is read from the cache folder,
 * so that an interrupted run goes on.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { allowsRedistribution } from '../../src-shared/domain/licenses.ts';
import { sha256 } from '../../src-main/runtime/sha256.ts';
import { writeCompressed } from '../compressed.ts';
import { realToolsFile, versions } from './realTools.ts';

const serverEntry = z.strictObject({
  package: z.string(),
  version: z.string(),
  /** The file that `node` runs, in the package. */
  file: z.string(),
  arguments: z.array(z.string()),
  /** Placeholders: a server that needs a real key to list its tools is not in the list. */
  environment: z.record(z.string(), z.string()),
});
type ServerEntry = z.infer<typeof serverEntry>;

const listing = z.object({
  tools: z.array(
    z.looseObject({
      name: z.string(),
      description: z.string().nullish(),
      input_schema: z.unknown(),
      output_schema: z.unknown().optional(),
    }),
  ),
});
const manifest = z.looseObject({
  license: z
    .union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)])
    .catch('none stated')
    .transform((name) => (name === 'Apache 2.0' ? 'Apache-2.0' : name)),
});

const program = resolve(import.meta.dirname, '../../bin/touchstone.mjs');
const [cacheFolder, given] = process.argv.slice(2);
if (cacheFolder === undefined) throw new Error('Name the cache folder as the first argument.');
const version = versions.find((known) => known === given);
if (version === undefined) throw new Error(`Give ${versions.join(', ')} as the second argument.`);
const listMs = 60_000;
const mostTools = version === 'v4' ? 60 : Infinity;

/** The most tools that a version keeps of a server: those with the longest descriptions. */
function capped<T extends { description?: string | null | undefined }>(all: readonly T[]): T[] {
  const length = ({ description }: T): number => description?.length ?? 0;
  const kept = new Set(all.toSorted((a, b) => length(b) - length(a)).slice(0, mostTools));
  return all.filter((tool) => kept.has(tool));
}

async function run(
  command: readonly string[],
  { cwd, ms }: { cwd: string; ms: number },
): Promise<string> {
  const [name = '', ...args] = command;
  const child = spawn(name, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGTERM'), ms);
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
  const code = await new Promise<number | null>((settle, reject) => {
    child.once('error', reject);
    child.once('close', settle);
  });
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${texts.err.trim().slice(-300)}`);
  return texts.out;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Lists the tools of an installed package with Touchstone, without a network. */
async function list(entry: ServerEntry, folder: string): Promise<z.infer<typeof listing>> {
  const file = join(folder, 'node_modules', entry.package, entry.file);
  const environment = Object.entries(entry.environment).map(([name, value]) => `${name}=${value}`);
  const command = ['env', ...environment, process.execPath, file, ...entry.arguments];
  const touchstone = [
    ...[process.execPath, program, 'tools', '--stdio', command.map(quoted).join(' ')],
    ...['--json', '--quiet', '--workspace', join(folder, 'workspace')],
  ];
  const text = await run(
    ['unshare', '-rn', 'sh', '-c', 'ip link set lo up; exec "$@"', 'sh', ...touchstone],
    { cwd: folder, ms: listMs },
  );
  return listing.parse(JSON.parse(text));
}

async function copyrightOf(root: string): Promise<string | null> {
  const name = (await readdir(root)).find((file) => /^licen[cs]e(\.\w+)?$/i.test(file));
  if (name === undefined) return null;
  const text = await readFile(join(root, name), 'utf8');
  return /^\s*copyright\s.*\d{4}.*$/im.exec(text)?.[0].trim() ?? null;
}

async function collect(entry: ServerEntry, cache: string) {
  const folder = join(cache, `${entry.package}@${entry.version}`.replaceAll('/', '__'));
  const kept = join(folder, 'listed.json');
  const known = await readFile(kept, 'utf8').catch(() => null);
  const root = join(folder, 'node_modules', entry.package);
  if (known === null) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const options = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--silent'];
    await run(['npm', 'install', ...options, `${entry.package}@${entry.version}`], {
      cwd: folder,
      ms: 300_000,
    });
    await writeFile(kept, JSON.stringify(await list(entry, folder)));
  }
  const { tools } = listing.parse(JSON.parse(known ?? (await readFile(kept, 'utf8'))));
  const about = manifest.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  return { tools, license: about.license, copyright: await copyrightOf(root) };
}

const entries = z
  .array(serverEntry)
  .parse(JSON.parse(await readFile(join(import.meta.dirname, `servers.${version}.json`), 'utf8')));
const servers: Record<string, { version: string; license: string; copyright: string | null }> = {};
const tools: object[] = [];
const left: string[] = [];
for (const entry of entries) {
  try {
    const found = await collect(entry, resolve(cacheFolder));
    if (!allowsRedistribution(found.license)) {
      left.push(`${entry.package}: its license, ${found.license}, does not allow passing texts on`);
      continue;
    }
    const server = entry.package;
    servers[server] = {
      version: entry.version,
      license: found.license,
      copyright: found.copyright,
    };
    const kept = capped(found.tools);
    for (const { name, description, input_schema: schema, output_schema: output } of kept)
      tools.push({
        tool_id: `${server}:${name}`,
        server,
        tool: name,
        description: description ?? '',
        schema,
        ...(output == null ? {} : { output_schema: output }),
      });
    process.stderr.write(`${server}: ${kept.length} tools\n`);
  } catch (error) {
    left.push(`${entry.package}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
const corpus = {
  version: `real_tools_${version}`,
  license: 'see servers',
  generated_from: {
    source: 'public MCP servers on npm',
    note: 'The tools of these packages as listed without a network; texts are their authors’.',
  },
  servers,
  tools,
};
const lines = tools.map((tool) => JSON.stringify(tool)).join(',\n');
const text = JSON.stringify({ ...corpus, tools: [] }, null, 1).replace(
  /"tools": \[\]\n\}$/,
  () => `"tools": [\n${lines}\n]\n}\n`,
);
writeCompressed(realToolsFile(version), text);
process.stderr.write(
  `${tools.length} tools of ${Object.keys(servers).length} servers, SHA-256 ${sha256(text)}. Left out:\n${left.join('\n')}\n`,
);
