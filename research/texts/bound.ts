/**
 * How much of what damage costs comes back when each damaged tool gets all words that the workspace
 * has for it, and by rules where it has listed the tool before, as a Markdown table:
 *
 *   node research/texts/bound.ts [--set c|…]… [--write]
 *
 * Three texts are appended to the description: the content words of those requests of the search half
 * that fail, all words of name and schema, and both. Nothing is chosen, and nothing of the proof half
 * is read: these are lists of words, which nobody would paste and the gate refuses. Then rules search
 * with the description before the damage in an earlier listing. `--write` puts the table into
 * docs/recovery.md.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { JsonValue } from '../../src-shared/domain/json.ts';
import { isJsonObject } from '../../src-shared/domain/json.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { wordInFull, contentTerms, words } from '../../src-main/analysis/tokenizer.ts';
import { loadEncoding } from '../../src-main/analysis/tokens/encodings.ts';
import { idOf } from '../../src-main/optimize/catalog.ts';
import { optimizeBuiltin, type BuiltinRun } from '../../src-main/optimize/planted.fixture.ts';
import { writeTable } from '../markedTable.ts';
import { damages, readDamaged, sets, type DamagedServer, type SetName } from './damage.ts';
import { passedOf, resultRow, type ToolResult } from './measure.ts';

/** The sets that the table in docs/recovery.md has. */
const measured: readonly SetName[] = ['c', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'];

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

/** What is appended to a damaged tool: words of requests, words of name and schema, and both. */
function wordsFor(tool: Tool, requests: readonly string[]): string[] {
  const asked = requests.flatMap((query) => contentTerms(query).map(({ word }) => word));
  const said = [...new Set(asked)].join(' ');
  const own = [...words(tool.name).map(wordInFull), ...textsIn(tool.inputSchema)].join(' ');
  return [said, own, `${own} ${said}`];
}

async function resultsOf(server: DamagedServer): Promise<ToolResult[]> {
  const open = (tools: readonly Tool[]): Promise<BuiltinRun> =>
    optimizeBuiltin(tools, server.cases, { maxSteps: 0, choiceOnly: true });
  const ofWhole = await (await open(server.whole)).prove([]);
  const results: ToolResult[] = [];
  for (const damage of damages) {
    const damaged = server.damaged(damage);
    const run = await open(damaged);
    const failing = run.baseline.flatMap(({ failures }) => failures);
    const ofDamaged = await run.prove([]);
    const texts = damaged
      .filter(({ name }) => server.names.includes(name))
      .map((tool) => {
        const own = failing.filter(({ expected }) => expected === idOf(tool));
        const appended = wordsFor(
          tool,
          own.map(({ query }) => query),
        );
        return { tool, appended };
      });
    const scores = [];
    for (const at of [0, 1, 2])
      scores.push(
        await run.prove(
          texts.map(({ tool, appended }) => ({
            toolId: idOf(tool),
            path: '/description',
            oldText: tool.description,
            newText: `${tool.description} ${appended[at] ?? ''}`.trim(),
          })),
        ),
      );
    const before = new Map(server.whole.map((tool) => [idOf(tool), tool.description]));
    const listed = await optimizeBuiltin(damaged, server.cases, {
      choiceOnly: true,
      earlier: (id) => [
        { description: before.get(id) ?? '', until: '2026-01-01', isSameCall: true },
      ],
    });
    scores.push(await listed.prove(listed.optimized.best?.catalog ?? []));
    for (const name of server.names)
      results.push({
        damage,
        of: server.proofOfTool,
        whole: passedOf(server, name, ofWhole),
        damaged: passedOf(server, name, ofDamaged),
        passed: scores.map((each) => passedOf(server, name, each)),
      });
  }
  return results;
}

export async function boundTable(chosen: readonly SetName[] = measured): Promise<string> {
  await loadEncoding('cl100k_base', async () => undefined);
  const rows: string[] = [];
  for (const set of chosen) {
    const results: ToolResult[] = [];
    for (const server of readDamaged(set)) results.push(...(await resultsOf(server)));
    rows.push(resultRow(set.toUpperCase(), results));
  }
  return [
    '| set | requests n | passed whole | damaged | with words of requests | by words of failing requests (95% interval) | by words of name and schema | by both | by rules with the earlier listing |',
    `| --- |${' ---: |'.repeat(8)}`,
    ...rows,
  ].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      set: { type: 'string', multiple: true },
      write: { type: 'boolean', default: false },
    },
  });
  const table = await boundTable(z.array(z.enum(sets)).optional().parse(values.set));
  process.stdout.write(`${table}\n`);
  if (values.write) writeTable('recovery', 'bound', table);
}
