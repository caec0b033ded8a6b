import { formatCount } from '../../../src-shared/display/numbers.ts';
import type { EncodingName, TokenMetrics, TokenParts } from '../../../src-shared/domain/tokens.ts';
import type { ReceivedTool } from '../../../src-shared/domain/tool.ts';
import { countTokensByRange } from './encodings.ts';

export interface CountedTool {
  tokenCount: number;
  parts: TokenParts;
  /** Only for a skill: what a model loads besides when it uses it. */
  bodyTokens?: number;
}

/** A tool's JSON, or that of a skill's name and description with its body. */
export type CountedText = string | { text: string; body: string };

/** The text that a model sees of a listed tool at all times, and the body of a skill. */
export function countedText({
  tool: { name, description, skill },
  raw,
}: ReceivedTool): CountedText {
  return skill === undefined
    ? raw
    : { text: JSON.stringify({ name, description }), body: skill.body };
}

const members = {
  name: 'name',
  description: 'description',
  inputSchema: 'inputSchema',
  outputSchema: 'outputSchema',
} as const;
type Part = keyof typeof members;
/** The members of a tool in the wire formats. */
const offeredMembers: Readonly<Record<string, Part>> = {
  name: 'name',
  description: 'description',
  parameters: 'inputSchema',
  input_schema: 'inputSchema',
};

/**
 * Tokens of a tool by part. Parts are the JSON values of name, description, input schema and output
 * schema without the outer quotes of a text; everything else is structure. A token belongs to the
 * part that holds its first byte; the parts sum to `tokenCount`, which is `countTokens(raw)`.
 * Source: docs/rules.md §6.
 * @param raw the tool's text, a JSON object with the protocol's member names
 */
export function countTool(raw: string, encoding: EncodingName = 'cl100k_base'): CountedTool {
  return countParts(raw, memberRanges(raw), members, encoding);
}

/**
 * The same for a tool in a provider's form: its schema has another name there, and Chat Completions
 * wraps the tool in a `function` member.
 * @param text a tool as `providerFormats` describes it, as JSON
 */
export function countOfferedTool(text: string, encoding: EncodingName): CountedTool {
  const own = memberRanges(text);
  const [from, to] = own.get('function') ?? [0, text.length];
  const inner = from === 0 ? own : memberRanges(text.slice(from, to));
  const ranges = [...inner].map(
    ([member, range]) => [member, [from + range[0], from + range[1]]] as const,
  );
  return countParts(text, new Map(ranges), offeredMembers, encoding);
}

function countParts(
  raw: string,
  ranges: ReadonlyMap<string, readonly [number, number]>,
  partOf: Readonly<Record<string, Part>>,
  encoding: EncodingName,
): CountedTool {
  const found = [...ranges]
    .flatMap(([member, range]) => {
      const part = Object.hasOwn(partOf, member) ? partOf[member] : undefined;
      return part === undefined ? [] : [{ part, range }];
    })
    .sort((a, b) => a.range[0] - b.range[0]);
  const { counts, rest } = countTokensByRange(
    raw,
    found.map(({ range }) => range),
    encoding,
  );
  const parts: TokenParts = {
    name: 0,
    description: 0,
    inputSchema: 0,
    outputSchema: 0,
    structure: rest,
  };
  found.forEach(({ part }, at) => (parts[part] = counts[at] ?? 0));
  return { parts, tokenCount: counts.reduce((sum, count) => sum + count, rest) };
}

/**
 * saved = baseline − returned, percentage = 100 · saved / baseline, 0 if the baseline is 0. Both
 * counts cover the same servers, so the returned tools are part of the baseline: RangeError if
 * there are more. Source: docs/rules.md §6.
 */
export function savings(baselineTokens: number, returnedTokens: number): TokenMetrics {
  const tokensSaved = baselineTokens - returnedTokens;
  if (tokensSaved < 0)
    throw new RangeError(
      `${formatCount(returnedTokens)} tokens were returned of a baseline of ${formatCount(baselineTokens)}: they are ` +
        'not of the same tools.',
    );
  return {
    baselineTokens,
    returnedTokens,
    tokensSaved,
    savingsPercentage: baselineTokens === 0 ? 0 : (100 * tokensSaved) / baselineTokens,
  };
}

/**
 * Positions of the values of a JSON object's own members in its text, by name: [from, to) in UTF-16
 * units, strings without their quotes. The last of duplicate names counts, as in parsing. The text
 * must be valid JSON; the result is empty if it isn't an object.
 */
export function memberRanges(json: string): Map<string, [number, number]> {
  const ranges = new Map<string, [number, number]>();
  let at = skipSpace(json, 0);
  if (json[at] !== '{') return ranges;
  at = skipSpace(json, at + 1);
  while (json[at] === '"') {
    const nameEnd = endOfString(json, at);
    const name = JSON.parse(json.slice(at, nameEnd)) as string;
    const from = skipSpace(json, skipSpace(json, nameEnd) + 1);
    const to = endOfValue(json, from);
    // Deleted first, so that the last of duplicate names is also last in order.
    ranges.delete(name);
    ranges.set(name, json[from] === '"' ? [from + 1, to - 1] : [from, to]);
    at = skipSpace(json, to);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return ranges;
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && ' \t\n\r'.includes(json[at] ?? '')) at += 1;
  return at;
}

function endOfString(json: string, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(json: string, from: number): number {
  if (json[from] === '"') return endOfString(json, from);
  let at = from;
  for (let depth = 0; at < json.length;) {
    const character = json[at] ?? '';
    if (character === '"') {
      at = endOfString(json, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (character === ',' || ' \t\n\r'.includes(character))) return at;
    at += 1;
  }
  return at;
}
