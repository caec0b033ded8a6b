/**
 * How often two tools that exchanged their descriptions get them back without any request, as a
 * Markdown table:
 *
 *   node research/texts/exchanges.ts [--write] [--texts FILE]
 *
 * In each set, the tools that measure.ts does not damage are paired in the order of the hash of their
 * names, and one pair of a server at a time is exchanged; so are all tools of real_tools_v3 and v4.
 * The last column has the healthy tools that are advised a text of another one. `--write` puts the
 * table into docs/recovery.md, `--texts` writes what is offered, for judging.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { misplacedAdvice } from '../../src-main/analysis/advice/misplaced.ts';
import { idOf } from '../../src-main/optimize/catalog.ts';
import { sha256 } from '../../src-main/runtime/sha256.ts';
import { percent, writeTable } from '../markedTable.ts';
import { readRealTools } from '../realTools/realTools.ts';
import { readDamaged, sets, toolsByServer, type DamagedServer } from './damage.ts';

/** What is advised to a tool in place of its description; null if nothing is. */
function offeredTo(tool: Tool, tools: readonly Tool[]): string | null {
  const edit = misplacedAdvice(tool, tools)?.edits.find(
    (each) => each.type === 'text' && each.toolId === idOf(tool),
  );
  return edit?.type === 'text' ? edit.newText : null;
}

interface Offer {
  tool: Tool;
  before: string;
  after: string | null;
}

/** Servers with all of their tools, and the names of those that are not exchanged. */
interface Source {
  name: string;
  servers: readonly Pick<DamagedServer, 'whole' | 'names'>[];
}

/** The sets, and the real tools that nobody has read while rules were changed. */
const sources = (): Source[] => [
  ...sets.map((set) => ({ name: set, servers: readDamaged(set) })),
  ...(['v3', 'v4'] as const).map((version) => ({
    name: `real_tools_${version}`,
    servers: [...toolsByServer(readRealTools(version), version).values()].map((whole) => ({
      whole,
      names: whole.filter(({ description }) => description === '').map(({ name }) => name),
    })),
  })),
];

/** What each of two tools is advised after they exchanged their descriptions, for all pairs. */
const offersOf = ({ servers }: Source): Offer[] =>
  servers.flatMap(({ whole, names }) => {
    const others = whole
      .filter(({ name }) => !names.includes(name))
      .toSorted((a, b) => (sha256(a.name) < sha256(b.name) ? -1 : 1));
    return others.flatMap((one, at): Offer[] => {
      const other = others[at + 1];
      if (at % 2 === 1 || other === undefined) return [];
      const texts = new Map([
        [one, other.description],
        [other, one.description],
      ]);
      const tools = whole.map((tool) => ({
        ...tool,
        description: texts.get(tool) ?? tool.description,
      }));
      return [one, other].map((tool) => {
        const before = texts.get(tool) ?? '';
        return { tool, before, after: offeredTo({ ...tool, description: before }, tools) };
      });
    });
  });

/** Healthy tools that are advised the description of another tool of their server. */
const misled = ({ servers }: Source): number =>
  servers.reduce(
    (sum, { whole }) =>
      sum +
      whole.filter((tool) => {
        const text = offeredTo(tool, whole);
        return whole.some((other) => other !== tool && other.description === text);
      }).length,
    0,
  );

export function exchangeTable(): { table: string; offers: Offer[] } {
  const all = sources().map((source) => ({ source, offers: offersOf(source) }));
  const rows = all.map(({ source, offers }) => {
    const own = offers.filter(({ tool, after }) => after === tool.description).length;
    const other = offers.filter(({ after }) => after !== null).length - own;
    const healthy = source.servers.flatMap(({ whole }) => whole).length;
    return `| ${[
      source.name,
      offers.length,
      `${own} (${percent(own / offers.length)})`,
      other,
      offers.length - own - other,
      `${misled(source)} of ${healthy}`,
    ].join(' | ')} |`;
  });
  const table = [
    '| set | exchanged n | own text back | another text | nothing | healthy tools advised the text of another |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
  return { table, offers: all.flatMap(({ offers }) => offers) };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { write: { type: 'boolean', default: false }, texts: { type: 'string' } },
  });
  const { table, offers } = exchangeTable();
  process.stdout.write(`${table}\n`);
  if (values.write) writeTable('recovery', 'exchanges', table);
  if (values.texts !== undefined) {
    const lines = offers.flatMap(({ tool, before, after }) =>
      after === null
        ? []
        : [JSON.stringify({ tool: idOf(tool), path: '/description', before, after })],
    );
    writeFileSync(values.texts, `${lines.join('\n')}\n`);
  }
}
