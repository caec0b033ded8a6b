import { byProgram, unknownText } from '../../../src-shared/display/clientTexts.ts';
import { formatCount, counted } from '../../../src-shared/display/numbers.ts';
import { listed } from '../../../src-shared/display/similarityTexts.ts';
import type { ClientFacts } from '../../../src-shared/domain/clientFacts.ts';
import {
  clientMarks,
  type ClientMark,
  type ClientMatrix,
  type KnownClient,
  type LostServer,
  type SeenTool,
} from '../../../src-shared/domain/clientView.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { PresentedChange } from '../../presentation/changes.ts';
import { charactersBeyond, hiddenText, isCut, ownChanges, type ClientView } from './clientViews.ts';
import { flawTexts } from './flawTexts.ts';

type Offered = ClientView['offered'][number];

const knownClient = (facts: ClientFacts): KnownClient => {
  const { id, name, version, known, presentation, results, notes, assumed } = facts;
  return { id, name, version, known, presentation, results, notes, assumed };
};

function markOf(client: ClientFacts, tool: Offered): ClientMark {
  if (client.assumed.length > 0) return 'unknown';
  if (isCut(client, tool.raw)) return 'cut';
  return ownChanges(client, tool.changes).length > 0 ? 'changed' : 'shown';
}

const keyOf = ({ server, tool }: { server: string; tool: string }): string => `${server}\0${tool}`;

/** What a client does to each tool, by server and tool. */
function marksOf({ client, offered, hidden }: ClientView): Map<string, ClientMark> {
  const marks = new Map<string, ClientMark>(
    offered.map((tool) => [keyOf(tool), markOf(client, tool)]),
  );
  for (const one of hidden) {
    const { reason } = one;
    const isServer =
      reason.kind === 'server' ||
      reason.kind === 'server-name' ||
      (reason.kind === 'flaw' &&
        (reason.flaw === 'twice' || client.hidesServer.includes(reason.flaw)));
    marks.set(keyOf(one), isServer ? 'server' : 'hidden');
  }
  return marks;
}

/** The servers of which clients show no tool, those that most clients lose first. */
function lostServers(views: readonly ClientView[]): LostServer[] {
  const lost = new Map<string, LostServer>();
  for (const { client, offered, hidden } of views)
    for (const { server, tool, reason } of hidden) {
      if (reason.kind !== 'flaw') continue;
      if (reason.flaw !== 'twice' && !client.hidesServer.includes(reason.flaw)) continue;
      const key = JSON.stringify([server, tool, reason.flaw]);
      const { is, fix } = flawTexts[reason.flaw];
      const one = lost.get(key) ?? {
        ...{ server, because: tool, clients: [], why: is, fix },
        tools: [...offered, ...hidden].filter((each) => each.server === server).length,
      };
      one.clients.push(client.name);
      lost.set(key, one);
    }
  return [...lost.values()].toSorted((a, b) => b.clients.length - a.clients.length);
}

const maxNamed = 3;
const maxChanging = 2;

/**
 * What a model misses comes first: "3 of 47 tools don't reach the model in Codex. 9 descriptions are
 * cut in Claude Code. 20 tools are callable with a changed schema in Gemini CLI."
 */
export function clientsHeadline(given: readonly ClientView[]): string {
  // Nothing is said of clients of which it isn't known.
  const views = given.filter(
    ({ client, hidden }) => client.assumed.length === 0 || hidden.length > 0,
  );
  const [first] = views;
  const all = first === undefined ? 0 : first.offered.length + first.hidden.length;
  if (first === undefined || all === 0) return 'No tools to show to clients.';
  const worst = views.toSorted((a, b) => b.hidden.length - a.hidden.length)[0] ?? first;
  const equal = views.filter(({ hidden }) => hidden.length === worst.hidden.length);
  const names = byProgram(equal.map(({ client }) => client.name));
  const where =
    names.length > maxNamed
      ? `${names.slice(0, maxNamed).join(', ')} and ${counted(names.length - maxNamed, 'other client')}`
      : listed(names);
  const count = worst.hidden.length;
  const cutting = Map.groupBy(
    views,
    ({ client, offered }) => offered.filter((tool) => isCut(client, tool.raw)).length,
  );
  const cuts = [...cutting].flatMap(([cut, by]) =>
    cut === 0
      ? []
      : [
          `${counted(cut, 'description is', 'descriptions are')} cut in ` +
            `${listed(byProgram(by.map(({ client }) => client.name)))}.`,
        ],
  );
  const rest = [...cuts, ...changedText(views)];
  const reach =
    count > 0
      ? `${formatCount(count)} of ${counted(all, 'tool')} ${count === 1 ? "doesn't" : "don't"} reach the model in ${where}.`
      : rest.length > 0
        ? `None of ${counted(views.length, 'client')} hides a tool.`
        : `${all === 1 ? 'The tool reaches' : `All ${formatCount(all)} tools reach`} the model unchanged in each of ${counted(views.length, 'client')}.`;
  return [reach, ...rest].join(' ');
}

/** What a client changes of a tool, each part once; empty where that isn't its mark. */
const partsChanged = (client: ClientFacts, tool: Offered): PresentedChange['what'][] =>
  markOf(client, tool) === 'changed'
    ? [...new Set(ownChanges(client, tool.changes).map(({ what }) => what))]
    : [];

