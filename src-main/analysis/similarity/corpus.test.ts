import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonObject } from '../../../src-shared/domain/json.ts';
import { applyPatch } from '../../testing/jsonPatch.ts';
import {
  defaultOverlapWeights as weights,
  isFlagged,
} from '../../../src-shared/domain/similarity.ts';
import { createDifferentiator } from '../differentiate/differentiate.ts';
import { lintTools } from '../lint/lintTools.ts';
import { readExternal } from '../../testing/externalData.ts';
import { clusterOrder, groupsAt } from './groups.ts';
import { fullTable, pairsOf } from './pairTable.ts';
import { prepareTools, readPair } from './prepare.ts';
import { finish } from '../../runtime/steps.ts';
import { rankPairs } from './rankPairs.ts';
import { blockRows, BlockWorker } from './rowBlock.ts';

const corpus = z.object({
  tools: z.array(
    z.object({
      tool_id: z.string(),
      server: z.string(),
      tool: z.string(),
      description: z.string(),
      schema: jsonObject.optional(),
    }),
  ),
});
const tools = corpus
  .parse(JSON.parse(readExternal('retrieval/livemcpbench/corpus.json.br')))
  .tools.map((one) => ({
    server: one.server,
    name: one.tool,
    description: one.description,
    inputSchema: one.schema ?? {},
  }));
const ids = tools.map(({ server, name }) => `${server}:${name}`);
const prepared = prepareTools(tools, { measure: 'overlap', weights, full: false, embedded: null });
const table = fullTable(new Uint32Array(pairsOf(tools.length)), tools.length);
const packed = table.row(0)?.buffer;
const worker = new BlockWorker(prepared, {
  kind: 'full',
  table: new Uint32Array(packed ?? new ArrayBuffer(0)),
});
for (let first = 0; first < tools.length; first += blockRows) worker.run(first);

/** Picked by reading the descriptions, not by any score. */
const nearDuplicates: [string, string][] = [
  // One tool on two servers.
  ['playwright:playwright_click', 'puppeteer:puppeteer_click'],
  ['playwright:playwright_evaluate', 'puppeteer:puppeteer_evaluate'],
  ['playwright:playwright_fill', 'puppeteer:puppeteer_fill'],
  ['playwright:playwright_hover', 'puppeteer:puppeteer_hover'],
  ['playwright:playwright_select', 'puppeteer:puppeteer_select'],
  ['playwright:playwright_screenshot', 'puppeteer:puppeteer_screenshot'],
  ['desktop-commander:move_file', 'filesystem:move_file'],
  ['desktop-commander:create_directory', 'filesystem:create_directory'],
  ['desktop-commander:list_directory', 'filesystem:list_directory'],
  ['desktop-commander:read_multiple_files', 'filesystem:read_multiple_files'],
  // Twins that read and write, do and undo, or differ by one word.
  ['word-document-server:protect_document', 'word-document-server:unprotect_document'],
  ['memory:create_relations', 'memory:delete_relations'],
  ['text-editor:get_text_file_contents', 'text-editor:edit_text_file_contents'],
  ['git:git_diff_staged', 'git:git_diff_unstaged'],
  ['mcp-server-chart:generate_boxplot_chart', 'mcp-server-chart:generate_violin_chart'],
  ['filesystem:list_directory', 'filesystem:list_directory_with_sizes'],
];

describe('527 tools of real servers', () => {
  it('rank known near-duplicates at the top of 138,601 pairs', () => {
    const { pairs } = finish(rankPairs(table, 100));
    const top = pairs.map(({ a, b }) => [ids[a], ids[b]].sort().join(' '));
    expect(
      nearDuplicates
        .map((pair) => [...pair].sort().join(' '))
        .filter((pair) => !top.includes(pair)),
    ).toEqual([]);
    // The same words with the same parameters come first of all.
    expect(top.slice(0, 5).every((pair) => /playwright.*puppeteer/u.test(pair))).toBe(true);
  });

  it('group equal tools of two servers', async () => {
    const groups = groupsAt(await clusterOrder(table), 0.9).map((group) =>
      group.map((at) => ids[at]),
    );
    expect(
      groups.some(
        (group) =>
          group.includes('playwright:playwright_click') &&
          group.includes('puppeteer:puppeteer_click'),
      ),
    ).toBe(true);
  });

  it('get recommendations whose patches apply', () => {
    const differentiator = createDifferentiator(tools);
    const flagged = finish(rankPairs(table, 200))
      .pairs.map(({ a, b }) => readPair(prepared, a, b))
      .filter((pair) => isFlagged(pair, 0.85));
    expect(flagged.length).toBeGreaterThan(15);
    for (const { a, b, similarityScore } of flagged) {
      const [one, two] = [tools[a], tools[b]];
      if (!one || !two) continue;
      for (const { toolId, applyCommands } of differentiator.advise(one, two, similarityScore)
        .recommendations) {
        const { name, description, inputSchema } = toolId === ids[a] ? one : two;
        applyPatch({ name, description, inputSchema }, applyCommands);
      }
    }
  });

  it('get the number of lint findings that was verified by hand', () => {
    const counts: Record<string, number> = {};
    for (const { rule } of lintTools(tools).findings) counts[rule] = (counts[rule] ?? 0) + 1;
    expect(counts).toMatchObject({
      'missing-description': 19,
      'same-description': 14,
      'short-description': 130,
      'long-description': 17,
      'vague-words': 5,
      'untyped-parameter': 2,
      'parameter-repeats-name': 8,
      'repeats-name': 10,
      'same-name': 31,
    });
    // "Check if a package is deprecated" says nothing of its own tool.
    expect(counts['deprecated']).toBeUndefined();
    expect(counts['broken-encoding']).toBeUndefined();
    expect(counts['unfinished-text']).toBeUndefined();
  });

  it('spread over the scale: no score has more than a third of them, and the ends are used', () => {
    const scores = lintTools(tools).tools.map(({ score }) => score);
    const counts = Map.groupBy(scores, (score) => score);
    for (const alike of counts.values()) expect(alike.length).toBeLessThan(tools.length / 3);
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(scores.filter((score) => score <= 5).length).toBeGreaterThan(tools.length / 10);
    const sorted = scores.toSorted((a, b) => a - b);
    const quartile = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 0;
    expect(quartile(0.75) - quartile(0.25)).toBeGreaterThanOrEqual(2);
  });
});
