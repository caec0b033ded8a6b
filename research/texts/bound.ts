/**
 * How much of what damage cost any rule could bring back at most, as a Markdown table:
 *
 *   node research/texts/bound.ts [--set c|…]… [--write]
 *
 * A rule has what the workspace has: the name, the schema, the texts of siblings, and the requests of
 * the search half. Of the texts that these make, an oracle takes for each damaged tool the one with
 * which the most requests of the proof half pass, one tool after the other until nothing is gained:
 * no rule knows these requests, so none can choose as well. The texts are whole lists of words, too,
 * which nobody would paste. Without `--set` it reads the smallest set, in minutes. `--write` puts the table
 * into docs/rules.md.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { JsonValue } from '../../src-shared/domain/json.ts';
import { isJsonObject } from '../../src-shared/domain/json.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { halfOf } from '../../src-shared/metrics/candidateProof.ts';
import { wordInFull } from '../../src-main/analysis/abbreviations.ts';
import { draftAdvice } from '../../src-main/analysis/advice/draft.ts';
import { names as isNamed } from '../../src-main/analysis/advice/paste.ts';
import { contentTerms } from '../../src-main/analysis/contentTerms.ts';
import { words } from '../../src-main/analysis/tokenizer.ts';
import { loadEncoding } from '../../src-main/analysis/tokens/encodings.ts';
import { idOf, type Catalog } from '../../src-main/optimize/catalog.ts';
import { optimizeBuiltin, type BuiltinRun } from '../../src-main/optimize/planted.fixture.ts';
import { sentencesOf } from '../../src-main/optimize/sentences.ts';
import { writeTable } from '../markedTable.ts';
import { damages, readDamaged, sets, type DamagedServer, type SetName } from './damage.ts';
import { passedOf, resultRow, type ToolResult } from './measure.ts';

/** Every word that a schema has: names, titles, descriptions and values, at any depth. */
function* textsIn(schema: JsonValue): Generator<string> {
  if (typeof schema === 'string') yield schema;
  if (Array.isArray(schema)) for (const each of schema) yield* textsIn(each);
  if (!isJsonObject(schema)) return;
  for (const [key, value] of Object.entries(schema)) {
    yield words(key).join(' ');
    yield* textsIn(value);
  }
}

/** The texts that a tool can be given by what the workspace has, without and with its requests. */
function textsFor(
  tool: Tool,
  tools: readonly Tool[],
  damagedNames: readonly string[],
  requests: readonly string[],
): string[][] {
  const own = tool.description;
  const siblings = tools.filter((other) => other.name !== tool.name);
  // Where two tools exchanged their texts, the lost one is at another damaged tool.
  const moved = siblings.filter(({ name: other }) => damagedNames.includes(other));
  const name = words(tool.name).map(wordInFull).join(' ');
  const schema = [...textsIn(tool.inputSchema)].join(' ');
  const mentions = siblings
    .flatMap(({ description }) => sentencesOf(description))
    .filter((sentence) => isNamed(sentence, tool.name))
    .join(' ');
  const drafts = ['', own].flatMap((description) => {
    const before = { ...tool, description };
    const all = tools.map((other) => (other.name === tool.name ? before : other));
    const piece = draftAdvice(
      before,
      all,
      requests.map((query) => ({ query, values: '' })),
    );
    return (piece?.edits ?? []).flatMap((edit) =>
      edit.type === 'text' && edit.toolId === idOf(tool) ? [edit.newText] : [],
    );
  });
  const without = [
    own,
    name,
    `${name} ${schema}`,
    `${own} ${schema}`,
    `${name} ${mentions}`,
    `${own} ${schema} ${mentions}`,
    ...drafts,
    ...drafts.map((draft) => `${draft} ${schema}`),
    ...moved.map(({ description }) => description),
  ];
  const terms = requests.flatMap((query) => contentTerms(query).map(({ word }) => word));
  const counts = Map.groupBy(terms, (word) => word);
  const said = [...counts.keys()].join(' ');
  const shared = [...counts].flatMap(([word, all]) => (all.length > 1 ? [word] : [])).join(' ');
  const asked = [said, shared].flatMap((each) => [
    `${own} ${each}`,
    `${name} ${each}`,
    `${name} ${schema} ${mentions} ${each}`,
  ]);
  return [without, asked].map((texts) => [...new Set(texts)]);
}

