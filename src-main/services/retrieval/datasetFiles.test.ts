import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isHardNegative, type Corpus } from '../../../src-shared/domain/retrieval.ts';
import { words } from '../../analysis/tokenizer.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { readShipped } from '../../runtime/shippedFile.ts';
import { readExternal } from '../../testing/externalData.ts';
import { readBaseline, readCorpus, readGolden, readRankings } from './datasetFiles.ts';

const shipped = (name: string): string => readFileSync(`${programFiles.datasets}/${name}`, 'utf8');
const own = readCorpus(shipped('corpus_v1.json'), 'corpus_v1.json');
const { golden } = readGolden(shipped('retrieval_golden_v1.json'), 'retrieval_golden_v1.json', own);

describe('the bundled datasets', () => {
  it('match their checksums, one for each file', () => {
    const files = readdirSync(programFiles.datasets).filter((name) =>
      /_v\d+\.json$|\.bin$/.test(name),
    );
    const sums = JSON.parse(shipped('checksums.json')) as Record<string, string>;
    expect(Object.keys(sums).sort()).toEqual(files.sort());
    for (const name of files) expect(readShipped(programFiles.datasets, name), name).not.toBeNull();
  });

  it('are large enough, and every tool has a schema and a description', () => {
    expect(own.tools.length).toBeGreaterThanOrEqual(120);
    expect(new Set(own.tools.map(({ server }) => server)).size).toBeGreaterThanOrEqual(12);
    for (const { tool_id, schema, description } of own.tools) {
      expect(schema?.['type'], tool_id).toBe('object');
      expect(description.length, tool_id).toBeGreaterThan(20);
    }
    expect(golden.queries.length).toBeGreaterThanOrEqual(150);
    expect(golden.queries.filter(isHardNegative).length).toBeGreaterThan(50);
    expect(
      new Set(golden.queries.flatMap(({ labels }) => labels.map(({ relevance }) => relevance))),
    ).toEqual(new Set([0, 1, 2]));
  });

  it('have no query that names its own tool', () => {
    for (const { id, query, labels } of golden.queries) {
      const said = ` ${words(query).join(' ')} `;
      for (const { tool_id } of labels)
        expect(said, id).not.toContain(` ${words(tool_id.split(':')[1] ?? '').join(' ')} `);
    }
  });

  it('have no golden set with a warning', () => {
    const names = readdirSync(programFiles.datasets).filter((name) =>
      /^retrieval_golden_v\d+\.json$/.test(name),
    );
    expect(names.length).toBeGreaterThanOrEqual(2);
    for (const name of names) {
      const { corpus_version } = JSON.parse(shipped(name)) as { corpus_version: string };
      const over = readCorpus(shipped(`${corpus_version}.json`), corpus_version);
      expect(readGolden(shipped(name), name, over).warnings, name).toEqual([]);
    }
  });

  it('label every hard negative 0 and name an existing tool', () => {
    for (const { id, notes = '', labels } of golden.queries.filter(isHardNegative)) {
      const named = /near-dup of (\S+)$/.exec(notes)?.[1];
      expect(labels.find(({ tool_id }) => tool_id === named)?.relevance, id).toBe(0);
    }
  });
});

describe('mcpproxy files', () => {
  const original = (name: string): string => readExternal(`retrieval/mcpproxy_originals/${name}`);

  it('are read without conversion: corpus, golden set and baseline', () => {
    const corpus = readCorpus(original('corpus_v1.tools.json'), 'corpus_v1.tools.json');
    expect([corpus.version, corpus.tools.length]).toEqual(['corpus_v1', 45]);
    const read = readGolden(
      original('retrieval_golden_v1.json'),
      'retrieval_golden_v1.json',
      corpus,
    );
    expect([read.golden.version, read.golden.queries.length]).toEqual(['retrieval_golden_v1', 47]);
    const baseline = readBaseline(original('baseline_v1.json'), 'baseline_v1.json');
    expect(baseline).toMatchObject({
      corpus_version: 'corpus_v1',
      golden_version: 'retrieval_golden_v1',
      tolerance: { recall_at_5: 0.05 },
    });
    expect(
      readCorpus(original('corpus_v2.tools.json'), 'corpus_v2.tools.json').tools.every(
        ({ schema }) => schema !== undefined,
      ),
    ).toBe(true);
  });
});

const tool = (server: string, name: string) => ({
  tool_id: `${server}:${name}`,
  server,
  tool: name,
  description: 'x',
});
const corpusText = (tools: unknown[]): string => JSON.stringify({ version: 'c', tools }, null, 1);
const small: Corpus = { version: 'c', tools: [tool('a', 'x'), tool('a', 'y')] };
const query = (id: string, labels: unknown[]) => ({ id, query: 'find it', labels });
const label = (tool_id: string, relevance: unknown) => ({ tool_id, relevance });
const goldenText = (queries: unknown[], corpus_version = 'c'): string =>
  JSON.stringify({ corpus_version, queries }, null, 1);
