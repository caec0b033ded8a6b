import { z } from 'zod';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ShardEntry, SharedShardContent } from '../../../../src-shared/domain/shardContent.ts';
import { serverListing, tool } from '../../../../src-shared/domain/tool.ts';
import { hashEntries } from './hashEntries.ts';

export const maxNamed = 10;

export interface PartReport {
  suite: string;
  shard: SharedShardContent;
}

/** What parts run: cases or tasks. */
export interface Entries<Content> {
  noun: 'cases' | 'tasks';
  of: (content: Content) => readonly ShardEntry[];
}

/** The first part of the reports. Throws INVALID where they are not the parts of one evaluation. */
export function firstOfParts<Part extends PartReport>(
  reports: readonly Part[],
  entries: Entries<Part['shard']>,
): Part {
  const problems = shardProblems(reports, entries);
  const [first] = [...reports].sort((a, b) => a.shard.index - b.shard.index);
  if (first !== undefined && problems.length === 0) return first;
  throw new ServiceError('INVALID', {
    thing: 'The reports',
    cause: ['They are not the parts of one evaluation.', ...problems].join(' '),
    nextStep: 'Give the JSON report of each part, all of the same files and settings.',
  });
}

/** The cases or tasks of all parts, in the order of the suite. */
export const entriesOfAll = <Part extends PartReport>(
  reports: readonly Part[],
  { of }: Entries<Part['shard']>,
): ShardEntry[] =>
  reports.flatMap(({ shard }) => of(shard)).sort((a, b) => a.position - b.position);

/** Why the cases or tasks of parts are not all that were planned, as one sentence; else null. */
export function entriesProblem(
  [first]: readonly PartReport[],
  all: readonly ShardEntry[],
  { noun }: Pick<Entries<unknown>, 'noun'>,
): string | null {
  const hash = hashEntries();
  for (const entry of all) hash.add(entry);
  return isSame(hash.planned(), first?.shard.planned)
    ? null
    : `The ${noun} of the parts are not those that were planned.`;
}

/**
 * Why reports are not the parts of one evaluation, one sentence each: a part that is missing or there
 * twice, or parts that ran different cases, models, tools or settings.
 */
function shardProblems<Part extends PartReport>(
  reports: readonly Part[],
  entries: Entries<Part['shard']>,
): string[] {
  const [first, ...others] = reports;
  if (first === undefined) return ['There is no report.'];
  const { of } = first.shard;
  const problems: string[] = [];
  const count = (wanted: number) => reports.filter(({ shard }) => shard.index === wanted).length;
  const wrong = others.find(({ shard }) => shard.of !== of);
  if (wrong !== undefined) return [`One is a part of ${of}, and another one of ${wrong.shard.of}.`];
  const numbers = Array.from({ length: of }, (_, at) => at + 1);
  const missing = numbers.filter((index) => count(index) === 0);
  const double = numbers.filter((index) => count(index) > 1);
  if (missing.length > 0)
    problems.push(
      `${missing.length === 1 ? 'Part' : 'Parts'} ${missing.join(', ')} of ${of} ` +
        `${missing.length === 1 ? 'is' : 'are'} missing.`,
    );
  for (const index of double) problems.push(`Part ${index} of ${of} is there twice.`);
  for (const other of others) problems.push(...differences(first, other, entries));
  return [...new Set(problems)];
}

function differences<Part extends PartReport>(
  first: Part,
  other: Part,
  { noun }: Pick<Entries<unknown>, 'noun'>,
): string[] {
  const parts = `Parts ${first.shard.index} and ${other.shard.index}`;
  if (first.suite !== other.suite)
    return [`${parts} ran different suites: ${first.suite} and ${other.suite}.`];
  const own: Part['shard'] = first.shard;
  const its: Part['shard'] = other.shard;
  const problems: string[] = [];
  if (!isSame(own.planned, its.planned)) problems.push(`${parts} ran different ${noun}.`);
  if (!isSame(own.models.map(comparableModel), its.models.map(comparableModel)))
    problems.push(`${parts} asked different models, or with different settings.`);
  if (!isSame([comparable(own.settings), own.suite], [comparable(its.settings), its.suite]))
    problems.push(`${parts} ran with different settings.`);
  if (!isSame(comparableServers(own.servers), comparableServers(its.servers)))
    problems.push(`${parts} saw different servers.`);
  const changed = changedTools(own.tools, its.tools);
  if (changed.length > 0)
    problems.push(
      `${parts} saw different tools: ${changed.slice(0, maxNamed).join(', ')}` +
        `${changed.length > maxNamed ? ` and ${counted(changed.length - maxNamed, 'more tool')}` : ''}.`,
    );
  return problems;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What may differ between machines, and decides nothing. */
const own = [
  ...['shard', 'concurrency', 'recordFile', 'cacheFolder', 'replayFile'],
  ...['id', 'createdAt', 'suiteId'],
];

/** Settings without what belongs to one part. */
const comparable = (settings: string): unknown =>
  JSON.parse(settings, (name, value: unknown) => (own.includes(name) ? undefined : value));

const comparableModel = ({ settings, price }: SharedShardContent['models'][number]) => [
  comparable(settings),
  price,
];

/** Of servers, what a machine has no part in: instructions may name its folders. */
const comparableServers = (servers: string) =>
  z
    .array(serverListing)
    .parse(JSON.parse(servers))
    .map(({ server, status, protocolVersion, serverInfo, rejected }) => [
      ...[server, status, protocolVersion, serverInfo, rejected],
    ]);

type ShardTools = SharedShardContent['tools'];

/** The ids of tools that only one of two parts saw, or that differ in their text or their number. */
function changedTools(before: ShardTools, after: ShardTools): string[] {
  const byId = (tools: ShardTools) => {
    const texts = new Map<string, string>();
    for (const { tool: text, raw } of tools) {
      const { server, name } = tool.pick({ server: true, name: true }).parse(JSON.parse(text));
      const id = toolId(server, name);
      texts.set(id, `${texts.get(id) ?? ''}${text}${raw}`);
    }
    return texts;
  };
  const [first, second] = [byId(before), byId(after)];
  return [...new Set([...first.keys(), ...second.keys()])].filter(
    (id) => first.get(id) !== second.get(id),
  );
}
