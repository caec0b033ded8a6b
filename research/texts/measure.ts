/**
 * How much of what ten ways of damage cost comes back, as a Markdown table, and the final texts:
 *
 *   node research/texts/measure.ts [--write] [--texts FILE]
 *
 * `builtin` is the model under test, so that everything runs offline. Writers are the rules, and a
 * scripted endpoint that answers with the text as the server has it, through the prompt, the SDK and
 * the parser of any model: it shows what the search and its refusals let through when somebody writes
 * well, not how well a model writes. `--write` puts the table into
 * docs/rules.md, `--texts` writes the final texts for judging. Two lists of judgments
 * (`judgments.1.jsonl`, `judgments.2.jsonl`) say of each text whether its author would paste it, whether
 * it is harmless, or bad: wrong, misleading, or broken. A text that a list doesn't have is not judged.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { modelConfiguration } from '../../src-shared/domain/model.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { createRandom } from '../../src-shared/metrics/random.ts';
import { loadEncoding } from '../../src-main/analysis/tokens/encodings.ts';
import { applyCatalog, idOf } from '../../src-main/optimize/catalog.ts';
import type { CaseScore, Proposal, ProposalRequest } from '../../src-main/optimize/effects.ts';
import { optimizeBuiltin } from '../../src-main/optimize/planted.fixture.ts';
import {
  proposerAnswer,
  proposerPrompt,
  proposerSystem,
  readProposal,
} from '../../src-main/optimize/proposers/model.ts';
import { askForJson } from '../../src-main/services/models/askForJson.ts';
import { openTestModel } from '../../src-main/testing/fakeModelServer/openTestModel.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../src-main/testing/fakeModelServer/start.ts';
import { percent, writeTable } from '../markedTable.ts';
import { damages, readDamaged, type Damage, type DamagedServer } from './damage.ts';

/** The proof half of one tool: passed as the server has it, damaged, by rules, by the scripted writer. */
interface ToolResult {
  damage: Damage;
  of: number;
  passed: readonly [whole: number, damaged: number, rules: number, writer: number];
}

export interface FinalText {
  damage: Damage;
  tool: string;
  path: string;
  before: string;
  after: string;
}

const passedOf = (server: DamagedServer, name: string, scores: readonly CaseScore[]): number =>
  scores.reduce((sum, { position, share }) => {
    const id = server.cases[position]?.id ?? '';
    return id.startsWith(`${server.server}/${name}/`) ? sum + (share ?? 0) : sum;
  }, 0);

/** The scripted endpoint, and what it describes the tools of the present server with. */
interface Writer {
  endpoint: FakeModelServer;
  texts: Map<string, string>;
}

/**
 * An endpoint that answers the question for a better text with the one that the server has. What is
 * asked and answered goes through the same prompt, SDK, parser and refusals as with any model.
 */
async function openWriter(): Promise<Writer> {
  const texts = new Map<string, string>();
  const endpoint = await startFakeModelServer({
    rule: ({ query }) => {
      const id: unknown = JSON.parse(/<tool id=("(?:[^"\\]|\\.)*")>/u.exec(query)?.[1] ?? '""');
      const text = texts.get(String(id)) ?? '';
      const answer = { reason: 'As the server has it.', edits: [{ path: '/description', text }] };
      return { does: 'answer', text: JSON.stringify(answer) };
    },
  });
  return { endpoint, texts };
}

async function measureServer(
  server: DamagedServer,
  damage: Damage,
  { endpoint, texts: written }: Writer,
): Promise<{ results: ToolResult[]; texts: FinalText[] }> {
  const damaged = server.damaged(damage);
  written.clear();
  for (const tool of server.whole) written.set(idOf(tool), tool.description);
  const configuration = modelConfiguration.parse({ provider: 'openai', model: 'writer' });
  const askWriter = async (request: ProposalRequest): Promise<Proposal[]> => {
    const { value } = await askForJson(
      () => openTestModel(endpoint, 'openai'),
      configuration,
      { system: proposerSystem, query: proposerPrompt(request) },
      proposerAnswer,
      new AbortController().signal,
    );
    return [readProposal(request.tool, value)];
  };
  const whole = await optimizeBuiltin(server.whole, server.cases, { maxSteps: 0, choiceOnly: true });
  const rules = await optimizeBuiltin(damaged, server.cases, { choiceOnly: true });
  const writer = await optimizeBuiltin(damaged, server.cases, {
    propose: askWriter,
    choiceOnly: true,
    maxAddedTokens: 2_000,
  });
  const catalog = rules.optimized.best?.catalog ?? [];
  const scores = [
    await whole.prove([]),
    await rules.prove([]),
    await rules.prove(catalog),
    await writer.prove(writer.optimized.best?.catalog ?? []),
  ] as const;
  const after = applyCatalog(damaged, catalog);
  const results = server.names.map((name): ToolResult => {
    const [a, b, c, d] = scores.map((each) => passedOf(server, name, each));
    return { damage, of: 5, passed: [a ?? 0, b ?? 0, c ?? 0, d ?? 0] };
  });
  const texts = catalog.map(({ toolId, path }) => {
    const at = damaged.findIndex((tool) => idOf(tool) === toolId);
    return { damage, tool: toolId, path, ...textsAt(damaged[at], after[at], path) };
  });
  return { results, texts };
}

