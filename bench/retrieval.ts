import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import MiniSearch from 'minisearch';
import { bm25Ranker } from '../src-main/analysis/rankers/bm25.ts';
import { offlineRankers } from '../src-main/analysis/rankers/rankers.ts';
import type { RankableTool } from '../src-main/analysis/rankers/ranker.ts';
import { toolId } from '../src-shared/domain/labels.ts';
import { scoreRanking } from '../src-shared/metrics/ranking.ts';
import { makeCatalogue, makeQueries } from './catalogue.ts';
import { best } from './best.ts';
import { ratioRow, type Row } from './report.ts';

const tools = 10_000;

/**
 * Ranking: queries against minisearch, indexing against SQLite's FTS5, memory for 100,000 tools,
 * and what the metrics add to a ranking.
 */
export function benchRetrieval(): Row[] {
  const catalogue = makeCatalogue(tools);
  return [answering(catalogue), building(catalogue), memory(), metrics()];
}

function answering(catalogue: readonly RankableTool[]): Row {
  const queries = makeQueries(100);
  const index = bm25Ranker.index(catalogue);
  const peer = new MiniSearch<{ id: number; name: string; description: string }>({
    fields: ['name', 'description'],
    searchOptions: { bm25: { k: 1.2, b: 0.75, d: 0 } },
  });
  peer.addAll(catalogue.map(({ name, description }, id) => ({ id, name, description })));
  const ours = best(3, () => queries.forEach((query) => index.rank(query)));
  const theirs = best(3, () => queries.forEach((query) => peer.search(query)));
  return ratioRow(
    'BM25 over 10,000 tools, every tool ranked, per query',
    ours / queries.length,
    'ms',
    'minisearch, matches only',
    theirs / queries.length,
    0.1,
  );
}

function building(catalogue: readonly RankableTool[]): Row {
  const ours = best(5, () => bm25Ranker.index(catalogue));
  const theirs = best(5, () => {
    const db = new Sqlite(':memory:');
    db.exec('CREATE VIRTUAL TABLE tools USING fts5(name, description)');
    const insert = db.prepare('INSERT INTO tools VALUES (?, ?)');
    db.transaction(() =>
      catalogue.forEach(({ name, description }) => insert.run(name, description)),
    )();
    db.close();
  });
  return ratioRow('its index of 10,000 tools, built', ours, 'ms', 'SQLite FTS5', theirs, 1.5);
}

function memory(): Row {
  const child = fileURLToPath(new URL('./indexMemoryChild.ts', import.meta.url));
  const bytes = Number(
    execFileSync(process.execPath, ['--expose-gc', child, '100000'], { encoding: 'utf8' }),
  );
  return ratioRow('its memory for 100,000 tools, per tool', bytes, 'bytes', 'bound', 1024, 1);
}

function metrics(): Row {
  const catalogue = makeCatalogue(100_000);
  const ids = catalogue.map(({ server, name }) => toolId(server, name));
  const index = bm25Ranker.index(catalogue);
  // A tenth of a thousand queries, because each costs the same.
  const queries = makeQueries(100);
  const relevance = queries.map(
    (_, at) =>
      new Map([
        [ids[at * 997] ?? '', 2],
        [ids[at * 613 + 5] ?? '', 1],
      ]),
  );
  let ranked: string[][] = [];
  const ranking = best(
    1,
    () =>
      (ranked = queries.map((query) =>
        index.rank(query).map(({ toolIndex }) => ids[toolIndex] ?? ''),
      )),
  );
  const judging = best(3, () =>
    ranked.forEach((ids, at) => scoreRanking(ids, relevance[at] ?? new Map())),
  );
  return ratioRow(
    'metrics of a ranking of 100,000 tools, per query',
    judging / queries.length,
    'ms',
    'the ranking itself',
    ranking / queries.length,
    1,
  );
}

/** The cost of a query with each offline retriever, for information, without a bound. */
export function benchRetrievers(): Row[] {
  const catalogue = makeCatalogue(1_000);
  const queries = makeQueries(100);
  return [...offlineRankers.values()].map((ranker) => {
    const index = ranker.index(catalogue);
    const ms = best(3, () => queries.forEach((query) => index.top(query, 10))) / queries.length;
    return {
      what: `best 10 of 1,000 tools by ${ranker.id}, per query`,
      measured: `${ms.toPrecision(3)} ms`,
      peer: '–',
      ratio: null,
      bound: null,
    };
  });
}
