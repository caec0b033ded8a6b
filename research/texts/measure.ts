/**
 * How much of what ten ways of damage cost comes back, as a Markdown table, and the final texts:
 *
 *   node research/texts/measure.ts [--set read|a|b|c|d|e|f|g|h|i|j|k|l|m|n]… [--write] [--texts FILE]
 *
 * `builtin` is the model under test, so that everything runs offline. Writers are the rules, and a
 * scripted endpoint that answers with the text as the server has it, through the prompt, the SDK and
 * the parser of any model: it shows what the search and its refusals let through when somebody writes
 * well, not how well a model writes. A set that has descriptions which somebody wrote without those
 * of the server shows what comes back with them, through the same endpoint. Sets are those of
 * damage.ts; without `--set` the ones that have been measured. `--write` puts their tables into
 * docs/recovery.md, `--texts` writes the final texts for judging. Two lists of judgments of each set
 * (`judgments.1.jsonl` and `judgments.2.jsonl`, `judgments.a.1.jsonl` and so on) say of each text
 * whether its author would paste it, whether it is harmless, or bad: wrong, misleading, or broken.
 * A text that a list doesn't have is not judged.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { modelConfiguration } from '../../src-shared/domain/model.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { fleissKappa } from '../../src-shared/metrics/judgeAgreement.ts';
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
import {
  damages,
  readDamaged,
  sets,
  type Damage,
  type DamagedServer,
  type SetName,
} from './damage.ts';

/** The sets that have a table in docs/recovery.md, by its name there. */
export const measuredSets: ReadonlyMap<SetName, string> = new Map([
  ['read', 'recovery'],
  ['a', 'recovery-a'],
  ['b', 'recovery-b'],
  ['c', 'recovery-c'],
  ['d', 'recovery-d'],
  ['e', 'recovery-e'],
  ['f', 'recovery-f'],
  ['g', 'recovery-g'],
  ['h', 'recovery-h'],
  ['i', 'recovery-i'],
  ['j', 'recovery-j'],
  ['k', 'recovery-k'],
  ['l', 'recovery-l'],
  ['m', 'recovery-m'],
  ['n', 'recovery-n'],
]);

/** The proof half of one tool: passed as the server has it, damaged, and what then came back by whom. */
export interface ToolResult {
  damage: Damage;
  of: number;
  whole: number;
  damaged: number;
  /** By rules, by the scripted writer, and by each of the `written` texts of the server. */
  passed: readonly number[];
}

export interface FinalText {
  damage: Damage;
  tool: string;
  path: string;
  before: string;
  after: string;
}

export const passedOf = (
  server: DamagedServer,
  name: string,
  scores: readonly CaseScore[],
): number =>
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
 * An endpoint that answers the question for a better text with the one in `texts`. What is
 * asked and answered goes through the same prompt, SDK, parser and refusals as with any model.
 */
