import type { Advice } from '../../../src-shared/domain/advice.ts';
import type { EditCheck } from '../../../src-shared/domain/candidate.ts';
import { splitToolId, toolId as idOf } from '../../../src-shared/domain/labels.ts';
import type { AppSettings } from '../../../src-shared/domain/settings.ts';
import {
  applyEdit,
  editTool,
  isEmptyText,
  nameAfter,
  type TextEdit,
} from '../../../src-shared/domain/textEdit.ts';
import { pairScoreText } from '../../../src-shared/display/similarityTexts.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { missingText, toBeWritten } from '../../analysis/advice/misplaced.ts';
import { openAdvice } from '../../analysis/advice/openAdvice.ts';
import { copiedRequestIn } from '../../analysis/proposals/copiedText.ts';
import { prepareTools, readPair } from '../../analysis/similarity/prepare.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { openSignalsIn, type ExamineTools } from '../similarity/openSignals.ts';

/** Tools that an edited one is compared with: enough for a person, fast enough while typing. */
const maxCompared = 300;
const shownNeighbors = 3;

export type ComparisonSettings = Pick<
  AppSettings,
  'similarityThreshold' | 'similarityMeasure' | 'overlapWeights'
>;

interface CheckParts {
  tokens: TokenCounts;
  examine: ExamineTools;
  /** What tools are compared by, and from which score they count as too alike. */
  settings: ComparisonSettings;
  /** The text of a tool as its server sent it. */
  raw: (hash: string) => string;
}

interface CheckedEdits {
  toolId: string;
  tools: readonly SnapshotTool[];
  edits: readonly TextEdit[];
  /** What is advised for the texts without the edits. */
  advice: readonly Advice[];
  /** Requests of the search half that an edit must not copy. */
  requests: readonly string[];
}

/** What can be said about edits before anything runs. Tokens are counted in `cl100k_base`. */
export async function checkEdits(
  { tokens, examine, settings, raw }: CheckParts,
  { toolId, tools, edits, advice, requests }: CheckedEdits,
  signal: AbortSignal,
): Promise<EditCheck> {
  const edited = tools.map((tool) => editTool(tool, edits));
  const changed = edited.filter((tool, at) => tool !== tools[at]);
  const before = tools.filter((tool, at) => tool !== edited[at]);
  const sent = before.map(({ hash }) => raw(hash));
  const [tokensBefore, tokensAfter] = await Promise.all(
    [sent, before.map((tool, at) => editedRaw(tool, sent[at] ?? '{}', edits))].map((texts) =>
      tokensOf(tokens, texts),
    ),
  );
  const [known, found] =
    changed.length === 0
      ? [new Set<string>(), new Set<string>()]
      : [
          openSignalsIn(await examine(before, signal)),
          openSignalsIn(await examine(changed, signal)),
        ];
  const signaled = changed.filter(
    ({ server, name }, at) =>
      found.has(idOf(server, name)) &&
      !known.has(idOf(before[at]?.server ?? '', before[at]?.name ?? '')),
  );
  const neighbors = compareNeighbors(toolId, tools, edited, settings);
  const closer = neighbors.find((one) => one.flagged && one.after > one.before);
  const copied = edits.flatMap(({ newText, oldText }) => {
    const [earlier, now] = [copiedRequestIn(oldText), copiedRequestIn(newText)];
    return requests.filter((request) => now(request) !== null && earlier(request) === null);
  });
  const own = edited[tools.findIndex(({ server, name }) => idOf(server, name) === toolId)];
  const silent = [own, ...changed].find((tool) => tool && isEmptyText(tool.description));
  const taken = takenName(toolId, tools, edits);
  return {
    tokensBefore: tokensBefore ?? 0,
    tokensAfter: tokensAfter ?? 0,
    rules: [
      {
        rule: 'has_description',
        problem:
          silent === undefined
            ? null
            : `${silent.name} has no description, so a model has only its name and its parameters to go by. Write the description.`,
      },
      {
        rule: 'copies_no_request',
        problem:
          copied[0] === undefined ? null : `It copies a request: “${copied[0].slice(0, 200)}”`,
      },
      { rule: 'makes_no_claim', problem: await claimIn(tools, edits) },
      {
        rule: 'no_security_signal',
        problem:
          signaled[0] === undefined
            ? null
            : `A security detector warns about the new text of ${signaled[0].name}.`,
      },
      {
        rule: 'no_overlap',
        problem:
          closer === undefined
            ? null
            : `It becomes too similar to ${splitToolId(closer.toolId).tool} (${pairScoreText(closer.after)}).`,
      },
      {
        rule: 'name_is_free',
        problem: taken === null ? null : `There is a tool called ${taken} on this server.`,
      },
    ],
    advice: openAdvice(advice, tools, edits),
    missingText: own ? missingText(own, edited) : null,
    toWrite: own ? toBeWritten(own, edited) : null,
    neighbors: neighbors.slice(0, shownNeighbors).map(({ flagged: _flagged, ...shown }) => shown),
  };
}

