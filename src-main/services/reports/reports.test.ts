import { escapeInvisible } from '../../../src-shared/display/visibleText.ts';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import papaparse from 'papaparse';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { formatsBySubject, reportFormatTable } from '../../../src-shared/domain/report.ts';
import {
  call,
  createEngine,
  type Engine,
  type FakeCase,
  type Script,
} from '../../testing/engine.ts';
import { outcomeTexts } from '../../../src-shared/display/outcomeTexts.ts';
import { outcomes, type Outcome } from '../../../src-shared/domain/outcome.ts';
import { verifyReport } from '../../verify/verifyReport.ts';
import { realMigrationsFolder } from '../../testing/testDatabase.ts';
import { EvaluationReader } from '../results/read/evaluationReader.ts';
import { numbersDocument } from './documents/evaluationDocument.ts';
import { publish } from './documents/published.ts';
import { checkInertHtml, checkInertMarkdown, hostileTexts } from './hostileTexts.fixture.ts';
import { readXml } from './readXml.fixture.ts';
import { checkJunit } from './checkJunit.fixture.ts';
import { withoutFonts } from './formats/html/withoutFonts.fixture.ts';
import { reportSchemaTexts } from './documents/reportSchemas.ts';
import { exportAs, stamp } from './exportAs.fixture.ts';

const options = { signal: new AbortController().signal };
const schemaFile = (name: string) => new URL(`../../../datasets/${name}`, import.meta.url);
const reportFormats = formatsBySubject.evaluation;
const servers = { s: [{ name: 'add' }, { name: 'remove' }] };
const right: FakeCase['expected'] = [{ server: 's', tool: 'add' }];

async function runEvaluation(engine: Engine, change = {}): Promise<string> {
  const id = await engine.start({ concurrency: 1, ...change });
  await engine.drain(id);
  return id;
}

/** Passed, wrong tool, correctly no call, unneeded call, provider error. */
const smallCases: FakeCase[] = ['add it', 'take it away', 'nothing', 'still nothing', 'break'].map(
  (query, index) => ({ query, expected: index === 2 || index === 3 ? [] : right }),
);
const smallScript: Script = async ({ query }) => {
  if (query === 'break')
    throw new ServiceError('TROUBLE', {
      thing: 'The model',
      cause: 'It is away.',
      nextStep: 'Wait.',
    });
  return {
    calls: query === 'nothing' ? [] : [call('s', query === 'take it away' ? 'remove' : 'add')],
  };
};
const gates = [
  { metric: 'pass_rate', bound: 'value', side: 'min', limit: 0.9 },
  { metric: 'selection_f1', bound: 'value', side: 'min', limit: 0.1 },
];
const openSmall = () => createEngine({ servers, cases: smallCases, script: smallScript });

interface Document {
  counts: { total: number; failed: number };
  metrics: unknown;
  generated: string;
  runs: { query: string; outcome: string; error: string | null; expected: string[] }[];
}

