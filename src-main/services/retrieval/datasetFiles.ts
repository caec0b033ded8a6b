import { basename } from 'node:path';
import { z } from 'zod';
import type { JsonPath } from '../../../src-shared/domain/jsonPointer.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import {
  baselineFile,
  corpusTool,
  goldenQuery,
  rankingFile,
  relevance,
  type BaselineFile,
  type Corpus,
  type GoldenSet,
  type Rankings,
  type GoldenQuery,
} from '../../../src-shared/domain/retrieval.ts';
import type { DatasetWarning } from '../../../src-shared/domain/datasetWarning.ts';
import { DataFile } from './dataFile.ts';
import { words } from '../../analysis/tokenizer.ts';

const corpusDocument = z.object({
  version: z.string().min(1).optional(),
  tools: z.array(z.unknown()),
});
const goldenDocument = z.object({
  version: z.string().min(1).optional(),
  corpus_version: z.string().min(1),
  queries: z.array(z.unknown()),
});
const labeledEntry = z.object({
  labels: z.array(z.object({ tool_id: z.unknown(), relevance: z.unknown() })),
});

/** `corpus_v1.tools.json` is `corpus_v1`. */
const versionFromName = (name: string): string =>
  basename(name).replace(/(\.tools)?\.json$/i, '') || 'unnamed';

/**
 * Reads a corpus: `tools[]` of `{tool_id, server, tool, description, schema?}` with unique ids made
 * of server and tool. The version is the file's own or that of its name. Throws INVALID with file,
 * line and id.
 */
export function readCorpus(text: string, name: string): Corpus {
  const file = new DataFile('Corpus', name, text);
  const { version, tools: entries } = file.parse(
    corpusDocument,
    file.value,
    [],
    'It has no list of tools.',
  );
  if (entries.length === 0)
    throw file.errorAt(['tools'], 'It has no tools, so there is nothing to find.');
  const seen = new Set<string>();
  const tools = entries.map((entry, at) => {
    const path = ['tools', at];
    const id = readId(entry, 'tool_id') ?? `tool ${at + 1}`;
    const tool = file.parse(corpusTool, entry, path, `${id}:`);
    if (tool.server === '' || tool.server.includes(':'))
      throw file.errorAt(
        [...path, 'server'],
        `${id}: A server name must not be empty or contain a colon.`,
      );
    if (tool.tool_id !== toolId(tool.server, tool.tool))
      throw file.errorAt(
        [...path, 'tool_id'],
        `${id}: The id is not "${toolId(tool.server, tool.tool)}", which its server and tool make.`,
      );
    if (seen.has(tool.tool_id))
      throw file.errorAt([...path, 'tool_id'], `${id}: The ID is not unique.`);
    seen.add(tool.tool_id);
    return tool;
  });
  return { version: version ?? versionFromName(name), tools };
}

export interface ReadGolden {
  golden: GoldenSet;
  /** Ids of queries without a label of relevance 1 or 2. */
  unlabeled: string[];
  /** Queries that name a tool they are labeled with. */
  warnings: DatasetWarning[];
}

/**
 * Reads a golden set over a corpus: `queries[]` of `{id, query, labels: [{tool_id, relevance}],
 * notes?}`. Every label must be a tool of the corpus (INV-1), ids must be unique, relevance must be
 * 0, 1 or 2, and each query needs a label of 1 or 2 unless `lenient`. Throws INVALID with file,
 * line and id.
 */