/** A claim over other tools that edits make in any tool; null if they make none. */
export async function claimIn(
  tools: readonly SnapshotTool[],
  edits: readonly TextEdit[],
): Promise<string | null> {
  const { newClaim } = await import('../../analysis/orderTexts.ts');
  for (const tool of tools) {
    const own = edits.filter(({ toolId }) => toolId === idOf(tool.server, tool.name));
    const claim = own.length === 0 ? null : newClaim(tool, own);
    if (claim !== null) return claim;
  }
  return null;
}

function takenName(
  toolId: string,
  tools: readonly SnapshotTool[],
  edits: readonly TextEdit[],
): string | null {
  const { server, tool } = splitToolId(toolId);
  const name = nameAfter(edits, toolId);
  return name !== tool && tools.some((other) => other.server === server && other.name === name)
    ? name
    : null;
}

/** The text of a tool as its server would send it with the edits. */
export function editedRaw(
  { server, name }: SnapshotTool,
  raw: string,
  edits: readonly TextEdit[],
): string {
  const own = edits.filter(({ toolId }) => toolId === idOf(server, name));
  return JSON.stringify(own.reduce(applyEdit, parseJson(raw)));
}

async function tokensOf(tokens: TokenCounts, texts: readonly string[]): Promise<number> {
  const counted = await tokens.counter.countTools(texts, 'cl100k_base');
  return counted.reduce((sum, one) => sum + ('counted' in one ? one.counted.tokenCount : 0), 0);
}

/** The score with the most similar tools, before and after the edits, the closest first. */
export function compareNeighbors(
  toolId: string,
  before: readonly SnapshotTool[],
  after: readonly SnapshotTool[],
  { similarityThreshold, similarityMeasure: measure, overlapWeights: weights }: ComparisonSettings,
): (EditCheck['neighbors'][number] & { flagged: boolean })[] {
  const at = before.findIndex(({ server, name }) => idOf(server, name) === toolId);
  const { server } = splitToolId(toolId);
  const indexes = before
    .map((_, index) => index)
    .sort(
      (a, b) =>
        Number(b === at) - Number(a === at) ||
        Number(before[b]?.server === server) - Number(before[a]?.server === server) ||
        a - b,
    )
    .slice(0, maxCompared);
  const prepared = [before, after].map((tools) =>
    prepareTools(
      indexes.flatMap((index) => tools[index] ?? []),
      { measure, weights, full: false, embedded: null },
    ),
  );
  const [old, now] = prepared;
  if (!old || !now) return [];
  return indexes
    .slice(1)
    .map((index, place) => {
      const other = before[index];
      const { score } = readPair(now, 0, place + 1);
      return {
        toolId: other ? idOf(other.server, other.name) : '',
        before: readPair(old, 0, place + 1).score,
        after: score,
        flagged: score >= similarityThreshold,
      };
    })
    .sort((a, b) => Math.max(b.before, b.after) - Math.max(a.before, a.after));
}