describe('reports of an evaluation', () => {
  it.each(reportFormats)(
    '%s matches its golden file, on every run and from the worker',
    async (format) => {
      await using engine = await openSmall();
      const id = await runEvaluation(engine, { gates });
      const text = await exportAs(engine, id, format);
      expect(await exportAs(engine, id, format)).toBe(text);
      // Durations differ between runs; everything else comes from the workspace.
      await expect(
        withoutFonts(text)
          .replace(/(?<=T00:00:00)\.\d+/g, '.000')
          .replace(/"duration_ms": \d+/, '"duration_ms": 0')
          .replace(/(?<=2 tools from s · )\d+ ms/, '0 ms'),
      ).toMatchFileSnapshot(`golden/evaluation${reportFormatTable[format].extension}`);
      const { store, file } = engine.database;
      const reader = new EvaluationReader({
        store,
        file,
        migrationsFolder: realMigrationsFolder,
        maxInlineRuns: 0,
      });
      expect(await exportAs(engine, id, format, {}, options.signal, reader)).toBe(text);
      await reader.close();
    },
  );

  it('hold version and time in one place, or a stamp and no time', async () => {
    await using engine = await openSmall();
    const id = await runEvaluation(engine);
    for (const format of reportFormats) {
      const stamped = (await exportAs(engine, id, format)).split(stamp);
      const plain = await exportAs(engine, id, format, { stamp: null });
      const bare = format === 'csv' || format === 'annotations';
      expect(stamped, format).toHaveLength(bare ? 1 : 2);
      const isForPeople = format === 'html' || format === 'md' || format === 'github';
      const time = isForPeople ? /[A-Z][a-z]{2} \d+, \d{4}, \d\d:\d\d UTC/ : /\d{4}-[\d\-T:.]+Z/;
      const generated = new RegExp(`Touchstone 1\\.2\\.3, ${time.source}`);
      if (!bare) expect(plain, format).toMatch(generated);
      expect(plain.replace(generated, ''), format).not.toMatch(generated);
      expect(stamped.join(stamp), format).not.toMatch(/\d\d:\d\d/);
    }
  });

  it('hold the numbers of the window and validate against the published schema', async () => {
    for (const [name, text] of reportSchemaTexts())
      expect(
        readFileSync(schemaFile(name), 'utf8'),
        'stale: run scripts/writeReportSchema.ts',
      ).toBe(text);
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(
      JSON.parse(reportSchemaTexts().get('evaluation_report.schema.json') ?? '') as object,
    );
    await using engine = await openSmall();
    const id = await runEvaluation(engine, { repetitions: 2 });
    const text = await exportAs(engine, id, 'json');
    const document = JSON.parse(text) as Document;
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    const summary = await engine.service.summary({ id, modelSettingsId: null });
    expect(document).toMatchObject(publish(numbersDocument, summary));
    expect(document.runs.map(({ outcome }) => outcome)).toEqual(
      ['passed', 'wrong_tool', 'passed', 'unneeded_call', 'not_scored'].flatMap((outcome) => [
        outcome,
        outcome,
      ]),
    );
    for (const bad of [
      { ...document, version: 3 },
      { ...document, runs: [{}] },
      { ...document, more: 1 },
      { ...document, metrics: {} },
    ])
      expect(validate(bad)).toBe(false);
  });

  it('name the nine outcomes in the same words, and the recount agrees', async () => {
    const titled = {
      name: 'title',
      inputSchema: {
        type: 'object',
        properties: { title: { type: 'string' } },
        required: ['title'],
        additionalProperties: false,
      },
    };
    const both: FakeCase['expected'] = [
      { server: 's', tool: 'add' },
      { server: 's', tool: 'remove' },
    ];
    const stopped = Promise.withResolvers<undefined>();
    const answers: Record<Outcome, { expected: FakeCase['expected']; called: string[] }> = {
      passed: { expected: right, called: ['add'] },
      wrong_tool: { expected: right, called: ['remove'] },
      no_tool_called: { expected: right, called: [] },
      missing_call: { expected: both, called: ['add'] },
      wrong_arguments: {
        expected: [{ server: 's', tool: 'title', parameters: { title: 'milk' } }],
        called: ['title'],
      },
      unneeded_call: { expected: [], called: ['add'] },
      made_up_tool: { expected: right, called: ['invented'] },
      not_scored: { expected: right, called: [] },
      not_run: { expected: right, called: [] },
    };
    await using engine = await createEngine({
      servers: { s: [...servers.s, titled] },
      cases: outcomes.map((query) => ({ query, expected: answers[query].expected ?? [] })),
      script: async ({ query }, signal) => {
        if (query === 'not_scored') throw new Error('The model is away.');
        if (query === 'not_run') {
          stopped.resolve(undefined);
          await once(signal, 'abort');
          signal.throwIfAborted();
        }
        return {
          calls: answers[query as Outcome].called.map((name) => ({
            ...call('s', name, name === 'title' ? { title: 'bread' } : {}),
            ...(name === 'invented' ? { server: null, tool: null } : {}),
          })),
        };
      },
    });
    const id = await engine.start({ concurrency: 1 });
    await stopped.promise;
    await engine.service.cancel({ id });
    await engine.drain(id);

    const document = JSON.parse(await exportAs(engine, id, 'json')) as Document;
    expect(document.runs.map(({ outcome }) => outcome)).toEqual([...outcomes]);
    expect(verifyReport(document)?.differences).toEqual([]);
    for (const [at, run] of document.runs.entries()) {
      const changed = structuredClone(document);
      changed.runs[at] = { ...run, outcome: run.outcome === 'passed' ? 'wrong_tool' : 'passed' };
      expect(verifyReport(changed)?.differences.map(({ path }) => path)).toEqual([
        `runs[${at}].outcome`,
      ]);
    }
    const csv = papaparse.parse<{ outcome: string }>(await exportAs(engine, id, 'csv'), {
      header: true,
      skipEmptyLines: true,
    });
    expect(csv.data.map(({ outcome }) => outcome)).toEqual([...outcomes]);
    const markdown = await exportAs(engine, id, 'md');
    const html = await exportAs(engine, id, 'html');
    const xml = await exportAs(engine, id, 'junit');
    for (const [at, outcome] of outcomes.entries()) {
      const { glyph, label } = outcomeTexts[outcome];
      expect(markdown).toContain(`${glyph} ${label}`);
      expect(html).toContain(`class="o c-${outcome}"`);
      const test = xml.split('<testcase ')[at + 1];
      if (outcome === 'passed') expect(test).toMatch(/\/>\s*$/);
      else expect(test).toMatch(new RegExp(`(message="|<skipped>)${label}`));
    }
    await checkJunit([xml]);
    expect(readXml(xml).attributes).toMatchObject({ tests: '9', failures: '0', errors: '1' });
  });

  it('say that a change since the previous evaluation is within noise', async () => {
    let broken = '';
    await using engine = await createEngine({
      servers,
      cases: smallCases.slice(0, 4),
      script: async ({ query }) => ({
        calls: query.includes('nothing') || query === broken ? [] : [call('s', 'add')],
      }),
    });
    await runEvaluation(engine);
    broken = 'add it';
    const id = await runEvaluation(engine);
    for (const format of ['html', 'md', 'github', 'json', 'junit'] as const)
      expect((await exportAs(engine, id, format)).replaceAll('&#45;', '-'), format).toMatch(
        /−1\D+case vs\. previous \(#1\) over \d+ shared cases, within noise/,
      );
  });

  it('JUnit counts only what fails the build as a failure, and judges every model', async () => {
    await using engine = await openSmall();
    const id = await runEvaluation(engine, {
      repetitions: 3,
      models: ['scripted', 'other'].map((model) => ({ ...engine.request().models[0], model })),
      gates,
    });
    const text = await exportAs(engine, id, 'junit');
    await checkJunit([text]);
    const root = readXml(text);
    // Two thresholds for each of two models, of which each misses one.
    expect(root.attributes).toMatchObject({ tests: '34', failures: '2', errors: '6' });
    expect(root.children.map(({ attributes }) => attributes['failures'])).toEqual(['2', '0', '0']);
    expect(root.children.map(({ attributes }) => attributes['skipped'])).toEqual(['0', '6', '6']);
  });

  it('refuse a running or missing evaluation and a short form of what has none', async () => {
    const gate = Promise.withResolvers<undefined>();
    await using engine = await createEngine({
      servers,
      cases: smallCases,
      script: async () => {
        await gate.promise;
        return { calls: [] };
      },
    });
    const id = await engine.start();
    await expect(exportAs(engine, id, 'json')).rejects.toThrow(/still running.*Wait until it ends/);
    gate.resolve(undefined);
    await engine.drain(id);
    await expect(exportAs(engine, '4711', 'json')).rejects.toThrow(/4711/);
    await expect(exportAs(engine, id, 'csv', { short: true })).rejects.toThrow(/Only Markdown/);
    await expect(exportAs(engine, id, 'json', {}, AbortSignal.abort())).rejects.toThrow(/abort/i);
  });
});

describe('T09 T63: hostile text in reports', () => {
  const cases: FakeCase[] = [...hostileTexts, 'w'.repeat(1_000_000)].map((query) => ({
    query,
    expected: right,
  }));
  /** What the database holds: SQLite stores no lone surrogates. */
  const kept = cases.map(({ query }) => query.toWellFormed().slice(0, 200));
  const script: Script = async ({ query }) => {
    if (query.startsWith('=')) throw new Error(`The model said ${hostileTexts.join(' ')}`);
    return { calls: [call('s', query.startsWith('-') ? hostileTexts[0] : 'add')] };
  };
  const open = () => createEngine({ servers, cases, script });

  it('is inert and shortened in HTML', async () => {
    await using engine = await open();
    const html = await exportAs(engine, await runEvaluation(engine), 'html', {
      stamp: hostileTexts[1],
    });
    checkInertHtml(html);
    expect(html).toContain('[U+202E]desrever');
    expect(html).toContain('… (998000 more characters)');
    expect(withoutFonts(html).length).toBeLessThan(100_000);
  });

  it('never starts a formula or breaks a row in CSV', async () => {
    await using engine = await open();
    const text = await exportAs(engine, await runEvaluation(engine), 'csv');
    const { data, errors } = papaparse.parse<string[]>(text, {
      newline: '\r\n',
      skipEmptyLines: true,
    });
    expect(errors).toEqual([]);
    expect(data).toHaveLength(cases.length + 1);
    // Every row has the columns of the header.
    expect(new Set(data.map((row) => row.length))).toEqual(new Set([data[0]?.length]));
    expect(data[0]?.length).toBeGreaterThan(20);
    for (const cell of data.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    expect(data.map((row) => row[4]?.replace(/^'(?=[=-])/, '').slice(0, 200)).slice(1)).toEqual(
      kept.map((query) => escapeInvisible(query)),
    );
  });

  it('stays in code spans in Markdown, and the short form fits a comment', async () => {
    await using engine = await open();
    const id = await runEvaluation(engine);
    const { evaluations } = engine.database.store;
    const [model = ''] = evaluations.get('case', id)?.modelSettingsIds ?? [];
    const refused = hostileTexts.map((setting) => ({ setting, instead: null, said: 'No.' }));
    evaluations.setRefused(id, model, refused);
    const text = await exportAs(engine, id, 'md');
    expect(text.match(/^- Refused settings: /gmu)).toHaveLength(hostileTexts.length);
    checkInertMarkdown(text);
    const short = await exportAs(engine, id, 'md', { short: true });
    expect(short.length).toBeLessThanOrEqual(60_000);
    expect(short).toContain('more characters)');
  });

  it('gives well-formed XML and is kept whole in JSON', async () => {
    await using engine = await open();
    const id = await runEvaluation(engine);
    const xml = await exportAs(engine, id, 'junit', { stamp: hostileTexts[9] });
    await checkJunit([xml]);
    expect(xml).not.toMatch(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])/,
    );
    const document = JSON.parse(await exportAs(engine, id, 'json')) as Document;
    expect(document.runs.map(({ query }) => query.slice(0, 200))).toEqual(kept);
    expect(document.runs.at(-1)?.query).toHaveLength(1_000_000);
  });
});

it('a short report of 900 runs fits a comment, keeps all failures and counts omitted rows', async () => {
  const cases: FakeCase[] = Array.from({ length: 900 }, (_, index) => ({
    query: `case ${index} ${'long '.repeat(30)}`,
    expected: right,
  }));
  await using engine = await createEngine({
    servers,
    cases,
    script: async ({ query }) => ({
      calls: [call('s', Number(query.split(' ')[1]) >= 890 ? 'remove' : 'add')],
    }),
  });
  const id = await runEvaluation(engine, { concurrency: 8 });
  const short = await exportAs(engine, id, 'md', { short: true });
  expect(short.length).toBeLessThanOrEqual(60_000);
  expect(short.length).toBeGreaterThan(50_000);
  const shown = short.match(/^\| `case-\d+` .*✓ passed \(TP\)/gm)?.length ?? 0;
  expect(short.match(/^\| `case-\d+` .*⇄ wrong tool \(FN\)/gm)).toHaveLength(10);
  expect(short).toContain(`\n${890 - shown} rows omitted.\n`);
  const full = await exportAs(engine, id, 'md');
  expect(full).not.toContain('omitted');
  expect(full.match(/^\| `case-\d+` /gm)).toHaveLength(900);
});
