import type {
  LogProposals,
  LogReport,
  ProposedCase,
} from '../../../../src-shared/contract/suites.ts';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import { compareText } from '../../../../src-shared/domain/compareText.ts';
import type { ToolReference } from '../../../../src-shared/domain/testCase.ts';
import { findNearDuplicates } from '../../../analysis/nearDuplicates.ts';
import type { YieldIfDue } from '../../../runtime/yieldToEventLoop.ts';
import { shortName } from '../exchange/suiteDraft.ts';
import type { ToolCatalog } from '../exchange/toolCatalog.ts';
import { mapObject, toLiteral } from '../exchange/values.ts';
import { gatewayKind } from './gatewaySessions.ts';
import { Masker } from './maskTexts.ts';
import { maxKept, maxOfTools, type KeptTurn, type ReadLog } from './readLog.ts';
import type { RecordedCall } from './recordedTurns.ts';

interface Known extends RecordedCall {
  tool: ToolReference;
}

/** A turn, with the calls that its case expects. */
interface Candidate {
  turn: KeptTurn;
  expected: Known[];
  /** Every call of a known tool, to recognize it in the session of its server. */
  made: string[];
  /** All tools in order, as a person reads them. */
  story: string;
  signature: string;
  /** Further turns that say nearly the same. */
  similar: number;
}

/**
 * Cases for a person to review, from a log. Of turns with the same tools, those whose words agree to
 * 0.8 or more (Jaccard, see `findNearDuplicates`) are one case, and a call of a captured session is no
 * case of its own where a turn with a request makes the same call. Of more cases than `limit`, tools take
 * turns, the rarest first, each with its requests in the order of the log. The same log gives the
 * same cases. Secrets and personal data are replaced (`Masker`).
 *
 * A case has one answer, so that it expects the first one that calls a known tool; the others are
 * named in its basis.
 */
export async function logProposals(
  log: ReadLog,
  { server, limit }: { server: string | null; limit: number },
  catalog: ToolCatalog,
  yieldIfDue: YieldIfDue,
): Promise<LogProposals> {
  const ofNoServer = new Map<string, number>();
  const candidates: Candidate[] = [];
  const resolve = resolver(catalog, server);
  let unknownTurns = 0;
  for (const turn of log.turns) {
    const calls = turn.answers.map((answer) =>
      answer.map((call): RecordedCall & { tool: ToolReference | null } => {
        const fact = call.id === null ? undefined : log.facts.get(call.id);
        const failed = call.failed || fact?.failed === true;
        const tool = resolve(call.name, fact?.server ?? null) ?? call.listed ?? null;
        return { ...call, failed, tool };
      }),
    );
    const isKnown = (call: (typeof calls)[number][number]): call is Known => call.tool !== null;
    const expected = calls.map((answer) => answer.filter(isKnown)).find(({ length }) => length > 0);
    if (expected === undefined && calls.flat().length > 0) {
      unknownTurns += turn.times;
      for (const name of new Set(calls.flat().map((call) => call.name)))
        ofNoServer.set(name, (ofNoServer.get(name) ?? 0) + turn.times);
      continue;
    }
    const signature = (expected ?? []).map(({ tool }) => `${tool.server}:${tool.tool}`).join(' + ');
    candidates.push({
      turn,
      expected: expected ?? [],
      made: calls.flat().filter(isKnown).map(callKey),
      story: calls.map((answer) => answer.map(callStory).join(' + ')).join(', then '),
      signature,
      similar: 0,
    });
  }
  const groups = await groupSimilar(joinSessions(candidates), yieldIfDue);
  const chosen = byVariety(groups, limit);
  const others = new Map<string, Set<string>>();
  for (const { turn, signature } of groups.filter((each) => each.turn.query !== '')) {
    const said = spoken(turn.query);
    others.set(said, (others.get(said) ?? new Set()).add(signature || 'no tool'));
  }
  const masker = new Masker();
  const cases = chosen.map((each) => toCase(each, masker, others));
  const { masked } = masker;
  const similar =
    candidates.reduce((sum, each) => sum + each.turn.times, 0) -
    groups.reduce((sum, each) => sum + each.turn.times, 0);
  const shown = chosen.reduce((sum, { turn }) => sum + turn.times, 0);
  const report: LogReport = {
    kinds: log.kinds,
    records: log.records,
    unread: log.unread,
    turns: log.answered,
    repeated: shown - chosen.length,
    similar,
    ofNoServer: [...ofNoServer]
      .map(([tool, count]) => ({ tool, turns: count }))
      .sort((a, b) => b.turns - a.turns || compareText(a.tool, b.tool)),
    left: log.answered - shown - similar - unknownTurns,
    masked,
    damaged: log.damaged,
  };
  return {
    madeBy: `log of ${report.kinds.join(' and ')}`.slice(0, 200),
    cases,
    notes: notesOf(report, {
      ...{ chosen: chosen.length, groups: groups.length, unknownTurns, server },
      notKept: log.notKept,
    }),
    log: report,
  };
}

