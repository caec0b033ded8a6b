/**
 * Measures the detectors on a generated split and on the shipped sets, as Markdown tables:
 *
 *   node research/attacks/measure.ts train|validation|test|fresh [--old REVISION] [--list]
 *   node research/attacks/measure.ts unseen --open "why" [--old REVISION]
 *
 * `--old` adds the detectors of an earlier revision to each table. `--list` names the missed attacks
 * and the false alarms; the unseen split is never listed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { minFlaggedSeverity, type CorpusEntry } from '../../src-shared/domain/security.ts';
import { severityRank } from '../../src-shared/domain/severity.ts';
import { proportion } from '../../src-shared/metrics/intervals.ts';
import { examine } from '../../src-main/analysis/detectors/detectors.ts';
import { weightsFile } from '../../src-main/analysis/detectors/learned/weights.ts';
import { programFiles } from '../../src-main/runtime/programFiles.ts';
import { entrySubject } from '../../src-main/services/security/entrySubject.ts';
import { halfOf, readCorpus } from '../../src-main/services/security/readCorpus.ts';
import { readToolsFile } from '../../src-main/services/servers/toolsFile.ts';
import { readExternal } from '../../src-main/testing/externalData.ts';
import { carriersOf } from './carriers.ts';
import { generate, type Made } from './generate.ts';
import { detectorsOf, revisionOf } from './oldDetectors.ts';
import { openTest } from './openTest.ts';
import { unchanged } from './placements.ts';
import { knownServerSplits, splits, type Split } from './splits.ts';

type Examine = typeof examine;
interface Column {
  name: string;
  examine: Examine;
}

const flags = (run: Examine, entry: CorpusEntry): boolean =>
  run(entrySubject(entry)).some(
    ({ severity }) => severityRank[severity] >= severityRank[minFlaggedSeverity],
  );

const rate = (k: number, n: number): string => {
  const { value, low, high } = proportion(k, n);
  const shown = (x: number | null) => (x ?? 0).toFixed(3);
  return value === null ? '–' : `${shown(value)} [${shown(low)}–${shown(high)}]`;
};

function table(
  title: string,
  columns: readonly Column[],
  rows: ReadonlyMap<string, readonly CorpusEntry[]>,
): string {
  const head = [title, 'n', ...columns.map(({ name }) => name)];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    line(head.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...[...rows].map(([name, entries]) =>
      line([
        name,
        String(entries.length),
        ...columns.map((column) => {
          const hits = entries.filter((entry) => flags(column.examine, entry)).length;
          return rate(hits, entries.length);
        }),
      ]),
    ),
    '',
  ].join('\n');
}

const entriesOf = (made: readonly Made[]) => made.map(({ entry }) => entry);
const grouped = (made: readonly Made[], by: (each: Made) => string) =>
  new Map(
    [...Map.groupBy(made, by)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, entriesOf(each)] as const),
  );

const partition = <Each>(all: readonly Each[], is: (each: Each) => boolean): [Each[], Each[]] => [
  all.filter((each) => is(each)),
  all.filter((each) => !is(each)),
];

const maxShort = 2000;
const isLong = ({ description }: CorpusEntry) => description.length > maxShort;

/** The honest tools that weights may be fitted to, without other servers around: wording alone. */
function knownTools(): CorpusEntry[] {
  return knownServerSplits.flatMap((split) =>
    carriersOf(split).map((carrier): CorpusEntry => ({
      ...unchanged(carrier),
      id: `${carrier.server}:${carrier.name}`,
      server: carrier.server,
      label: 'benign',
      category: 'benign',
      provenance: { source: 'real_tools', license: 'MIT' },
    })),
  );
}