/** The best choice of a text for each damaged tool, one tool after the other, from what was chosen. */
async function oracle(
  server: DamagedServer,
  damaged: readonly Tool[],
  run: BuiltinRun,
  chosen: Map<string, string>,
  textsOf: (tool: Tool) => readonly string[],
): Promise<Awaited<ReturnType<BuiltinRun['prove']>>> {
  const catalogOf = (): Catalog =>
    damaged.flatMap((tool) => {
      const text = chosen.get(tool.name);
      return text === undefined || text === tool.description
        ? []
        : [{ toolId: idOf(tool), path: '/description', oldText: tool.description, newText: text }];
    });
  const countOf = (scores: Awaited<ReturnType<BuiltinRun['prove']>>): number =>
    server.names.reduce((sum, name) => sum + passedOf(server, name, scores), 0);
  let best = await run.prove(catalogOf());
  for (let isBetter = true; isBetter;) {
    isBetter = false;
    for (const tool of damaged.filter(({ name }) => server.names.includes(name))) {
      let kept = chosen.get(tool.name) ?? tool.description;
      for (const text of textsOf(tool)) {
        chosen.set(tool.name, text);
        const scores = await run.prove(catalogOf());
        if (countOf(scores) > countOf(best)) [best, kept, isBetter] = [scores, text, true];
      }
      chosen.set(tool.name, kept);
    }
  }
  return best;
}

export async function boundTable(chosen: readonly SetName[]): Promise<string> {
  await loadEncoding('cl100k_base', async () => undefined);
  const results: ToolResult[] = [];
  for (const server of chosen.flatMap(readDamaged)) {
    const open = (tools: readonly Tool[]): Promise<BuiltinRun> =>
      optimizeBuiltin(tools, server.cases, { maxSteps: 0, choiceOnly: true });
    const ofWhole = await (await open(server.whole)).prove([]);
    for (const damage of damages) {
      const damaged = server.damaged(damage);
      const run = await open(damaged);
      const ofDamaged = await run.prove([]);
      const texts = new Map(
        damaged.map((tool) => {
          const own = server.cases.filter(
            ({ id }) => id.startsWith(`${server.server}/${tool.name}/`) && halfOf(id) === 'search',
          );
          return [
            tool,
            textsFor(
              tool,
              damaged,
              server.names,
              own.map(({ query }) => query),
            ),
          ];
        }),
      );
      const scores = [];
      const best = new Map<string, string>();
      for (const at of [0, 1])
        scores.push(
          await oracle(server, damaged, run, best, (tool) => texts.get(tool)?.[at] ?? []),
        );
      for (const name of server.names)
        results.push({
          damage,
          of: server.proofOfTool,
          whole: passedOf(server, name, ofWhole),
          damaged: passedOf(server, name, ofDamaged),
          passed: scores.map((each) => passedOf(server, name, each)),
        });
    }
  }
  return [
    '| damage | requests n | passed whole | damaged | with the best text | at most by names, schemas and siblings (95% interval) | and by requests of the search half |',
    `| --- |${' ---: |'.repeat(6)}`,
    ...damages.map((damage) =>
      resultRow(
        damage,
        results.filter((each) => each.damage === damage),
      ),
    ),
    resultRow('all', results),
  ].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      set: { type: 'string', multiple: true },
      write: { type: 'boolean', default: false },
    },
  });
  const table = await boundTable(z.array(z.enum(sets)).parse(values.set ?? ['c']));
  process.stdout.write(`${table}\n`);
  if (values.write) writeTable('bound', table);
}
