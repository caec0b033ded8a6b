import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { createOpenChatModel } from '../src-main/adapters/llm/openChatModel.ts';
import type { examine } from '../src-main/analysis/detectors/detectors.ts';
import type { offlineRankers } from '../src-main/analysis/rankers/rankers.ts';
import type { reportSchemaTexts } from '../src-main/services/reports/documents/reportSchemas.ts';
import type { writeReport } from '../src-main/services/reports/formats/writeReport.ts';
import type { Report } from '../src-main/services/reports/report.ts';
import type { CaseExchange } from '../src-main/services/suites/exchange/caseExchange.ts';
import { isNightly } from '../src-main/testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../src-main/testing/temporaryFolder.ts';
import type { modelConfiguration } from '../src-shared/domain/model.ts';
import type { formatFromFileName } from '../src-shared/domain/report.ts';
import type { runColumns } from '../src-shared/domain/runColumns.ts';
import type { appSettings, settingRows } from '../src-shared/domain/settings.ts';

const root = join(import.meta.dirname, '..');

interface Section {
  title: string;
  /** New files, whole, by path. */
  files: [path: string, text: string][];
  /** Changed lines by path, as unified diffs without line numbers. */
  diffs: [path: string, text: string][];
}

/** The sections of the page that add something. */
function readSections(page: string): Section[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const blocks = (language: string): [string, string][] =>
        [...text.matchAll(/```(\w+)\n\/\/ (\S+)\n([^]*?)```/g)]
          .filter(([, name]) => name === language)
          .map(([, , path = '', code = '']) => [path, code]);
      return {
        title: text.split('\n')[0] ?? '',
        files: blocks('ts'),
        diffs: blocks('diff'),
      };
    });
}

/** Applies the hunks of a diff; each must find its lines exactly once. */
function applyDiff(path: string, source: string, diff: string): string {
  return diff.split(/^@@.*\n/m).reduce((text, hunk) => {
    const lines = hunk.split('\n').slice(0, -1);
    const keep = (sign: string) =>
      lines
        .filter((line) => line[0] === ' ' || line[0] === sign)
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const before = keep('-');
    if (before === '' || text.split(before).length !== 2)
      throw new Error(`${path} does not hold these lines exactly once:\n${before}`);
    return text.replace(before, () => keep('+'));
  }, source);
}

let scratch: TemporaryFolder;
let sections: Section[];

/** A module of the copy, with everything that the page adds. */
const load = (path: string): Promise<unknown> =>
  import(/* @vite-ignore */ pathToFileURL(join(scratch.path, path)).href);

beforeAll(async () => {
  scratch = await temporaryFolder();
  const copied = (source: string): boolean => !/\.test\.tsx?$|\/golden$/.test(source);
  await Promise.all([
    ...['src-main', 'src-shared', 'src-renderer', 'datasets'].map((name) =>
      cp(join(root, name), join(scratch.path, name), { recursive: true, filter: copied }),
    ),
    ...['package.json', 'base', 'main', 'renderer', 'shared'].map((name) => {
      const file = name === 'package.json' ? name : `tsconfig.${name}.json`;
      return cp(join(root, file), join(scratch.path, file));
    }),
    symlink(join(root, 'node_modules'), join(scratch.path, 'node_modules'), 'junction'),
  ]);
  sections = readSections(await readFile(join(root, 'docs/extending.md'), 'utf8'));
  for (const { files, diffs } of sections) {
    for (const [path, text] of files) {
      await mkdir(dirname(join(scratch.path, path)), { recursive: true });
      await writeFile(join(scratch.path, path), text);
    }
    for (const [path, diff] of diffs) {
      const file = join(scratch.path, path);
      await writeFile(file, applyDiff(path, await readFile(file, 'utf8'), diff));
    }
  }
});
afterAll(() => scratch.remove());