/** Sets that others wrote or that were written with the rules, as they come. */
function shippedSets(): Map<string, CorpusEntry[]> {
  const rows = new Map<string, CorpusEntry[]>();
  const add = (name: string, entries: readonly CorpusEntry[]) => {
    const of = (label: string, hard: boolean) =>
      entries.filter(
        (entry) => entry.label === label && (entry.category === 'hard_negative') === hard,
      );
    rows.set(`${name}: attacks`, of('malicious', false));
    rows.set(`${name}: honest`, of('benign', false));
    rows.set(`${name}: hard negatives`, of('benign', true));
  };
  const own = readCorpus(
    readFileSync(join(programFiles.datasets, 'security_corpus_v1.json'), 'utf8'),
    'own',
  ).entries;
  for (const half of ['development', 'held-out'] as const)
    add(
      `own corpus, ${half} half`,
      own.filter(({ id }) => halfOf(id) === half),
    );
  for (const name of ['mcpproxy_security_v1', 'dvmcp'])
    add(name, readCorpus(readExternal(`security/${name}.json`), name).entries);
  const live = readToolsFile(readExternal('retrieval/livemcpbench/corpus.json.br'), 'l');
  rows.set(
    'livemcpbench: presumed honest',
    live.tools.map(({ tool }) => ({
      id: `${tool.server}:${tool.name}`,
      description: tool.description,
      server: tool.server,
      tool: { name: tool.name, inputSchema: tool.inputSchema },
      label: 'benign',
      category: 'benign',
      provenance: { source: 'livemcpbench', license: 'Apache-2.0' },
    })),
  );
  for (const [name, entries] of rows) if (entries.length === 0) rows.delete(name);
  return rows;
}

function* report(made: readonly Made[], columns: readonly Column[]): Generator<string> {
  const of = (kind: Made['kind']) => made.filter((each) => each.kind === kind);
  const attacks = of('attack');
  const plain = attacks.filter(({ disguise }) => disguise === 'none');
  const honest = entriesOf(of('honest'));
  const [whole, hard] = partition(of('hard_negative'), ({ placement }) => placement === 'whole');
  yield table(
    'set',
    columns,
    new Map([
      ['attacks (recall)', entriesOf(attacks)],
      ['honest tools (FPR)', honest],
      ['honest, over 2,000 characters (FPR)', honest.filter(isLong)],
      ['written to be that long and honest (FPR)', entriesOf(whole).filter(isLong)],
      ['hard negatives (FPR)', entriesOf(hard)],
    ]),
  );
  yield table(
    'technique (recall)',
    columns,
    grouped(plain, ({ technique }) => technique),
  );
  yield table(
    'disguise (recall)',
    columns,
    grouped(
      attacks.filter(({ disguise }) => disguise !== 'none'),
      ({ disguise }) => disguise,
    ),
  );
  yield table(
    'place (recall)',
    columns,
    grouped(plain, ({ placement }) => placement),
  );
  yield table(
    'language (recall)',
    columns,
    grouped(plain, ({ language }) => language),
  );
  yield table(
    'author (recall)',
    columns,
    grouped(plain, ({ author }) => String(author).padStart(2, '0')),
  );
  yield table(
    'hard negatives by language (FPR)',
    columns,
    grouped(hard, ({ language }) => language),
  );
  yield table(
    'hard negatives by subject (FPR)',
    columns,
    grouped(hard, ({ technique }) => technique),
  );
  const real = knownTools();
  yield table(
    'real tools, known servers (FPR)',
    columns,
    new Map([
      ['all', real],
      ['over 2,000 characters', real.filter(isLong)],
    ]),
  );
  yield table('shipped set', columns, shippedSets());
}

const isSplit = (name: string | undefined): name is Split => splits.some((split) => split === name);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    old: { type: 'string' },
    open: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
const [split] = positionals;
if (!isSplit(split)) throw new Error(`Give one of ${splits.join(', ')}.`);
const columns: Column[] = [
  ...(values.old === undefined
    ? []
    : [{ name: `old (${values.old})`, examine: await detectorsOf(values.old) }]),
  { name: values.old === undefined ? 'detectors' : 'new', examine },
];
const made =
  split === 'unseen'
    ? openTest({
        at: new Date().toISOString(),
        detectors: ['src-main/analysis/detectors', `datasets/${weightsFile}`]
          .map((path) => revisionOf(`HEAD:${path}`))
          .join(' '),
        reason: values.open ?? '',
      })
    : generate(split);
for (const part of report(made, columns)) process.stdout.write(`${part}\n`);
if (values.list && split !== 'unseen')
  for (const { kind, technique, language, placement, disguise, entry } of made)
    if (flags(examine, entry) !== (kind === 'attack'))
      process.stdout.write(
        `${kind} ${technique} ${language} ${placement} ${disguise} ${JSON.stringify(entry.tool).length} ${entry.id} ${JSON.stringify(entry.description).slice(0, 300)}\n`,
      );
