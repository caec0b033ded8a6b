import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { stringify } from 'yaml';
import { findProjectFiles, type FoundFiles } from '../../../services/checks/findProjectFiles.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { define } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { projectFileName } from '../input/projectOptions.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';

const schemaName = 'touchstone.schema.json';

export const init = define({
  flags: {
    '--out <file>': { about: 'the file to write', default: projectFileName },
    '--force': 'replace an existing file',
  },
  example: 'init\n  touchstone check',
  async run({ output, options: { out, force = false } }) {
    if (existsSync(out) && !force)
      throw new UsageError(`${out}: It exists already. Give --force to replace it.`);
    await checkOutput(out);
    const folder = dirname(resolve(out));
    const found = await findProjectFiles(folder);
    const { text, used } = projectText(found, schemaPath(folder));
    await writeOutput(out, text);
    output.answer({ out, used, found }, () => `Wrote ${out}.`);
    for (const line of notes(found)) output.note(line);
  },
});

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
  { suites, tools, reports, clients }: FoundFiles,
  schema: string,
): { text: string; used: Record<string, unknown> } {
  const [suite] = suites;
  const [toolsFile] = tools;
  const [client] = clients;
  const baseline = reports.find((report) => report.suite === suite?.name);
  const servers = toolsFile === undefined && suite !== undefined ? client?.servers : undefined;
  const used = {
    suite: suite?.path ?? 'todo-sample',
    tools: suite === undefined ? null : (toolsFile?.path ?? null),
    servers: servers ?? null,
    baseline: baseline?.path ?? null,
  };
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    '# What `touchstone check` runs, and what its result is held against.',
    'version: 1',
    '',
    ...(suite === undefined
      ? ['# The sample suite of every workspace. Name your own file here.']
      : []),
    `suite: ${value(used.suite)}`,
    ...others('suite', suites.slice(1)),
    ...(used.tools === null
      ? []
      : [`tools: ${value(used.tools)}`, ...others('tools', tools.slice(1))]),
    ...(servers === undefined
      ? []
      : [
          `# Register them first: touchstone servers import ${value(client?.path ?? '')} --yes`,
          `servers: [${servers.map(value).join(', ')}]`,
        ]),
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
    '# Extensions: .html .md .json .csv .xml (JUnit); `github` is the summary of a step.',
    '# reports: [report.html, report.xml, github]',
  ];
  return { text: `${lines.join('\n')}\n`, used };
}

const others = (key: string, more: readonly { path: string }[]): string[] =>
  more.map(({ path }) => `# ${key}: ${value(path)}`);

function notes({ suites, clients }: FoundFiles): string[] {
  return [
    ...(suites.length === 0
      ? ['No suite file was found, so it names the sample. `touchstone suite export` writes yours.']
      : []),
    ...clients.map(
      ({ path, servers }) =>
        `Found ${servers.length} servers in ${path}. \`touchstone tools --json\` writes their tools to a file.`,
    ),
    'Run it with `touchstone check`.',
  ];
}