async function openWriter(): Promise<Writer> {
  const texts = new Map<string, string>();
  const endpoint = await startFakeModelServer({
    rule: ({ query }) => {
      const id: unknown = JSON.parse(/<tool id=("(?:[^"\\]|\\.)*")>/u.exec(query)?.[1] ?? '""');
      const text = texts.get(String(id)) ?? '';
      const answer = { reason: 'As written.', edits: [{ path: '/description', text }] };
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
  const whole = await optimizeBuiltin(server.whole, server.cases, {
    maxSteps: 0,
    choiceOnly: true,
  });
  const rules = await optimizeBuiltin(damaged, server.cases, { choiceOnly: true });
  const byWriter = async (textOf: (tool: Tool) => string): Promise<CaseScore[]> => {
    written.clear();
    for (const tool of server.whole) written.set(idOf(tool), textOf(tool));
    const writer = await optimizeBuiltin(damaged, server.cases, {
      propose: askWriter,
      choiceOnly: true,
      maxAddedTokens: 2_000,
    });
    return writer.prove(writer.optimized.best?.catalog ?? []);
  };
  const catalog = rules.optimized.best?.catalog ?? [];
  const ofWhole = await whole.prove([]);
  const ofDamaged = await rules.prove([]);
  const scores = [await rules.prove(catalog), await byWriter(({ description }) => description)];
  for (const texts of server.written)
    scores.push(await byWriter(({ name, description }) => texts.get(name) ?? description));
  const after = applyCatalog(damaged, catalog);
  const results = server.names.map((name): ToolResult => ({
    damage,
    of: server.proofOfTool,
    whole: passedOf(server, name, ofWhole),
    damaged: passedOf(server, name, ofDamaged),
    passed: scores.map((each) => passedOf(server, name, each)),
  }));
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

const sumOf = (results: readonly ToolResult[], of: (one: ToolResult) => number): number =>
  results.reduce((sum, one) => sum + of(one), 0);

/** The share of the loss that came back; null if nothing was lost. */
function recovery(results: readonly ToolResult[], at: number): number | null {
  const lost = sumOf(results, ({ whole, damaged }) => whole - damaged);
  const back = sumOf(results, ({ damaged, passed }) => (passed[at] ?? 0) - damaged);
  return lost > 0 ? back / lost : null;
}

/** The ends of a 95% percentile bootstrap of a value of units, in the order low, high. */
function bootstrap<T>(units: readonly T[], valueOf: (drawn: T[]) => number | null): number[] {
  const random = createRandom(1);
  const drawn = Array.from({ length: 2_000 }, () =>
    valueOf(units.map(() => units[Math.floor(random() * units.length)] as T)),
  )
    .filter((value) => value !== null)
    .sort((a, b) => a - b);
  return [0.025, 0.975].map((q) => drawn[Math.round(q * (drawn.length - 1))] ?? Number.NaN);
}

/** Over tools: the requests of one tool are not independent. */
const interval = (results: readonly ToolResult[], at: number): string =>
  bootstrap(results, (drawn) => recovery(drawn, at))
    .map(percent)
    .join(' to ');

/** A row of a table of what came back: counts, then the shares by each of `passed`. */
export function resultRow(name: string, results: readonly ToolResult[]): string {
  const cells = [...(results[0]?.passed ?? []).keys()].map((at) => {
    const value = recovery(results, at);
    return value === null ? '–' : `${percent(value)} (${interval(results, at)})`;
  });
  const counts = [
    sumOf(results, ({ of }) => of),
    sumOf(results, ({ whole }) => whole),
    sumOf(results, ({ damaged }) => damaged),
    sumOf(results, ({ passed }) => passed[0] ?? 0),
  ];
  return `| ${[name, ...counts, ...cells].join(' | ')} |`;
}

const kinds = ['paste', 'harmless', 'bad'] as const;
type Kind = (typeof kinds)[number];

const judgment = z.object({
  tool: z.string(),
  path: z.string(),
  after: z.string(),
  judgment: z.enum(kinds),
});

type KeyedText = Pick<FinalText, 'tool' | 'path' | 'after'>;
const keyOf = ({ tool, path, after }: KeyedText): string => JSON.stringify([tool, path, after]);

function readJudgments(set: SetName, list: 1 | 2): ReadonlyMap<string, Kind> {
  const name = `judgments${set === 'read' ? '' : `.${set}`}.${list}.jsonl`;
  const file = join(import.meta.dirname, name);
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const all = lines.map((line) => judgment.parse(JSON.parse(line)));
  return new Map(all.map((one) => [keyOf(one), one.judgment]));
}

/** One row of the table: counts of texts, and the shares to paste and bad with intervals over tools. */
function judgedRow(
  name: string,
  texts: readonly FinalText[],
  list: ReadonlyMap<string, Kind>,
): string {
  const countOf = (kind: Kind | undefined, some = texts): number =>
    some.filter((text) => list.get(keyOf(text)) === kind).length;
  const byTool = [...Map.groupBy(texts, ({ tool }) => tool).values()];
  const shareOf = (kind: Kind): string => {
    const valueOf = (some: readonly FinalText[]): number | null =>
      some.length === 0 ? null : countOf(kind, some) / some.length;
    const range = bootstrap(byTool, (drawn) => valueOf(drawn.flat())).map(percent);
    return `${countOf(kind)} (${percent(valueOf(texts) ?? 0)}; ${range.join(' to ')})`;
  };
  const cells = [shareOf('paste'), countOf('harmless'), shareOf('bad'), countOf(undefined)];
  return `| ${[name, texts.length, ...cells].join(' | ')} |`;
}

/** How often two lists say the same of one text, and Fleiss' κ over the distinct texts. */
function agreement(
  texts: readonly FinalText[],
  [first, second]: readonly [ReadonlyMap<string, Kind>, ReadonlyMap<string, Kind>],
): string {
  const pairs = [...new Set(texts.map(keyOf))].flatMap((key) => {
    const [one, other] = [first.get(key), second.get(key)];
    return one === undefined || other === undefined ? [] : [[one, other]];
  });
  if (pairs.length === 0) return 'No text was judged twice.';
  const kappaOf = (some: readonly string[][]): number | null =>
    fleissKappa(some.map((pair) => kinds.map((kind) => pair.filter((one) => one === kind).length)))
      .kappa;
  const same = pairs.filter(([one, other]) => one === other).length;
  const agree = `Both judgments agree on ${same} of ${pairs.length} distinct texts`;
  const kappa = kappaOf(pairs);
  if (kappa === null) return `${agree}; κ is undefined, because all of them are judged alike.`;
  const range = bootstrap(pairs, kappaOf).map((end) => end.toFixed(2));
  return `${agree}: κ = ${kappa.toFixed(2)} (${range.join(' to ')}).`;
}

/** How the final texts, and the distinct ones of them, were judged by each list, as a table. */
function judgedTable(set: SetName, texts: readonly FinalText[]): string {
  const lists = [readJudgments(set, 1), readJudgments(set, 2)] as const;
  const distinct = [...new Map(texts.map((text) => [keyOf(text), text])).values()];
  return [
    '| judged | texts n | paste (95% interval) | harmless | bad (95% interval) | not judged |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...lists.map((list, at) => judgedRow(`${at + 1}`, texts, list)),
    ...lists.map((list, at) => judgedRow(`${at + 1}, each text once`, distinct, list)),
    '',
    agreement(texts, lists),
  ].join('\n');
}

const columns = [
  'damage',
  'requests n',
  'passed whole',
  'damaged',
  'after rules',
  'recovered by rules (95% interval)',
  'by the scripted writer',
];
const writtenColumns = ['by written descriptions', 'without words of proof requests'];
/** Both tables, and the texts that were judged. */
export async function recoveryTable(set: SetName): Promise<{ table: string; texts: FinalText[] }> {
  await loadEncoding('cl100k_base', async () => undefined);
  const results: ToolResult[] = [];
  const texts: FinalText[] = [];
  const writer = await openWriter();
  await using _ = writer.endpoint;
  const servers = readDamaged(set);
  for (const damage of damages)
    for (const server of servers) {
      const one = await measureServer(server, damage, writer);
      results.push(...one.results);
      texts.push(...one.texts);
    }
  const rows = damages.map((damage) =>
    resultRow(
      damage,
      results.filter((each) => each.damage === damage),
    ),
  );
  const shown = [...columns, ...writtenColumns.slice(0, servers[0]?.written.length)];
  const head = [`| ${shown.join(' | ')} |`, `| --- |${' ---: |'.repeat(shown.length - 1)}`];
  const recovered = [...head, ...rows, resultRow('all', results)].join('\n');
  return { table: `${recovered}\n\n${judgedTable(set, texts)}`, texts };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      set: { type: 'string', multiple: true },
      write: { type: 'boolean', default: false },
      texts: { type: 'string' },
    },
  });
  const chosen = z.array(z.enum(sets)).parse(values.set ?? [...measuredSets.keys()]);
  const written: string[] = [];
  for (const set of chosen) {
    const { table, texts } = await recoveryTable(set);
    process.stdout.write(`Set ${set}\n\n${table}\n\n`);
    written.push(...texts.map((text) => JSON.stringify(text)));
    const name = measuredSets.get(set);
    if (values.write && name !== undefined) writeTable('recovery', name, table);
  }
  if (values.texts !== undefined) writeFileSync(values.texts, `${written.join('\n')}\n`);
}
