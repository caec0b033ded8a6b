import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { stringify } from 'yaml';
import { findProjectFiles, type FoundFiles } from '../../../services/checks/findProjectFiles.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import type { DeclaredServer } from '../../../../src-shared/domain/projectServers.ts';
import { namedValues, type ServerConfig } from '../../../../src-shared/domain/server.ts';
import { databaseName } from '../../../app/openWorkspace.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { asSentence } from '../../../../src-shared/domain/asSentence.ts';
import type { CommandContext } from '../commandContext.ts';
import { define, inSession } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { workspaceOf } from '../session.ts';
import { listRegistered } from '../input/listTools.ts';
import { addDeclared } from '../input/projectServers.ts';
import { readToolsAt } from '../input/toolsAt.ts';
import { proposedSuite } from '../output/proposedSuite.ts';
import { projectFileName } from '../input/projectOptions.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';

const schemaName = 'touchstone.schema.json';

/** The suite that is proposed where a folder has none. */
const proposedName = 'touchstone.suite.yaml';

export const init = define({
  flags: {
    '--out <file>': { about: 'the file to write', default: projectFileName },
    '--force': 'replace an existing file',
  },
  example: 'init\n  touchstone check',
  async run({ options: { out, force = false }, ...context }) {
    const { output } = context;
    if (existsSync(out) && !force)
      throw new UsageError(`${out}: It exists already. Give --force to replace it.`);
    await checkOutput(out);
    const folder = dirname(resolve(out));
    const found = await findProjectFiles(folder);
    const [broken] = found.broken;
    if (found.suites.length === 0 && broken !== undefined)
      throw new UsageError(
        `${broken.path}:${broken.line}:${broken.column}: ${asSentence(broken.message)} It is the only suite here: ` +
          'correct it, and run `touchstone init` again.',
      );
    const taken = await fromWorkspace(context, folder, found, force);
    const source = taken.source ?? toolsSource(found);
    const proposed =
      found.suites.length === 0 ? await proposeSuite(context, folder, source, force) : null;
    const { text, used } = projectText(found, source, schemaPath(folder));
    await writeOutput(out, text);
    output.answer({ out, used, found, proposed: proposed?.path ?? null }, () => `Wrote ${out}.`);
    const lines = [...taken.notes, ...(proposed?.notes ?? []), ...notes(found)];
    if (source.from === 'nothing')
      lines.unshift(
        `No server was found: replace \`${placeholder}\` in ${out} by yours, or register it with ` +
          '`touchstone servers add`, and run `touchstone init --force`.',
      );
    for (const line of lines) output.note(line);
  },
});

/** What the check asks for tools: servers that it starts, a snapshot, or nothing that is known yet. */
type ToolsSource =
  | { from: 'servers'; servers: Record<string, DeclaredServer> }
  | { from: 'config'; path: string; servers: string[] }
  | { from: 'tools'; path: string }
  | { from: 'nothing' };

/** A living server before a snapshot, where it is one that the suite asks for. */
function toolsSource({ suites, clients, servers, tools }: FoundFiles): ToolsSource {
  const [suite] = suites;
  const wanted = suite?.servers ?? [];
  const client = clients.find((one) => wanted.every((name) => one.servers.includes(name)));
  if (client !== undefined) return { from: 'config', ...client };
  const [only] = wanted;
  const [first] = servers;
  // A program has no name that suites know it by, unless it is the only one.
  const own =
    servers.length === 1 && wanted.length === 1 && first !== undefined && only !== undefined
      ? { [only]: { stdio: first.stdio } }
      : Object.fromEntries(servers.map(({ name, stdio }) => [name, { stdio }]));
  if (first !== undefined && wanted.every((name) => name in own))
    return { from: 'servers', servers: own };
  const [file] = tools;
  return file === undefined ? { from: 'nothing' } : { from: 'tools', path: file.path };
}

/**
 * What the folder lacks and the workspace has, but for the sample: its first suite, which is written
 * next to the project file because another machine has no workspace, and the servers of the suite.
 */
