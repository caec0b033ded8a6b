import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { Dialect } from './toolRules.ts';

const maxMarkers = 4;
/** How many blocks before a marker the provider looks for an earlier entry. */
const lookBack = 20;
/** OpenAI caches whole steps of this many tokens. */
const step = 128;

const listOf = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

const asBlocks = (value: JsonValue | undefined): JsonObject[] =>
  typeof value === 'string' ? [{ type: 'text', text: value }] : listOf(value);

/** The blocks of a request to Messages in the order of its prompt: tools, system, messages. */
function promptBlocks(body: JsonObject): JsonObject[] {
  return [
    ...listOf(body['tools']),
    ...asBlocks(body['system']),
    ...listOf(body['messages']).flatMap(({ role, content }) =>
      asBlocks(content).map((block) => ({ role: role ?? null, ...block })),
    ),
  ];
}

const isMarked = (block: JsonObject): boolean => isJsonObject(block['cache_control']);

/** What the provider refuses about cache markers, in its own words; null if it accepts them. */
export function cacheRefusal(dialect: Dialect, body: JsonObject): string | null {
  if (dialect !== 'messages')
    return JSON.stringify(body).includes('"cache_control":')
      ? "Unknown parameter: 'cache_control'."
      : null;
  const marked = promptBlocks(body).filter(isMarked);
  if (marked.length > maxMarkers)
    return (
      `A maximum of ${maxMarkers} blocks with cache_control may be provided. ` +
      `Found ${marked.length}.`
    );
  for (const block of marked) {
    if (isJsonObject(block['cache_control']) && block['cache_control']['type'] !== 'ephemeral')
      return "cache_control.type: Input should be 'ephemeral'";
    if (
      block['type'] === 'text' &&
      typeof block['text'] === 'string' &&
      block['text'].trim() === ''
    )
      return 'cache_control cannot be set for empty text blocks';
    if (block['type'] === 'thinking') return 'cache_control: Extra inputs are not permitted';
    if (block['defer_loading'] === true)
      return 'A tool cannot have both defer_loading=true and cache_control set.';
  }
  return null;
}

const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** The prompt cache of a provider: what of a request it reads, and what it writes. */
export class FakePromptCache {
  readonly #minTokens: number;
  readonly #entries = new Set<string>();
  readonly #prompts: string[] = [];

  constructor(minTokens: number) {
    this.#minTokens = minTokens;
  }

  usageOf(
    dialect: Dialect,
    body: JsonObject,
  ): { input: number; cacheRead: number; cacheWrite: number } {
    return dialect === 'messages' ? this.#explicit(body) : this.#automatic(body);
  }

  /** A beginning is kept where a marker ends it, and read where a marker is at most 20 blocks on. */
  #explicit(body: JsonObject) {
    const blocks = promptBlocks(body);
    const texts = blocks.map(({ cache_control: _, ...block }) => JSON.stringify(block));
    const beginning = (count: number) => texts.slice(0, count).join('');
    const ends = blocks.flatMap((block, at) => (isMarked(block) ? [at + 1] : []));
    const known = ends
      .flatMap((end) => Array.from({ length: Math.min(lookBack, end) }, (_, back) => end - back))
      .filter((end) => this.#entries.has(beginning(end)));
    const cacheRead = tokensOf(beginning(Math.max(0, ...known)));
    const kept = ends.filter((end) => tokensOf(beginning(end)) >= this.#minTokens);
    for (const end of kept) this.#entries.add(beginning(end));
    const written = tokensOf(beginning(Math.max(0, ...kept)));
    return {
      input: tokensOf(texts.join('')),
      cacheRead,
      cacheWrite: Math.max(0, written - cacheRead),
    };
  }

  /** The longest beginning that an earlier request had too. Nothing is charged for keeping it. */
  #automatic(body: JsonObject) {
    const { tools = [], instructions = '', messages, input } = body;
    const prompt = JSON.stringify([tools, instructions, ...listOf(messages ?? input)]).slice(0, -1);
    const shared = Math.max(0, ...this.#prompts.map((earlier) => sharedLength(earlier, prompt)));
    this.#prompts.push(prompt);
    const whole = Math.floor(Math.floor(shared / 4) / step) * step;
    return {
      input: tokensOf(prompt),
      cacheRead: whole >= this.#minTokens ? whole : 0,
      cacheWrite: 0,
    };
  }
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
