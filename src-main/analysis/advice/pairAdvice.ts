import type { Advice, AdviceTextEdit } from '../../../src-shared/domain/advice.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { contentTerms, words } from '../tokenizer.ts';
import { skeletonOf } from '../detectors/identifiers.ts';
import { addToDescription, names } from './paste.ts';
import { baseVerb, purposeOf } from './purpose.ts';
import { namesHead } from './nameWords.ts';

const idOf = ({ server, name }: AnalysedTool): string => toolId(server, name);
/** A name without separators and case. */
export const plainName = (name: string): string =>
  name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
const noEvidence = { requests: [], words: [] };

/**
 * Names that differ only by letters that look the same. One of the two may imitate the other, so
 * nothing is advised that would draw a model to either.
 */
export function lookAlike(a: AnalysedTool, b: AnalysedTool): boolean {
  const foreign = [a, b].some(({ name }) => /[^\p{ASCII}]/u.test(name.normalize('NFKC')));
  return (
    plainName(a.name) !== plainName(b.name) &&
    (foreign || skeletonOf(a.name) === skeletonOf(b.name))
  );
}

/** The name with the server in front, in the style of the name; null if it has it already. */
function prefixed({ server, name }: AnalysedTool): string | null {
  const parts = words(server).filter(
    (word) => /^[a-z0-9]+$/u.test(word) && word !== 'mcp' && word !== 'server',
  );
  if (parts.length === 0 || plainName(name).startsWith(parts.join(''))) return null;
  const isCamel = !/[-_]/u.test(name) && /[A-Z]/u.test(name);
  const joined = isCamel
    ? [...parts, name]
        .map((part, at) => (at === 0 ? part : `${part[0]?.toUpperCase() ?? ''}${part.slice(1)}`))
        .join('')
    : [...parts, name].join(name.includes('-') ? '-' : '_');
  return joined.length <= 64 ? joined : null;
}

function sameName(a: AnalysedTool, b: AnalysedTool, taken: ReadonlySet<string>): Advice | null {
  if (a.server === b.server || plainName(a.name) !== plainName(b.name)) return null;
  const edits = [a, b].flatMap((tool): AdviceTextEdit[] => {
    const name = prefixed(tool);
    return name === null || taken.has(toolId(tool.server, name))
      ? []
      : [
          {
            type: 'text',
            toolId: idOf(tool),
            path: '/name',
            oldText: tool.name,
            newText: name,
            inserted: name,
          },
        ];
  });
  if (edits.length === 0) return null;
  return {
    kind: 'same_name',
    toolIds: [idOf(a), idOf(b)],
    edits,
    why: `Both ${a.server} and ${b.server} have a tool named ${a.name}, so a model can’t tell which one a request means.`,
    evidence: noEvidence,
  };
}

