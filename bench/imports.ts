import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { exchangeFormats } from '../src-main/services/suites/exchange/formats.ts';
import { writeSuiteText } from '../src-main/services/suites/suiteFileCodec.ts';
import { foreignFormatTable } from '../src-shared/domain/foreignFormat.ts';
import { caseFile } from '../src-shared/domain/suiteFile.ts';
import { ratioRow, type Row } from './report.ts';

const records = 50_000;
const msBound = 10_000;
const mbBound = 300;
/** Suites of about 60 MB: one whose requests are long, and one of many short cases. */
const longFile = 'long.yaml';
const shortFile = 'short.yaml';
const longMbBound = 500;
const casesOf = (name: string): number => (name === shortFile ? 250_000 : records);
const longEnd = ` ${'It has some more words in it, as people write. '.repeat(22)}`;

const query = (at: number): string =>
  `Please add the task number ${at} to my list, and set it for the ${(at % 28) + 1}th`;
const argumentsOf = (at: number) => ({ title: `task ${at}`, priority: at % 5 });

/** Records as people keep them: a request, its tool, arguments and a tag. */
const plain = (at: number) => ({
  id: `r${at}`,
  query: query(at),
  expected_tool: 'add_task',
  arguments: argumentsOf(at),
  category: 'bench',
});

const suite = (end = '') =>
  caseFile.parse({
    version: 1,
    name: 'bench',
    servers: ['todo'],
    cases: Array.from({ length: records }, (_, at) => ({
      id: `c${at}`,
      name: `Case ${at}`,
      query: query(at) + end,
      expected_calls: [{ server: 'todo', tool: 'add_task', parameters: argumentsOf(at) }],
    })),
  });

const each = (write: (at: number) => string, count = records): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('');
const json = JSON.stringify;

/** Formats that are above, hold tasks alone, or hold at most 500 cases. */
const unwritten: ReadonlySet<string> = new Set(['csv', 'jsonl', 'tau-bench', 'mcpjam']);

/** Says at its end what a process took. */
const sayCost = `data:text/javascript,${encodeURIComponent("process.on('exit', () => process.stderr.write(`cost ${JSON.stringify(process.resourceUsage())}\\n`))")}`;

/** A text of 50,000 records in each notation, by the name of its file. */
const texts: Readonly<Record<string, () => string>> = {
  'suite.json': () => writeSuiteText(suite(), 'json'),
  'suite.yaml': () => writeSuiteText(suite(), 'yaml'),
  [longFile]: () => writeSuiteText(suite(longEnd), 'yaml'),
  [shortFile]: () =>
    `version: 1\nname: bench\nservers:\n  - todo\ncases:\n${each(
      (at) =>
        `  - id: c${at}\n    name: Case ${at}\n    query: ${query(at)}\n    expected_calls:\n` +
        `      - server: todo\n        tool: add_task\n        parameters:\n` +
        `          title: task ${at}\n          priority: ${at % 5}\n`,
      casesOf(shortFile),
    )}`,
  'records.jsonl': () => each((at) => `${json(plain(at))}\n`),
  'records.json': () => json({ testCases: Array.from({ length: records }, (_, at) => plain(at)) }),
  'records.yaml': () =>
    each(
      (at) =>
        `- id: r${at}\n  query: ${json(query(at))}\n  expected_tool: add_task\n` +
        `  arguments: ${json(argumentsOf(at))}\n  category: bench\n`,
    ),
  'records.csv': () =>
    `id,query,expected_tool,arguments,category\r\n${each(
      (at) =>
        `r${at},"${query(at)}",add_task,"${json(argumentsOf(at)).replaceAll('"', '""')}",bench\r\n`,
    )}`,
  'records.md': () =>
    `| id | query | expected_tool | category |\n| --- | --- | --- | --- |\n${each(
      (at) => `| r${at} | ${query(at)} | add_task | bench |\n`,
    )}`,
  'records.xml': () =>
    `<cases>${each(
      (at) =>
        `<case id="r${at}"><query>${query(at)}</query><expected_tool>add_task</expected_tool></case>\n`,
    )}</cases>`,
  'records.toml': () =>
    each(
      (at) =>
        `[[cases]]\nid = "r${at}"\nquery = ${json(query(at))}\nexpected_tool = "add_task"\n\n`,
    ),
  'records.py': () => `TEST_CASES = [\n${each((at) => `    ${json(plain(at))},\n`)}]\n`,
  'records.ts': () =>
    `export const testCases = [\n${each(
      (at) => `  { id: 'r${at}', query: '${query(at)}', expectedTool: 'add_task' },\n`,
    )}];\n`,
  ...Object.fromEntries(
    (Object.keys(exchangeFormats) as (keyof typeof exchangeFormats)[])
      .filter((format) => !unwritten.has(format))
      .map((format) => [
        `${format}${exchangeFormats[format].extension}`,
        () => exchangeFormats[format].write(suite(), []).text,
      ]),
  ),
};

interface Cost {
  ms: number;
  computing: number;
  megabytes: number;
  bytes: number;
}

/** The whole command in a process of its own, whose peak memory is read at its end. */
function importOnce(folder: string, name: string): Cost {
  const file = join(folder, name);
  writeFileSync(file, texts[name]?.() ?? '');
  const format = name.split('.')[0] ?? '';
  const from = format in foreignFormatTable ? ['--from', format] : [];
  const workspace = join(folder, `workspace-${name}`);
  const began = performance.now();
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [
      ...['--import', sayCost, join(programFiles.root, 'out', 'main', 'cli.js')],
      ...['suite', 'import', file, ...from, '--server', 'todo', '--json', '--workspace', workspace],
    ],
    { encoding: 'utf8', maxBuffer: 2 ** 30 },
  );
  const ms = performance.now() - began;
  const cost = /^cost (.+)$/m.exec(stderr)?.[1];
  if (status !== 0 || cost === undefined)
    throw new Error(`The import of ${name} failed (${status}): ${stderr.slice(0, 2000)}`);
  const { cases } = JSON.parse(stdout) as { cases: number };
  if (cases !== casesOf(name))
    throw new Error(`${name}: ${cases} of ${casesOf(name)} cases were imported.`);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(cost) as NodeJS.ResourceUsage;
  return {
    ms,
    computing: (userCPUTime + systemCPUTime) / 1000,
    megabytes: maxRSS / 1024,
    bytes: statSync(file).size,
  };
}

/** 50,000 records of each format, and a quarter of a million short ones, from a file to the workspace. */
export function benchImports(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  try {
    return Object.keys(texts).flatMap((name) => {
      const { ms, computing, megabytes, bytes } = importOnce(folder, name);
      const size = (bytes / 2 ** 20).toFixed(1);
      const said = `import of ${casesOf(name).toLocaleString('en')} records, ${name} (${size} MiB)`;
      process.stderr.write(`  ${said}: ${Math.round(ms)} ms, ${Math.round(megabytes)} MB\n`);
      return [
        ratioRow(said, ms, 'ms', 'bound', msBound, 1),
        ratioRow('its computing time', computing, 'ms', 'bound', msBound, 1),
        ratioRow(
          ...(['its peak memory', megabytes, 'MB', 'bound'] as const),
          name === longFile || name === shortFile ? longMbBound : mbBound,
          1,
        ),
      ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
