import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { formatPointer } from '../../../src-shared/domain/jsonPointer.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type {
  AnalysedTool,
  DifferentiationIssue,
  PatchOperation,
  Priority,
  RecommendationItem,
} from '../../../src-shared/domain/similarity.ts';
import { parameterPairs } from '../similarity/toolText.ts';
import { quote, type PairWords } from './pairWords.ts';

export interface Pair {
  tools: readonly [AnalysedTool, AnalysedTool];
  words: PairWords;
  /** Every tool ID of the list, so that a proposed name is unused. */
  taken: ReadonlySet<string>;
  /** The name of the input schema in the tool definition. */
  schemaKey: string;
}

export interface Found {
  issue: DifferentiationIssue;
  items: RecommendationItem[];
}

const sides = [0, 1] as const;
type Side = (typeof sides)[number];
const otherOf = (side: Side): Side => (side === 0 ? 1 : 0);
const idOf = ({ server, name }: AnalysedTool): string => toolId(server, name);
const shortId = ({ tools }: Pair, side: Side): string =>
  tools[0].name === tools[1].name ? idOf(tools[side]) : tools[side].name;

/**
 * The words that distinguish a tool from the other one: those of its name if there are any, because
 * they say what it does; otherwise its server.
 */
function tellingWords({ tools, words }: Pair, side: Side): { said: string; many: boolean } {
  const name = tools[side].name.toLowerCase();
  const named = words.own[side].filter((word) => name.includes(word));
  const own = (named.length > 0 ? named : words.own[side]).slice(0, 3);
  return {
    said:
      own.length > 0
        ? quote(own)
        : tools[0].server === tools[1].server
          ? `"${tools[side].name}"`
          : `the server "${tools[side].server}"`,
    many: own.length > 1,
  };
}

function setDescription(tool: AnalysedTool, value: string): PatchOperation[] {
  // "add" replaces an existing value and sets a missing one.
  return [{ op: 'add', path: '/description', value }];
}

const withStop = (text: string): string =>
  text === '' || /[.!?。！？:]$/u.test(text) ? text : `${text}.`;

function eachSide(
  pair: Pair,
  issue: DifferentiationIssue['type'],
  priority: Priority,
  write: (
    side: Side,
  ) => Pick<RecommendationItem, 'recommendation' | 'rationale' | 'applyCommands'> | null,
): RecommendationItem[] {
  return sides.flatMap((side) => {
    const written = write(side);
    return written
      ? [{ issue, toolId: idOf(pair.tools[side]), priority, revisedDescription: null, ...written }]
      : [];
  });
}

/**
 * If (nearly) all words of one description occur in the other, or one is empty, nothing says where
 * one tool ends and the other begins.
 */
export function scopeClarity(pair: Pair, always = false): Found | null {
  const { tools, words } = pair;
  const [a, b] = [idOf(tools[0]), idOf(tools[1])];
  const empty = sides.filter((side) => tools[side].description.trim() === '');
  const small: Side = words.counts[0] <= words.counts[1] ? 0 : 1;
  const share = words.counts[small] === 0 ? 0 : words.shared.length / words.counts[small];
  if (empty.length === 0 && share < 0.7 && !always) return null;
  const priority: Priority = empty.length > 0 || share >= 0.9 ? 'high' : 'medium';
  const evidence =
    empty.length > 0
      ? `${empty.map((side) => `"${idOf(tools[side])}"`).join(' and ')} ` +
        `${empty.length === 1 ? 'has' : 'have'} no description; only the names ` +
        `"${tools[0].name}" and "${tools[1].name}" tell them apart.`
      : words.shared.length === 0
        ? `Neither "${clip(tools[0].description)}" (${a}) nor "${clip(tools[1].description)}" ` +
          `(${b}) says where the other begins.`
        : `Of the ${words.counts[small]} words of "${idOf(tools[small])}" ` +
          `${words.shared.length} stand in "${idOf(tools[otherOf(small)])}" too: ` +
          `${quote(words.shared, 8)}.`;
  return {
    issue: { type: 'scope_clarity', priority, evidence },
    items: eachSide(pair, 'scope_clarity', priority, (side) => {
      const { said: own, many } = tellingWords(pair, side);
      const { said: others } = tellingWords(pair, otherOf(side));
      const boundary = `Use it for ${own}; for ${others} use ${shortId(pair, otherOf(side))}.`;
      return {
        recommendation: `Say in "${idOf(tools[side])}" where it ends: "${boundary}"`,
        rationale:
          `Only ${own} ${many ? 'tell' : 'tells'} it from "${idOf(tools[otherOf(side)])}", ` +
          `which has ${others}; a model that reads both needs the boundary in words.`,
        applyCommands: setDescription(
          tools[side],
          `${withStop(tools[side].description.trim())} ${boundary}`.trim(),
        ),
      };
    }),
  };
}