export function readGolden(
  text: string,
  name: string,
  corpus: Corpus,
  { lenient = false } = {},
): ReadGolden {
  const file = new DataFile('Golden set', name, text);
  const head = file.parse(
    goldenDocument,
    file.value,
    [],
    'It has no corpus_version or no list of queries:',
  );
  if (head.corpus_version !== corpus.version) {
    throw file.errorAt(
      ['corpus_version'],
      `It is for corpus version "${head.corpus_version}", and the corpus is "${corpus.version}".`,
    );
  }
  if (head.queries.length === 0) throw file.errorAt(['queries'], 'It has no queries.');
  const known = new Set(corpus.tools.map((tool) => tool.tool_id));
  const seen = new Set<string>();
  const unlabeled: string[] = [];
  const queries = head.queries.map((entry, at) => {
    const path = ['queries', at];
    const id = readId(entry, 'id') ?? `query ${at + 1}`;
    checkRelevance(file, entry, path, id);
    const query = file.parse(goldenQuery, entry, path, `${id}:`);
    if (query.query.trim() === '')
      throw file.errorAt([...path, 'query'], `${id}: The query is empty.`);
    if (seen.has(query.id)) throw file.errorAt([...path, 'id'], `${id}: The ID is not unique.`);
    seen.add(query.id);
    const labeled = new Set<string>();
    for (const [index, label] of query.labels.entries()) {
      const labelPath = [...path, 'labels', index, 'tool_id'];
      if (!known.has(label.tool_id))
        throw file.errorAt(
          labelPath,
          `${id}: The label ${label.tool_id} isn't a tool of the corpus ${corpus.version}.`,
        );
      if (labeled.has(label.tool_id))
        throw file.errorAt(labelPath, `${id}: ${label.tool_id} is labeled twice.`);
      labeled.add(label.tool_id);
    }
    if (!query.labels.some((label) => label.relevance >= 1)) {
      if (!lenient)
        throw file.errorAt(
          path,
          `${id}: No tool is labeled 1 or 2, so there is nothing to find. Label one, or ` +
            'use lenient mode to skip the query.',
        );
      unlabeled.push(query.id);
    }
    return query;
  });
  return {
    golden: {
      version: head.version ?? versionFromName(name),
      corpusVersion: head.corpus_version,
      queries,
    },
    unlabeled,
    warnings: goldenWarnings(queries),
  };
}

/** Checked before the schema, because the message of its union would not name the valid numbers. */
function checkRelevance(file: DataFile, entry: unknown, path: JsonPath, id: string): void {
  const labels = labeledEntry.safeParse(entry);
  if (!labels.success) return;
  for (const [index, label] of labels.data.labels.entries()) {
    if (relevance.safeParse(label.relevance).success) continue;
    throw file.errorAt(
      [...path, 'labels', index, 'relevance'],
      `${id}: The relevance of ${String(label.tool_id)} is ` +
        `${label.relevance === undefined ? 'missing' : JSON.stringify(label.relevance)}; it is ` +
        '0, 1 or 2.',
    );
  }
}

/** Reads a baseline with its tolerances. Throws INVALID with file and line. */
export function readBaseline(text: string, name: string): BaselineFile {
  const file = new DataFile('Baseline', name, text);
  return file.parse(baselineFile, file.value, [], "It isn't a baseline:");
}

/**
 * Reads a ranking made by another program. Every id must be a tool of the corpus and unique, every
 * query one of the golden set. Throws INVALID with file, line, query and id.
 */
export function readRankings(
  text: string,
  name: string,
  corpus: Corpus,
  golden: GoldenSet,
): Rankings {
  const file = new DataFile('Ranking', name, text);
  const { rankings } = file.parse(rankingFile, file.value, [], 'It has no rankings:');
  const tools = new Set(corpus.tools.map((tool) => tool.tool_id));
  const queries = new Set(golden.queries.map((query) => query.id));
  for (const [query, ranking] of Object.entries(rankings)) {
    if (!queries.has(query))
      throw file.errorAt(
        ['rankings', query],
        `${query}: The golden set has no query with this ID.`,
      );
    const seen = new Set<string>();
    for (const [at, id] of ranking.entries()) {
      if (!tools.has(id))
        throw file.errorAt(
          ['rankings', query, at],
          `${query}: ${id} isn't a tool of the corpus ${corpus.version}.`,
        );
      if (seen.has(id))
        throw file.errorAt(['rankings', query, at], `${query}: ${id} is not unique.`);
      seen.add(id);
    }
  }
  return rankings;
}

function readId(entry: unknown, member: string): string | null {
  if (typeof entry !== 'object' || entry === null || !(member in entry)) return null;
  const value: unknown = Reflect.get(entry, member);
  return typeof value === 'string' ? value : null;
}

const phrase = (text: string): string => ` ${words(text).join(' ')} `;

/**
 * Queries that name one of their labeled tools: the words of its name, next to each other. Any
 * retriever finds a tool by its name, so such a query measures nothing (docs/rules.md §5).
 */
function goldenWarnings(queries: readonly GoldenQuery[]): DatasetWarning[] {
  return queries.flatMap(({ id, query, labels }) => {
    const said = phrase(query);
    const named = labels.find(({ tool_id }) => {
      const name = phrase(tool_id.slice(tool_id.indexOf(':') + 1));
      return name.trim() !== '' && said.includes(name);
    });
    return named === undefined
      ? []
      : [
          {
            entry: id,
            reason: `The query names the tool ${named.tool_id}, so any retriever finds it.`,
            nextStep: 'Ask for the same in words of a person who doesn’t know the tool.',
          },
        ];
  });
}