async function fromWorkspace(
  context: CommandContext,
  folder: string,
  found: FoundFiles,
  force: boolean,
): Promise<{ source?: ToolsSource; notes: string[] }> {
  const isNeeded = found.suites.length === 0 || toolsSource(found).from === 'nothing';
  if (!isNeeded || !existsSync(join(workspaceOf(context), databaseName))) return { notes: [] };
  return inSession(context, 'read', async ({ client }) => {
    const notes: string[] = [];
    const sample = await client.settings.sample();
    if (found.suites.length === 0) {
      const own = (await client.suites.list()).filter(({ name }) => !sample.suites.includes(name));
      const [suite, ...others] = own;
      if (suite !== undefined) {
        const path = `${suite.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.suite.yaml`;
        if (existsSync(join(folder, path)) && !force)
          throw new UsageError(`${path}: It exists already. Give --force to replace it.`);
        const { text } = await client.suites.export({ id: suite.id, format: 'yaml' });
        await writeOutput(join(folder, path), text);
        found.suites.push({ path, name: suite.name, servers: suite.servers });
        notes.push(`Wrote ${path}, the suite ${suite.name} of the workspace.`);
        if (others.length > 0)
          notes.push(
            `It has ${counted(others.length, 'more suite')}: \`touchstone suite export NAME --out FILE\` ` +
              'writes one.',
          );
      }
    }
    if (toolsSource(found).from !== 'nothing') return { notes };
    const wanted = found.suites[0]?.servers ?? [];
    const registered = (await client.servers.list()).filter(
      ({ name }) =>
        !sample.servers.includes(name) && (wanted.length === 0 || wanted.includes(name)),
    );
    const servers: Record<string, DeclaredServer> = {};
    for (const { name, config } of registered) {
      const declared = declare(config);
      if (declared === null) {
        notes.push(`${name} is a folder of skills, which a check can’t start.`);
        continue;
      }
      servers[name] = declared.server;
      for (const variable of declared.variables)
        notes.push(`${name} needs ${variable} in the environment of the check.`);
    }
    if (wanted.some((name) => !(name in servers)) || Object.keys(servers).length === 0)
      return { notes };
    return { source: { from: 'servers', servers }, notes };
  });
}

/** How a registered server is started; each secret is a variable of the environment. */
function declare(config: ServerConfig): { server: DeclaredServer; variables: string[] } | null {
  if (config.transport === 'skills') return null;
  const variables = new Set<string>();
  const text = JSON.stringify(config).replaceAll(/\$\{secret:([^}]*)\}/g, (_, secret: string) => {
    const name = secret.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
    variables.add(name);
    return `\${env:${name}}`;
  });
  const named = JSON.parse(text) as typeof config;
  const values = namedValues(named);
  const hasValues = Object.keys(values).length > 0;
  const server: DeclaredServer =
    named.transport === 'stdio'
      ? {
          stdio: [named.command, ...named.args],
          ...(named.cwd !== null && { cwd: named.cwd }),
          ...(hasValues && { env: values }),
        }
      : {
          url: named.url,
          ...(named.transport === 'sse' && { transport: named.transport }),
          ...(hasValues && { headers: values }),
        };
  return { server, variables: [...variables] };
}

/** Writes a suite of proposed cases, one for each tool that the servers or the snapshot have. */
async function proposeSuite(
  context: CommandContext,
  folder: string,
  source: ToolsSource,
  force: boolean,
): Promise<{ path: string; notes: string[] }> {
  const path = join(folder, proposedName);
  if (existsSync(path) && !force)
    throw new UsageError(`${path}: It exists already. Give --force to replace it.`);
  const { names, tools, problems } = await listSource(context, folder, source);
  await writeOutput(path, proposedSuite(names, tools));
  return {
    path: proposedName,
    notes: [
      ...problems,
      `There is no suite, so ${proposedName} proposes ${counted(tools.length + 1, 'case')}. Write the ` +
        'request of each: until then, `touchstone check` ends with 2.',
    ],
  };
}

async function listSource(
  context: CommandContext,
  folder: string,
  source: ToolsSource,
): Promise<{ names: string[]; tools: Parameters<typeof proposedSuite>[1]; problems: string[] }> {
  if (source.from === 'nothing') return { names: [placeholder], tools: [], problems: [] };
  if (source.from === 'tools') {
    const { tools } = await readToolsAt(join(folder, source.path), context.io);
    const listed = tools.map(({ tool }) => tool);
    return { names: [...new Set(listed.map(({ server }) => server))], tools: listed, problems: [] };
  }
  const servers =
    source.from === 'config'
      ? [{ config: source.path }]
      : Object.entries(source.servers).map(([name, own]) => ({ name, ...own }));
  return inSession(context, 'temporary', async ({ client }) => {
    const { names } = await addDeclared(client, { servers, folder }, [], context.io);
    const listed = await listRegistered(client, names);
    return {
      names,
      tools: listed.flatMap(({ listing }) => listing?.tools ?? []),
      problems: listed.flatMap(({ name, error }) =>
        error === null ? [] : [`${name} listed no tools. ${error}`],
      ),
    };
  });
}