/** How many tools some clients change, in which, and what a model reads otherwise; empty if none does. */
function changedText(views: readonly ClientView[]): string[] {
  const tools = new Set<string>();
  const kinds = new Set<PresentedChange['what']>();
  const clients = new Set<string>();
  for (const { client, offered } of views)
    for (const tool of offered)
      for (const what of partsChanged(client, tool)) {
        tools.add(keyOf(tool));
        kinds.add(what);
        clients.add(client.name);
      }
  if (tools.size === 0) return [];
  // A headline has room for a few: each row says which.
  const named = byProgram([...clients]);
  const where = named.length > maxChanging ? counted(clients.size, 'client') : listed(named);
  const what = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(kinds);
  return [
    `${counted(tools.size, 'tool is', 'tools are')} callable with a changed ${what} in ${where}.`,
  ];
}

/** The matrix of tools by clients, the tools with the gravest marks first. */
export function readMatrix(views: readonly ClientView[]): ClientMatrix {
  const marks = views.map(marksOf);
  const parts = views.map(
    ({ client, offered }) =>
      new Map(offered.map((tool) => [keyOf(tool), partsChanged(client, tool)])),
  );
  const [first] = views;
  const tools = new Map(
    [...(first?.offered ?? []), ...(first?.hidden ?? [])].map((one) => [keyOf(one), one]),
  );
  const rank = (row: readonly ClientMark[]): number[] =>
    clientMarks.map((mark) => -row.filter((one) => one === mark).length);
  const rows = [...tools].map(([key, { server, tool }]) => ({
    ...{ toolId: toolId(server, tool), server, tool },
    marks: marks.map((one) => one.get(key) ?? 'shown'),
    changed: parts.map((one) => one.get(key) ?? []),
  }));
  const ranks = new Map(rows.map((row) => [row, rank(row.marks)]));
  return {
    headline: clientsHeadline(views),
    lost: lostServers(views),
    clients: views.map(({ client, hidden }) => ({
      ...knownClient(client),
      hidden: hidden.length,
    })),
    rows: rows.toSorted((a, b) => {
      const [before = [], after = []] = [ranks.get(a), ranks.get(b)];
      const at = before.findIndex((count, index) => count !== after[index]);
      return (before[at] ?? 0) - (after[at] ?? 0) || a.toolId.localeCompare(b.toolId);
    }),
  };
}

export const changeText = (change: PresentedChange): string =>
  change.what === 'schema'
    ? `${change.at === '' ? 'the schema' : change.at} ${change.how}`
    : change.what === 'name'
      ? `shown as ${change.after}`
      : `description of ${formatCount(change.before.trimEnd().length)} characters becomes ${formatCount(change.after.trimEnd().length)}`;

const maxChanges = 20;

/** What a model reads of the server of a tool before it searches. */
const beforeIn = ({ before }: ClientView, tool: { server: string }): string | null =>
  before.find(({ server }) => server === tool.server)?.text ?? null;

function fixOf(client: ClientFacts, tool: Offered): string | null {
  const beyond = charactersBeyond(tool, client);
  if (beyond > 0)
    return `Shorten the server name by ${counted(beyond, 'character')} or the tool name by ${formatCount(beyond)}.`;
  return isCut(client, tool.raw)
    ? `Say what matters in the first ${formatCount(client.description.cut?.characters ?? 0)} characters.`
    : null;
}

/** A tool as a client shows it, as the text of which tokens are counted. */
export const shownText = ({
  wireName,
  description,
  schema,
}: Pick<Offered, 'wireName' | 'description' | 'schema'>): string =>
  JSON.stringify({
    name: wireName,
    description,
    ...(schema !== null && { parameters: schema }),
  });

/** What a model reads of one tool in each client; tokens are null. */
export function readSeen(
  views: readonly ClientView[],
  wanted: { server: string; tool: string },
): { seen: SeenTool; text: string | null }[] {
  const is = (one: { server: string; tool: string }): boolean => keyOf(one) === keyOf(wanted);
  return views.flatMap((view): { seen: SeenTool; text: string | null }[] => {
    const { client } = view;
    const tool = view.offered.find(is);
    const hidden = view.hidden.find(is);
    const common = {
      ...{ client: knownClient(client), tokens: null },
      before: beforeIn(view, wanted),
    };
    if (tool === undefined) {
      if (hidden === undefined) return [];
      const seen: SeenTool = {
        ...common,
        mark: marksOf(view).get(keyOf(wanted)) ?? 'hidden',
        hidden: hiddenText(hidden, client),
        ...{ wireName: null, changes: [], fix: null, description: null, schema: null },
      };
      return [{ seen, text: null }];
    }
    if (client.assumed.length > 0) {
      const nothing = { wireName: null, hidden: null, fix: null, description: null, schema: null };
      const seen: SeenTool = {
        ...{ ...common, ...nothing, mark: 'unknown', changes: [unknownText(client)] },
      };
      return [{ seen, text: null }];
    }
    const changes = ownChanges(client, tool.changes);
    const { raw, description, schema, namespace, wireName } = tool;
    const said = typeof raw.description === 'string' ? raw.description : '';
    const [sent, shown] = [raw.inputSchema ?? null, schema].map((one) =>
      one === null ? '' : JSON.stringify(one, null, 2),
    ) as [string, string];
    const seen: SeenTool = {
      ...common,
      mark: markOf(client, tool),
      wireName: namespace === null ? wireName : `${namespace}__${wireName}`,
      hidden: null,
      changes: [
        ...changes.slice(0, maxChanges).map(changeText),
        ...(changes.length > maxChanges ? [`${changes.length - maxChanges} more`] : []),
      ],
      fix: fixOf(client, tool),
      description: said === description ? null : { before: said, after: description },
      schema:
        tool.from === undefined && tool.changes.some(({ what }) => what === 'schema')
          ? { before: sent, after: shown }
          : null,
    };
    return [{ seen, text: shownText(tool) }];
  });
}