const callStory = ({ name, failed, tool }: RecordedCall & { tool: ToolReference | null }): string =>
  `${tool === null ? `${name} (of no registered server)` : `${tool.server}:${tool.tool}`}${failed ? ' (failed)' : ''}`;

/** A request without its punctuation and case. */
const spoken = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The tool that a name in the log means; null if no registered server has it. */
function resolver(catalog: ToolCatalog, server: string | null) {
  return (name: string, owner: string | null): ToolReference | null => {
    const found =
      catalog.resolve(owner === null ? name : `${owner}:${name}`) ?? catalog.resolve(name);
    if (found !== null) return found;
    if (owner !== null) return { server: owner, tool: name };
    const [, own, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
    if (own !== undefined && tool !== undefined) return { server: own, tool };
    return server === null ? null : { server, tool: name };
  };
}

const callKey = ({ tool, arguments: given }: Known): string =>
  `${tool.server}:${tool.tool} ${canonicalJson(given ?? {})}`;

/**
 * Leaves out the calls of captured sessions that a client's own record of the same session has, with the
 * request behind them. Each counts as a recording of that request.
 */
function joinSessions(candidates: readonly Candidate[]): Candidate[] {
  const asked = new Map<string, Candidate>();
  for (const each of candidates)
    if (each.turn.query !== '')
      for (const key of each.made) if (!asked.has(key)) asked.set(key, each);
  return candidates.filter(({ turn, made: [key = ''] }) => {
    const known = turn.query === '' ? asked.get(key) : undefined;
    if (known !== undefined) known.similar += turn.times;
    return known === undefined;
  });
}

/** One candidate for those with the same tools whose requests have nearly the same words. */
async function groupSimilar(
  candidates: readonly Candidate[],
  yieldIfDue: YieldIfDue,
): Promise<Candidate[]> {
  const groups: Candidate[] = [];
  const bySignature = Map.groupBy(candidates, ({ signature }) => signature);
  for (const same of bySignature.values()) {
    const found = await findNearDuplicates(
      same.map(({ turn, expected }) => turn.query || JSON.stringify(expected)),
      yieldIfDue,
    );
    const first = new Map(found.map(({ one, other }) => [other, one]));
    for (const [at, each] of same.entries()) {
      let root = at;
      while (first.has(root)) root = first.get(root) ?? root;
      const kept = same[root] ?? each;
      if (root === at) groups.push(each);
      else kept.similar += each.turn.times;
    }
  }
  return groups.sort((a, b) => a.turn.line - b.turn.line);
}

/** At most `limit`: tools take turns, the rarest first, each in the order of the log. */
function byVariety(candidates: readonly Candidate[], limit: number): Candidate[] {
  if (candidates.length <= limit) return [...candidates];
  const lists = [...Map.groupBy(candidates, ({ signature }) => signature)]
    .sort(([a, some], [b, more]) => some.length - more.length || compareText(a, b))
    .map(([, list]) => list);
  const chosen: Candidate[] = [];
  for (let round = 0; chosen.length < limit; round++)
    for (const list of lists) {
      const next = list[round];
      if (next !== undefined && chosen.length < limit) chosen.push(next);
    }
  return chosen.sort((a, b) => a.turn.line - b.turn.line);
}

function toCase(
  { turn, expected, story, similar, signature }: Candidate,
  masker: Masker,
  others: ReadonlyMap<string, ReadonlySet<string>>,
): ProposedCase {
  const query = masker.text(turn.query);
  const messages = turn.messages.map(({ role, content }) => ({
    role,
    content: masker.text(content),
  }));
  const other = [...(others.get(spoken(turn.query)) ?? [])].filter(
    (each) => each !== (signature || 'no tool'),
  );
  const basis = [
    `Record ${formatCount(turn.line)}: the ${query === '' ? 'client' : 'model'} called ${story === '' ? 'no tool' : story}.`,
    ...(other.length === 0 ? [] : [`Asked the same, it also called ${other.join(' or ')}.`]),
    ...(turn.times === 1 ? [] : [`Recorded ${counted(turn.times, 'time')}.`]),
    ...(similar === 0 ? [] : [`${counted(similar, 'recording')} nearly the same.`]),
    ...(turn.leftOut === 0 ? [] : [`${counted(turn.leftOut, 'earlier message')} left out.`]),
    [turn.model, turn.time?.slice(0, 10)].filter((part) => part != null).join(', '),
  ];
  return {
    kind: expected.length === 0 ? 'no tool' : 'right tool',
    basis: basis.filter((part) => part !== '').join(' '),
    content: {
      name: query === '' ? signature : shortName(query),
      query,
      tags: ['proposed', 'log'],
      servers: [],
      expectedCalls: expected.map(({ tool, arguments: given }) => ({
        ...tool,
        ...(given !== null && { parameters: mapObject(masker.object(given), toLiteral) }),
      })),
      orderDependent: false,
      allowedCalls: [],
      stubResults: [],
      ...(turn.system !== null && { system: masker.text(turn.system) }),
      ...(messages.length > 0 && { messages }),
    },
  };
}

function notesOf(
  {
    records,
    turns,
    repeated,
    similar,
    ofNoServer,
    left,
    masked,
    damaged,
    unread,
    kinds,
  }: LogReport,
  {
    chosen,
    groups,
    unknownTurns,
    server,
    notKept,
  }: {
    chosen: number;
    groups: number;
    unknownTurns: number;
    server: string | null;
    notKept: number;
  },
): string[] {
  const isOfGateway = kinds.every((each) => each === gatewayKind);
  const byKind = Map.groupBy(masked, ({ kind }) => kind);
  const times = (list: readonly { times: number }[]): number =>
    list.reduce((sum, each) => sum + each.times, 0);
  return [
    `${counted(records, 'record')} of ${kinds.join(' and ')}: ${counted(turns, isOfGateway ? 'call' : 'request')} with an answer. ${isOfGateway ? 'A server never sees what a person asked for: write the request of each call. ' : ''}A log says what models did, not what is right: accept, correct or drop each case.`,
    ...(repeated + similar === 0
      ? []
      : [
          `Grouped: ${formatCount(repeated)} repeat another one (same request, earlier messages and calls, or their beginning), ${formatCount(similar)} nearly repeat one (same tools, and 0.8 of the words or more).`,
        ]),
    ...(notKept === 0
      ? []
      : [
          `To choose from, the first ${formatCount(maxOfTools)} different requests with the same tools are kept, and ${formatCount(maxKept)} in all: ${formatCount(notKept)} later ones are counted only.`,
        ]),
    ...(chosen === groups
      ? []
      : [
          `Shows ${formatCount(chosen)} of ${formatCount(groups)}: tools take turns, the rarest first, each with its requests in the order of the log.`,
        ]),
    ...(left > 0 && chosen === groups ? [`${counted(left, 'further request')} left out.`] : []),
    ...(unknownTurns === 0
      ? []
      : [
          `Left out ${counted(unknownTurns, 'request')} whose tools no registered server has, or several have: ${ofNoServer
            .slice(0, 5)
            .map(({ tool, turns: count }) => `${tool} (${formatCount(count)})`)
            .join(', ')}${ofNoServer.length > 5 ? ', …' : ''}. ${
            server === null ? 'Register their server, or name the server of the tools.' : ''
          }`.trim(),
        ]),
    ...(masked.length === 0
      ? []
      : [
          `Masked: ${[...byKind].map(([kind, list]) => `${kind} ${counted(times(list), 'time')}`).join(', ')}. ${masked
            .slice(0, 8)
            .map(({ value, standIn }) => `${value} → ${standIn}`)
            .join(
              ', ',
            )}${masked.length > 8 ? `, and ${formatCount(masked.length - 8)} more` : ''}.`,
        ]),
    ...(damaged.count === 0
      ? []
      : [
          `${counted(damaged.count, 'damaged line')} left out: ${damaged.first
            .slice(0, 5)
            .map(({ line, why }) => `line ${formatCount(line)} (${why.replace(/\.$/, '')})`)
            .join(', ')}${damaged.count > 5 ? ', …' : ''}.`,
        ]),
    ...(unread === 0 ? [] : [`${counted(unread, 'record')} without a request and its answer.`]),
  ];
}