const textsAt = (before: Tool | undefined, after: Tool | undefined, path: string) => ({
  before: path === '/description' ? (before?.description ?? '') : '',
  after: path === '/description' ? (after?.description ?? '') : JSON.stringify(after?.inputSchema),
});

const sumOf = (results: readonly ToolResult[], at: 0 | 1 | 2 | 3): number =>
  results.reduce((sum, { passed }) => sum + passed[at], 0);

/** The share of the loss that came back; null if nothing was lost. */
function recovery(results: readonly ToolResult[], at: 2 | 3): number | null {
  const lost = sumOf(results, 0) - sumOf(results, 1);
  return lost > 0 ? (sumOf(results, at) - sumOf(results, 1)) / lost : null;
}

/** Percentile bootstrap over tools: the requests of one tool are not independent. */
function interval(results: readonly ToolResult[], at: 2 | 3): string {
  const random = createRandom(1);
  const drawn = Array.from({ length: 2_000 }, () =>
    recovery(
      results.map(() => results[Math.floor(random() * results.length)] as ToolResult),
      at,
    ),
  )
    .filter((value) => value !== null)
    .sort((a, b) => a - b);
  const quantile = (q: number) => drawn[Math.round(q * (drawn.length - 1))] ?? Number.NaN;
  return `${percent(quantile(0.025))} to ${percent(quantile(0.975))}`;
}

function row(name: string, results: readonly ToolResult[]): string {
  const [whole, damaged] = [sumOf(results, 0), sumOf(results, 1)];
  const cells = ([2, 3] as const).map((at) => {
    const value = recovery(results, at);
    return value === null ? '–' : `${percent(value)} (${interval(results, at)})`;
  });
  const n = results.reduce((sum, { of }) => sum + of, 0);
  return `| ${[name, n, whole, damaged, sumOf(results, 2), ...cells].join(' | ')} |`;
}

const judgment = z.object({
  tool: z.string(),
  path: z.string(),
  after: z.string(),
  judgment: z.enum(['paste', 'harmless', 'bad']),
});

/** How the final texts were judged, once for each list, as a table. */
function judgedTable(texts: readonly FinalText[]): string {
  const keyOf = ({ tool, path, after }: Pick<FinalText, 'tool' | 'path' | 'after'>): string =>
    JSON.stringify([tool, path, after]);
  const lists = [1, 2].map((list) => {
    const file = join(import.meta.dirname, `judgments.${list}.jsonl`);
    if (!existsSync(file)) return new Map<string, string>();
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return new Map(
      lines.map((line) => {
        const one = judgment.parse(JSON.parse(line));
        return [keyOf(one), one.judgment];
      }),
    );
  });
  const rows = lists.map((list, at) => {
    const given = texts.map((text) => list.get(keyOf(text)) ?? 'not judged');
    const cells = (['paste', 'harmless', 'bad', 'not judged'] as const).map((kind) => {
      const count = given.filter((each) => each === kind).length;
      return kind === 'paste' ? `${count} (${percent(count / texts.length)})` : String(count);
    });
    return `| ${[at + 1, texts.length, ...cells].join(' | ')} |`;
  });
  const [first, second] = lists;
  const agreed = texts.filter((text) => first?.get(keyOf(text)) === second?.get(keyOf(text)));
  return [
    '| judged | final texts n | paste | harmless | bad | not judged |',
    '| ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
    `Both judgments agree on ${agreed.length} of ${texts.length}.`,
  ].join('\n');
}

const head = [
  '| damage | requests n | passed whole | damaged | after rules | recovered by rules (95% interval) | by the scripted writer |',
  '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
];
/** Both tables, and the texts that were judged. */
export async function recoveryTable(): Promise<{ table: string; texts: FinalText[] }> {
  await loadEncoding('cl100k_base', async () => undefined);
  const results: ToolResult[] = [];
  const texts: FinalText[] = [];
  const writer = await openWriter();
  await using _ = writer.endpoint;
  for (const damage of damages)
    for (const server of readDamaged()) {
      const one = await measureServer(server, damage, writer);
      results.push(...one.results);
      texts.push(...one.texts);
    }
  const rows = damages.map((damage) =>
    row(
      damage,
      results.filter((each) => each.damage === damage),
    ),
  );
  const recovered = [...head, ...rows, row('all', results)].join('\n');
  return { table: `${recovered}\n\n${judgedTable(texts)}`, texts };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { write: { type: 'boolean', default: false }, texts: { type: 'string' } },
  });
  const { table, texts } = await recoveryTable();
  process.stdout.write(`${table}\n`);
  if (values.texts !== undefined)
    writeFileSync(values.texts, `${texts.map((text) => JSON.stringify(text)).join('\n')}\n`);
  if (values.write) writeTable('recovery', table);
}