/** Two descriptions that consist of the same words. */
export function terminologyOverlap(pair: Pair): Found | null {
  const { tools, words } = pair;
  const all = words.counts[0] + words.counts[1] - words.shared.length;
  const share = all === 0 ? 0 : words.shared.length / all;
  if (words.shared.length < 3 || share < 0.4) return null;
  const priority: Priority = share >= 0.7 ? 'high' : 'medium';
  return {
    issue: {
      type: 'terminology_overlap',
      priority,
      evidence:
        `Both descriptions use ${quote(words.shared, 8)}: ${words.shared.length} of ${all} ` +
        'distinct words.',
    },
    items: eachSide(pair, 'terminology_overlap', priority, (side) => {
      const { said: own, many } = tellingWords(pair, side);
      const { said: others } = tellingWords(pair, otherOf(side));
      const beginning = `About ${own}, not ${others}.`;
      return {
        recommendation: `Begin "${idOf(tools[side])}" with what is its own: "${beginning}"`,
        rationale:
          `${quote(words.shared, 4)} ${words.shared.length === 1 ? 'says' : 'say'} nothing ` +
          `about which of the two is meant; ${own} ${many ? 'do' : 'does'}.`,
        applyCommands: setDescription(
          tools[side],
          `${beginning} ${tools[side].description.trim()}`.trim(),
        ),
      };
    }),
  };
}

/** Parameters with the same name and type. */
export function parameterUniqueness(pair: Pair): Found | null {
  const { tools, words, schemaKey } = pair;
  const all =
    parameterPairs(tools[0]).length + parameterPairs(tools[1]).length - words.parameters.length;
  if (words.parameters.length === 0 || words.parameters.length / all < 0.5) return null;
  const priority: Priority = words.parameters.length === all ? 'medium' : 'low';
  const names = words.parameters.map((one) => one.slice(0, one.lastIndexOf(':')));
  return {
    issue: {
      type: 'parameter_uniqueness',
      priority,
      evidence:
        `${words.parameters.length} of ${all} parameters have the same name and type in both: ` +
        `${quote(words.parameters, 8)}.`,
    },
    items: eachSide(pair, 'parameter_uniqueness', priority, (side) => {
      const commands = names.flatMap((name): PatchOperation[] => {
        const said = describedAs(tools[side], name);
        if (said === null) return [];
        const text =
          said === '' ? `What "${tools[side].name}" takes as "${name}"` : said.replace(/\.$/u, '');
        return [
          {
            op: 'add',
            path: formatPointer([schemaKey, 'properties', name, 'description']),
            value: `${text}, for ${tellingWords(pair, side).said}.`,
          },
        ];
      });
      return {
        recommendation:
          `Say in ${quote(names)} of "${idOf(tools[side])}" what is meant here: ` +
          `${tellingWords(pair, side).said}.`,
        rationale:
          `With ${quote(names)} in both, the arguments give a model no reason to choose ` +
          `"${tools[side].name}" over "${tools[otherOf(side)].name}".`,
        applyCommands: commands,
      };
    }),
  };
}

function describedAs(tool: AnalysedTool, name: string): string | null {
  const properties: JsonValue | undefined = tool.inputSchema['properties'];
  const schema = isJsonObject(properties) ? properties[name] : undefined;
  if (!isJsonObject(schema)) return null;
  return typeof schema['description'] === 'string' ? schema['description'].trim() : '';
}

const clip = (text: string): string =>
  text.trim().length > 80 ? `${text.trim().slice(0, 79)}…` : text.trim();
