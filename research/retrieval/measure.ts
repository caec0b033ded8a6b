/**
 * The default retriever against `bm25`, as a Markdown table:
 *
 *   node research/retrieval/measure.ts [--write]
 *
 * It prints means and nothing of a single request. Only `retrieval_golden_v1` and `_v2` were used to
 * choose anything of the retriever.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import type { Corpus, GoldenSet } from '../../src-shared/domain/retrieval.ts';
import { recallAt, reciprocalRank } from '../../src-shared/metrics/ranking.ts';
import { meanDifference } from '../../src-shared/metrics/retrievalScore.ts';
import type { RankableTool } from '../../src-main/analysis/rankers/ranker.ts';
import { offlineRankers } from '../../src-main/analysis/rankers/rankers.ts';
import { readCorpus, readGolden } from '../../src-main/services/retrieval/datasetFiles.ts';
import { rankableTools } from '../../src-main/services/retrieval/scoreRetrieval.ts';
import { readExternal } from '../../src-main/testing/externalData.ts';
import { writeTable } from '../markedTable.ts';
import { readDamaged, sets, type SetName } from '../texts/damage.ts';

interface RequestSet {
  name: string;
  tools: readonly RankableTool[];
  requests: readonly {
    query: string;
    relevant: ReadonlyMap<string, number>;
    difficulty?: string | undefined;
  }[];
}

const idOf = ({ server, name }: RankableTool): string => `${server}:${name}`;
const dataset = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../datasets', name), 'utf8');

function golden(version: 'v1' | 'v2'): RequestSet {
  const corpus = readCorpus(dataset(`corpus_${version}.json`), version);
  const name = `retrieval_golden_${version}`;
  const { golden: set } = readGolden(dataset(`${name}.json`), name, corpus);
  return requestsOf(`\`${name}\``, corpus, set);
}

function requestsOf(name: string, corpus: Corpus, set: GoldenSet): RequestSet {
  return {
    name,
    tools: rankableTools(corpus),
    requests: set.queries.map(({ query, labels, difficulty }) => ({
      query,
      difficulty,
      relevant: new Map(labels.map((label) => [label.tool_id, label.relevance])),
    })),
  };
}

/** A corpus and golden set that others published. */
function external(version: 'v1' | 'v2'): RequestSet {
  const file = (name: string): string => readExternal(`retrieval/mcpproxy_${version}/${name}.json`);
  const corpus = readCorpus(file('corpus'), version);
  const { golden: set } = readGolden(file('golden'), version, corpus);
  return requestsOf(`external \`mcpproxy_${version}\``, corpus, set);
}

/** The functions that requests of the function-calling sample lead to, as one catalog. */
function functions(): RequestSet {
  const byName = new Map<string, RankableTool>();
  const requests = ['simple_python', 'multiple'].flatMap((file) =>
    readExternal(`bfcl/${file}.jsonl.br`)
      .trimEnd()
      .split('\n')
      .map((line) => {
        const {
          query,
          tools,
          expected_calls: calls,
        } = JSON.parse(line) as {
          query: string;
          tools: { name: string; description: string; inputSchema: JsonObject }[];
          expected_calls: { name: string }[];
        };
        for (const tool of tools) byName.set(tool.name, { server: 'functions', ...tool });
        return { query, relevant: new Map([[`functions:${calls[0]?.name ?? ''}`, 2]]) };
      }),
  );
  return { name: 'functions of the BFCL sample', tools: [...byName.values()], requests };
}

/** The requests for damaged tools, on the undamaged tools of all servers of a set. */
function servers(set: SetName): RequestSet {
  const all = readDamaged(set);
  return {
    name: `${all.length} public servers, set ${set} (\`research/texts\`)`,
    tools: all.flatMap(({ whole }) => whole),
    requests: all.flatMap(({ cases }) =>
      cases.map(({ query, expectedCalls }) => ({
        query,
        relevant: new Map(
          expectedCalls.flatMap((call) =>
            'tool' in call ? [[`${call.server}:${call.tool}`, 2] as const] : [],
          ),
        ),
      })),
    ),
  };
}

/** The queries of a golden set that one tool is right for. */
function single(set: RequestSet): RequestSet {
  const requests = set.requests.filter(
    ({ relevant }) => [...relevant.values()].filter((relevance) => relevance > 0).length === 1,
  );
  return { ...set, name: `${set.name}, one right tool`, requests };
}

function score(set: RequestSet, id: string): { recall: number[]; rank: number[] } {
  const index = offlineRankers.get(id)?.index(set.tools);
  if (!index) throw new Error(`There is no retriever ${id}.`);
  const ids = set.tools.map(idOf);
  const rankings = set.requests.map(({ query, relevant }) => ({
    ranking: index.rank(query).map(({ toolIndex }) => ids[toolIndex] ?? ''),
    relevant,
  }));
  return {
    recall: rankings.map(({ ranking, relevant }) => recallAt(ranking, relevant, 5) ?? 0),
    rank: rankings.map(({ ranking, relevant }) => reciprocalRank(ranking, relevant) ?? 0),
  };
}

/** R@5 of each query of the larger golden set, by how far its words are from those of the tools. */
function byDifficulty(): [name: string, values: number[]][] {
  const set = golden('v2');
  const { recall } = score(set, 'default');
  const groups = Map.groupBy(recall.keys(), (at) => set.requests[at]?.difficulty ?? 'unknown');
  return [...groups].map(([name, places]) => [name, places.map((at) => recall[at] ?? 0)]);
}

const mean = (values: readonly number[]): string =>
  (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(2);

export function retrievalTable(): string {
  const rows = [
    golden('v1'),
    golden('v2'),
    single(golden('v1')),
    single(golden('v2')),
    external('v1'),
    external('v2'),
    functions(),
    ...sets.map(servers),
  ].map((set) => {
    const [own, other] = [score(set, 'default'), score(set, 'bm25')];
    const cells = (['recall', 'rank'] as const).map((metric) => {
      const difference = meanDifference(own[metric], other[metric]);
      const text = difference
        ? `${difference.value.toFixed(2)} [${difference.low.toFixed(2)}–${difference.high.toFixed(2)}]`
        : '–';
      return `${mean(own[metric])} to ${mean(other[metric])}, ${text}`;
    });
    return `| ${[set.name, set.tools.length, set.requests.length, ...cells].join(' | ')} |`;
  });
  const difficulties = byDifficulty().map(
    ([name, values]) => `${name} ${mean(values)} (${values.length} queries)`,
  );
  return [
    '| set | tools | requests | R@5, `default` to `bm25`, difference | MRR |',
    '| --- | ---: | ---: | --- | --- |',
    ...rows,
    '',
    `R@5 of \`default\` on \`retrieval_golden_v2\` by difficulty: ${difficulties.join(', ')}.`,
  ].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
  const table = retrievalTable();
  process.stdout.write(`${table}\n`);
  if (values.write) writeTable('rules', 'retrieval', table);
}