/** A text that says this of its own tool, not of what the tool works on. */
export const saysDeprecated =
  /(?:^|[.!(\n]\s*|\bis\s+|\bnow\s+|[[*]+)(?:deprecated|obsolete|superseded by|no longer supported)\b/iu;

/** Advice to hide a deprecated tool whose description names the other one; null if neither does. */
export function deprecatedTwin(a: AnalysedTool, b: AnalysedTool): Advice | null {
  const old = [a, b].find(
    (tool) =>
      saysDeprecated.test(tool.description) && names(tool.description, (tool === a ? b : a).name),
  );
  if (!old) return null;
  const other = old === a ? b : a;
  if (saysDeprecated.test(other.description)) return null;
  return {
    kind: 'deprecated_twin',
    toolIds: [idOf(old), idOf(other)],
    edits: [{ type: 'hide', toolId: idOf(old) }],
    why: `${old.name} is deprecated in favor of ${other.name}; while both are offered, a model may choose either.`,
    evidence: noEvidence,
  };
}

/** Verbs that are used for each other, or that undo each other. */
const verbGroups: readonly ReadonlySet<string>[] = [
  [
    'get',
    'list',
    'search',
    'find',
    'read',
    'fetch',
    'query',
    'retrieve',
    'view',
    'show',
    'lookup',
    'browse',
    'describe',
  ],
  [
    'create',
    'add',
    'update',
    'edit',
    'write',
    'append',
    'insert',
    'modify',
    'set',
    'replace',
    'put',
    'save',
    'move',
    'rename',
  ],
  ['delete', 'remove', 'clear', 'archive', 'complete', 'finish', 'close', 'cancel'],
  ['create', 'add', 'delete', 'remove'],
  ['get', 'read', 'delete', 'remove', 'write', 'update'],
  ['open', 'close'],
  ['start', 'stop', 'pause', 'resume'],
].map((list) => new Set(list));

/** True if the names are of one thing with verbs that are easily confused, or one extends the other. */
function areNeighbors(a: AnalysedTool, b: AnalysedTool): boolean {
  const [first, second] = [words(a.name), words(b.name)];
  const [small, large] = first.length <= second.length ? [first, second] : [second, first];
  const inLarge = new Set(large);
  if (small.length < large.length && small.every((word) => inLarge.has(word))) return true;
  const split = (list: readonly string[]) => ({
    verb: list.map(baseVerb).find((verb) => verb !== null) ?? null,
    rest: contentTerms(list.filter((word) => baseVerb(word) === null).join(' ')).map(
      ({ stem }) => stem,
    ),
  });
  const [one, two] = [split(first), split(second)];
  if (one.verb === null || two.verb === null || one.verb === two.verb) return false;
  const share = one.rest.filter((stem) => two.rest.includes(stem)).length;
  return (
    share > 0 &&
    share >= Math.min(one.rest.length, two.rest.length) &&
    verbGroups.some((group) => group.has(one.verb ?? '') && group.has(two.verb ?? ''))
  );
}

/** The sentence in `tool` that says when `other` is meant; null if it says so, or none reads well. */
function boundarySentence(tool: AnalysedTool, other: AnalysedTool): string | null {
  // A server can't know what else a client has connected, and nobody should be sent to a tool that
  // is about to go.
  if (tool.server !== other.server || names(tool.description, other.name)) return null;
  if ([tool, other].some(({ description }) => saysDeprecated.test(description))) return null;
  const purpose = purposeOf(other.description);
  const own = purposeOf(tool.description);
  // A description that was swapped, copied or cut would send requests to the wrong tool.
  if (purpose === null || !namesHead(other, purpose)) return null;
  const known = new Set(contentTerms(own ?? tool.description).map(({ stem }) => stem));
  const isNew = contentTerms(purpose).some(({ stem }) => !known.has(stem));
  return isNew ? `To ${purpose}, use ${other.name} instead.` : null;
}

/** One boundary sentence in each of the given tools that lacks it. */
export function boundary(
  toEdit: readonly (readonly [tool: AnalysedTool, other: AnalysedTool])[],
  why: string,
  requests: readonly string[],
): Advice | null {
  const edits = toEdit.flatMap(([tool, other]) => {
    const sentence = boundarySentence(tool, other);
    const edit = sentence === null ? null : addToDescription(tool, sentence);
    return edit ? [edit] : [];
  });
  const [first] = toEdit;
  if (edits.length === 0 || !first) return null;
  return {
    kind: 'boundary',
    toolIds: first.map(idOf),
    edits,
    why,
    evidence: { requests: [...requests], words: [] },
  };
}

/**
 * What to change so that two similar tools can be told apart, from their definitions alone. Null if
 * no rule fits: most similar pairs need no advice.
 */
export function advisePair(
  a: AnalysedTool,
  b: AnalysedTool,
  taken: ReadonlySet<string>,
): Advice | null {
  if (lookAlike(a, b)) return null;
  const certain = structural(a, b, taken);
  if (certain || !areNeighbors(a, b)) return certain;
  const piece = boundary(
    [
      [a, b],
      [b, a],
    ],
    `${a.name} and ${b.name} have similar descriptions, and neither says when to use the other.`,
    [],
  );
  const [only, ...more] = piece?.edits ?? [];
  if (!piece || !only || more.length > 0) return piece;
  const [tool, other] = only.toolId === idOf(a) ? [a, b] : [b, a];
  return {
    ...piece,
    why: `${tool.name} and ${other.name} have similar descriptions, and ${tool.name} doesn’t say when to use ${other.name}.`,
  };
}

/** Advice that no wording can replace: the same name twice, or a deprecated twin. */
export function structural(
  a: AnalysedTool,
  b: AnalysedTool,
  taken: ReadonlySet<string>,
): Advice | null {
  return deprecatedTwin(a, b) ?? sameName(a, b, taken);
}