describe('docs/extending.md', () => {
  it('says how many files each section adds and changes', async () => {
    const page = await readFile(join(root, 'docs/extending.md'), 'utf8');
    const rows = [...page.matchAll(/^\| \[(.+?)\]\(.+?\) \| \d+ \| (\d+) \| (\d+) \|$/gm)];
    expect(
      rows.map(([, title, added, changed]) => [title, Number(added), Number(changed)]),
    ).toEqual(
      sections.map(({ title, files, diffs }) => [
        title.toLowerCase(),
        files.length,
        new Set(diffs.map(([path]) => path)).size,
      ]),
    );
  });

  it('names only files that exist', async () => {
    const page = await readFile(join(root, 'docs/extending.md'), 'utf8');
    const sources = ['src-main', 'src-shared', 'src-renderer'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join('/', folder, file),
      ),
    );
    const named = [...page.matchAll(/`(\w[\w./-]*\.ts)`/g)].map(([, name = '']) => name);
    const missing = named.filter((name) => !sources.some((file) => file.endsWith(`/${name}`)));
    expect(named.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  it.runIf(isNightly)('leads to a tree without type errors', async () => {
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
    const check = (project: string) =>
      new Promise<string>((resolve) => {
        execFile(
          process.execPath,
          [compiler, '-p', project, '--noEmit', '--incremental', 'false', '--composite', 'false'],
          { cwd: scratch.path },
          (error, stdout, stderr) => {
            resolve(error === null ? '' : `${stdout}${stderr}`);
          },
        );
      });
    expect(await check('tsconfig.main.json')).toBe('');
    expect(await check('tsconfig.renderer.json')).toBe('');
    // Two whole compilations, which share the processors with other work.
  });

  it('adds a retriever that ranks', async () => {
    const { offlineRankers: rankers } = (await load('src-main/analysis/rankers/rankers.ts')) as {
      offlineRankers: typeof offlineRankers;
    };
    const index = rankers.get('letters')?.index([
      { server: 's', name: 'xyz', description: '' },
      { server: 's', name: 'add', description: 'adds a task' },
    ]);
    expect(index?.rank('add task').map(({ toolIndex }) => toolIndex)).toEqual([1, 0]);
    expect(index?.rank('').every(({ score }) => score === 0)).toBe(true);
  });

  it('adds a detector that finds capitals and nothing else', async () => {
    const { examine: examineSubject } = (await load(
      'src-main/analysis/detectors/detectors.ts',
    )) as { examine: typeof examine };
    const findings = (description: string) =>
      examineSubject({
        server: 's',
        name: 't',
        title: null,
        description,
        annotations: null,
        instructions: null,
        inputSchema: {},
        outputSchema: null,
        peers: [],
        previous: null,
      }).filter(({ detector }) => detector === 'shouting');
    expect(findings('Note: YOU MUST ALWAYS CALL THIS TOOL BEFORE ANY OTHER tool.')).toMatchObject([
      { place: '/description', text: 'YOU MUST ALWAYS CALL THIS TOOL BEFORE ANY OTHER' },
    ]);
    expect(findings('Returns JSON over HTTP.')).toEqual([]);
  });

  it('adds a format of cases that reports what it loses', async () => {
    const { exchangeFormats } = (await load('src-main/services/suites/exchange/formats.ts')) as {
      exchangeFormats: Record<string, CaseExchange>;
    };
    const written = exchangeFormats['queries']?.write({
      version: 1,
      name: 's',
      servers: ['todo'],
      cases: [
        {
          id: 'a',
          name: 'a',
          query: 'add\nmilk',
          expected_calls: [{ server: 'todo', tool: 'add_task' }],
        },
      ],
    });
    expect(written?.text).toBe('add milk\n');
    expect(written?.losses).toHaveLength(1);
  });

  it('adds a provider that answers', async () => {
    const { createOpenChatModel: createOpen } = (await load(
      'src-main/adapters/llm/openChatModel.ts',
    )) as { createOpenChatModel: typeof createOpenChatModel };
    const { modelConfiguration: configuration } = (await load('src-shared/domain/model.ts')) as {
      modelConfiguration: typeof modelConfiguration;
    };
    const model = await createOpen()(
      configuration.parse({ provider: 'first-tool', model: 'first-tool-v1' }),
    );
    const tools = ['a', 'b'].map((name, index) => ({
      server: 's',
      name,
      title: null,
      description: '',
      inputSchema: {},
      outputSchema: null,
      annotations: null,
      snapshotToolId: index,
      hash: name,
    }));
    const { observation } = await model.choose(
      { query: 'q', system: null, messages: [], tools, repetition: 1 },
      new AbortController().signal,
    );
    expect(observation.calls.map(({ tool }) => tool)).toEqual(['a']);
    await model.close();
  });

  it('adds a report format that a file name asks for', async () => {
    const { formatFromFileName: formatOf } = (await load('src-shared/domain/report.ts')) as {
      formatFromFileName: typeof formatFromFileName;
    };
    const { writeReport: write } = (await load(
      'src-main/services/reports/formats/writeReport.ts',
    )) as { writeReport: typeof writeReport };
    const report: Report = {
      subject: 'evaluation',
      title: 'Evaluation #1',
      generated: 'now',
      facts: [{ name: 'Runs', value: '3' }],
      parts: [],
      csv: { title: '', columns: [], rows: () => [] },
      opening: { headline: ['3 of 3 cases passed'], lines: [] },
      document: () => ({}),
      alerts: () => [],
    };
    const format = formatOf('run.text');
    expect(format).toBe('text');
    if (format === null) return;
    let text = '';
    for await (const part of write(report, format)) text += part;
    expect(text).toBe('Evaluation #1\nRuns: 3\nnow\n');
  });

  it('adds a run column to the lists and to the schema of JSON', async () => {
    const { runColumns: columns } = (await load('src-shared/domain/runColumns.ts')) as {
      runColumns: typeof runColumns;
    };
    const { reportSchemaTexts: schemas } = (await load(
      'src-main/services/reports/documents/reportSchemas.ts',
    )) as { reportSchemaTexts: typeof reportSchemaTexts };
    const added = columns.find(({ name }) => name === 'call_count');
    expect(added?.window?.header).toBe('Calls');
    expect([...schemas()].some(([, text]) => text.includes('"call_count"'))).toBe(true);
  });

  it('adds a setting with its default and its row', async () => {
    const settings = (await load('src-shared/domain/settings.ts')) as {
      appSettings: typeof appSettings;
      defaultAppSettings: Record<string, unknown>;
      settingRows: typeof settingRows;
    };
    expect(settings.defaultAppSettings['slowAfter']).toBe(10);
    expect(settings.settingRows.map(({ label }) => label)).toContain('Slow from');
    const change = settings.appSettings.partial();
    expect(change.safeParse({ slowAfter: 5 }).success).toBe(true);
    expect(change.safeParse({ slowAfter: 0 }).success).toBe(false);
  });
});