/** Stands for a server that nothing here names. */
const placeholder = 'my-server';

/**
 * Where editors find the schema: in the project's own copy of Touchstone, or where this program is
 * installed.
 */
function schemaPath(folder: string): string {
  const local = join('node_modules', 'touchstone', 'datasets', schemaName);
  if (existsSync(join(folder, local))) return `./${local.split(sep).join('/')}`;
  const installed = join(programFiles.datasets, schemaName);
  const path = relative(folder, installed);
  return path.startsWith('..') ? installed : `./${path.split(sep).join('/')}`;
}

const value = (text: string): string => stringify(text).trim();

/** The file for what was found; comments show what else it can say. */
function projectText(
  { suites, tools, reports }: FoundFiles,
  source: ToolsSource,
  schema: string,
): { text: string; used: Record<string, unknown> } {
  const [suite] = suites;
  const baseline = reports.find((report) => report.suite === suite?.name);
  const used = {
    suite: suite?.path ?? proposedName,
    tools: source.from === 'tools' ? source.path : null,
    servers:
      source.from === 'config'
        ? { config: source.path }
        : source.from === 'servers'
          ? source.servers
          : null,
    baseline: baseline?.path ?? null,
  };
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    '# What `touchstone check` runs, and what its result is held against.',
    'version: 1',
    '',
    `suite: ${value(used.suite)}`,
    ...others('suite', suites.slice(1)),
    '',
    ...serverLines(source),
    ...(source.from === 'tools'
      ? []
      : tools.map(({ path }) => `# A snapshot in place of servers: tools: ${value(path)}`)),
    '',
    '# Each model is judged by itself. Keys are never written here: see `touchstone keys`.',
    'models:',
    '  - provider: builtin',
    '#  - { provider: anthropic, model: NAME, temperature: 0 }',
    '# repetitions: 3',
    '',
    '# The check fails if a model misses a limit. The low end of an interval is .low.',
    'thresholds:',
    '  min:',
    '    pass_rate: 0.5',
    '',
    '# The check fails if a model is worse than in this report, beyond chance.',
    ...(baseline === undefined
      ? ['# baseline:', '#   report: baseline.json', '#   max_broken: 0']
      : ['baseline:', `  report: ${value(baseline.path)}`, '#   max_broken: 0']),
    '',
    '# The check fails if a client such as Claude Code hides tools (`touchstone clients`).',
    '# max_hidden: 0',
    '',
    '# Extensions: .html .md .json .csv .xml (JUnit); `github` is the summary of a step.',
    '# reports: [report.html, report.xml, github]',
  ];
  return { text: `${lines.join('\n')}\n`, used };
}

function serverLines(source: ToolsSource): string[] {
  switch (source.from) {
    case 'tools':
      return [
        '# A snapshot: it says nothing of the server itself. `servers` starts one for the check.',
        `tools: ${value(source.path)}`,
      ];
    case 'config':
      return [
        '# Started for the check. `only: [NAME]` chooses some of them.',
        'servers:',
        `  config: ${value(source.path)}`,
      ];
    case 'servers':
    case 'nothing': {
      const servers =
        source.from === 'servers'
          ? source.servers
          : { [placeholder]: { stdio: 'node server.mjs' } };
      return [
        '# Started for the check. Names of variables in `env: [NAME]` are passed on.',
        ...stringify({ servers }).trim().split('\n'),
      ];
    }
  }
}

const others = (key: string, more: readonly { path: string }[]): string[] =>
  more.map(({ path }) => `# ${key}: ${value(path)}`);

const notes = ({ broken }: FoundFiles): string[] => [
  ...broken.map(
    ({ path, line, column, message }) =>
      `${path}:${line}:${column}: ${asSentence(message)} It is left out.`,
  ),
  'Run it with `touchstone check`.',
];