/** The line number of the n-th occurrence of `part`. */
const lineOf = (text: string, part: string, nth = 1): number =>
  text.split(part).slice(0, nth).join(part).split('\n').length;

describe('invalid files', () => {
  it.each([
    [
      'a duplicate id',
      corpusText([tool('a', 'x'), tool('a', 'x')]),
      /a:x: The ID is not unique/,
      2,
    ],
    [
      'the id of another tool',
      corpusText([tool('a', 'x'), { ...tool('a', 'y'), tool_id: 'a:z' }]),
      /a:z: The id is not "a:y"/,
      1,
    ],
    [
      'a server with a colon',
      corpusText([{ tool_id: 'a:b:x', server: 'a:b', tool: 'x' }]),
      /contain a colon/,
      1,
    ],
  ])('a corpus with %s is rejected with id and line', (_what, text, message, nth) => {
    const part = /unique/.test(message.source)
      ? '"tool_id": "a:x"'
      : /not "a:y"/.test(message.source)
        ? '"tool_id": "a:z"'
        : '"server": "a:b"';
    expect(() => readCorpus(text, 'c.json')).toThrow(message);
    expect(() => readCorpus(text, 'c.json')).toThrow(
      new RegExp(`c\\.json:${lineOf(text, part, nth)}:`),
    );
  });

  it.each([
    ['no JSON', '{"tools":'],
    ['no array', '{}'],
    ['an empty array', '{"tools":[]}'],
    ['extreme nesting', `{"tools":[${'['.repeat(600)}${']'.repeat(600)}]}`],
  ])('a corpus with %s is rejected', (_what, text) => {
    expect(() => readCorpus(text, 'c.json')).toThrow(/Corpus c\.json:\d+/);
  });

  it.each([
    [
      'a dangling label',
      [query('q1', [label('a:x', 2)]), query('q2', [label('a:gone', 1)])],
      /q2: The label a:gone isn't a tool of the corpus c/,
      '"a:gone"',
    ],
    [
      'a duplicate label',
      [query('q1', [label('a:x', 2), label('a:x', 1)])],
      /q1: a:x is labeled twice/,
      null,
    ],
    [
      'a duplicate query id',
      [query('q1', [label('a:x', 2)]), query('q1', [label('a:y', 2)])],
      /q1: The ID is not unique/,
      null,
    ],
    [
      'relevance 3',
      [query('q1', [label('a:x', 3)])],
      /q1: The relevance of a:x is 3; it is 0, 1 or 2/,
      '"relevance": 3',
    ],
    [
      'relevance 1.5',
      [query('q1', [label('a:x', 1.5)])],
      /is 1\.5; it is 0, 1 or 2/,
      '"relevance": 1.5',
    ],
    [
      'relevance as a string',
      [query('q1', [label('a:x', '2')])],
      /is "2"; it is 0, 1 or 2/,
      '"relevance": "2"',
    ],
    [
      'an empty query',
      [{ ...query('q1', [label('a:x', 2)]), query: ' ' }],
      /q1: The query is empty/,
      '"query": " "',
    ],
    [
      'a query without a label',
      [query('q1', [label('a:x', 0)])],
      /q1: No tool is labeled 1 or 2/,
      null,
    ],
  ])('a golden set with %s is rejected with id and line', (_what, queries, message, part) => {
    const text = goldenText(queries);
    expect(() => readGolden(text, 'g.json', small)).toThrow(message);
    if (part !== null)
      expect(() => readGolden(text, 'g.json', small)).toThrow(
        new RegExp(`g\\.json:${lineOf(text, part)}:`),
      );
  });

  it('a golden set for another corpus version is rejected with both versions', () => {
    expect(() =>
      readGolden(goldenText([query('q1', [label('a:x', 2)])], 'other'), 'g.json', small),
    ).toThrow(/"other", and the corpus is "c"/);
  });

  it('lenient reading leaves out unlabeled queries and names them', () => {
    expect(
      readGolden(goldenText([query('q1', [label('a:x', 2)]), query('q2', [])]), 'g.json', small, {
        lenient: true,
      }).unlabeled,
    ).toEqual(['q2']);
  });

  it.each([
    ['an unknown id', { q1: ['a:gone'] }, /q1: a:gone isn't a tool of the corpus c/],
    ['a duplicate id', { q1: ['a:x', 'a:y', 'a:x'] }, /q1: a:x is not unique/],
    ['an unknown query', { q9: ['a:x'] }, /q9: The golden set has no query with this ID/],
  ])('a ranking with %s is rejected with query, id and line', (_what, rankings, message) => {
    const read = () =>
      readRankings(JSON.stringify({ rankings }, null, 1), 'r.json', small, {
        version: 'g',
        corpusVersion: 'c',
        queries: [{ id: 'q1', query: 'x', labels: [] }],
      });
    expect(read).toThrow(message);
    expect(read).toThrow(/r\.json:[3-6]/);
  });
});
