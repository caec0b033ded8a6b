import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import { observationDetails, type Observation } from '../../../../src-shared/domain/observation.ts';
import type { RefusedSetting } from '../../../../src-shared/domain/refusedSetting.ts';
import { errorFacts } from './errorFacts.ts';
import { excerpt } from './excerpt.ts';
import { readBody } from './readBody.ts';

/**
 * The settings that an endpoint refused for one model in one evaluation. Requests go without them
 * from then on, and the evaluation says so (docs/rules.md §3, Refused settings).
 */
export class RefusedSettings {
  readonly #known = new Map<string, RefusedSetting>();

  constructor(known: readonly RefusedSetting[] = []) {
    this.learn(known);
  }

  get list(): readonly RefusedSetting[] {
    return [...this.#known.values()];
  }

  has(setting: string): boolean {
    return this.#known.has(setting);
  }

  learn(found: readonly RefusedSetting[]): void {
    for (const each of found)
      if (!this.#known.has(each.setting)) this.#known.set(each.setting, each);
  }

  /** Learns from a reply that was recorded or kept earlier. */
  learnFrom({ details }: Pick<Observation, 'details'>): void {
    if (details !== undefined)
      this.learn(observationDetails.safeParse(details).data?.refused ?? []);
  }

  /**
   * The body without what was refused; the same body if it holds nothing of that. Strict tools are
   * written by the format.
   */
  adapt<Body extends object>(body: Body): Body {
    return this.list.reduce((adapted, refused) => without(adapted, refused), body);
  }
}

/** Marks what a provider may keep in its cache; gateways of other providers refuse it. */
const cacheMarker = 'cache_control';

/** A body without the markers of Messages, which are in its system prompt, tools and messages. */
function withoutMarkers<Body extends object>(body: Body): Body {
  const bare = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(bare);
    if (!isJsonObject(value)) return value;
    const { [cacheMarker]: _, ...rest } = value;
    return 'content' in rest ? { ...rest, content: bare(rest['content']) as JsonValue } : rest;
  };
  const marked = ['system', 'tools', 'messages'] as const;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      marked.some((each) => each === name) ? bare(value) : (value as unknown),
    ]),
  ) as Body;
}

/** Parts of a request that say what is asked: leaving one out would ask something else. */
const content = new Set(['model', 'messages', 'input', 'system', 'instructions', 'tools']);

/** Where a setting is inside another field; refusing either means the setting. */
const nested: Readonly<Record<string, string>> = {
  reasoning: 'reasoning.effort',
  output_config: 'output_config.effort',
};
const fieldOf = (setting: string): string => setting.split('.')[0] ?? setting;

function without<Body extends object>(body: Body, { setting, instead }: RefusedSetting): Body {
  if (setting === 'stream') {
    const { stream_options: _, stream: _stream, ...rest } = body as Record<string, unknown>;
    return (instead === null ? rest : { ...body, stream: true }) as Body;
  }
  if (setting === cacheMarker) return withoutMarkers(body);
  const field = fieldOf(setting);
  if (!(field in body)) return body;
  const { [field]: value, ...rest } = body as Record<string, unknown>;
  return (instead === null || instead in body ? rest : { ...rest, [instead]: value }) as Body;
}

/**
 * The setting of a request that an error refuses; null if the error is about something else: a
 * value out of its range, a part of the prompt or of a tool, or the tools themselves.
 */
export function findRefusal(status: number, text: string, body: object): RefusedSetting | null {
  // An error in place of an answer says its status itself.
  const effective = status >= 400 ? status : (errorFacts(text).status ?? status);
  if (![400, 404, 405, 415, 422, 501].includes(effective)) return null;
  const said = readError(text);
  const refused = (setting: string, instead: string | null): RefusedSetting => ({
    setting,
    instead,
    said: excerpt(said.message),
  });
  const isStreamed = (body as { stream?: unknown }).stream === true;
  if (!isStreamed && mustStream.test(said.message)) return refused('stream', 'stream');
  const settings = settingsIn(body);
  const named = said.params.flatMap((param) => settings.find((each) => names(each, param)) ?? []);
  if (marksCache(body) && markersRefused.test(said.message)) return refused(cacheMarker, null);
  const isRange = outOfRange.test(said.message) && !said.codes.some((code) => refusals.has(code));
  if (isRange || isOfTools(said.message)) return null;
  const [byParam] = named.filter(
    (each) =>
      said.codes.some((code) => refusals.has(code)) ||
      unsupported.test(said.message) ||
      isRefusedIn(each, said.message),
  );
  // A param that is no setting means that the error is about that part of the request.
  const other = said.params.some((param) => content.has(fieldOf(param.replace(/\[.*/, ''))));
  const setting =
    byParam ?? (other ? undefined : settings.find((each) => isRefusedIn(each, said.message)));
  return setting === undefined ? null : refused(setting, replacementIn(setting, said.message));
}

const marksCache = (body: object): boolean => JSON.stringify(body).includes(`"${cacheMarker}":{`);
/** "tools.1.cache_control: Extra inputs are not permitted"; not "A maximum of 4 blocks with …". */
const markersRefused =
  /cache_control\b[^\n]{0,80}?(?:not (?:permitted|supported|allowed)|unsupported)|(?:unknown|unrecogni[sz]ed|unsupported|unexpected)[^\n]{0,60}cache_control/i;

/** The settings of a body by the names that errors give them; ours before those a person added. */
function settingsIn(body: object): string[] {
  const ours = ['temperature', 'reasoning', 'output_config', 'tool_choice', 'max_tokens'];
  const fields = Object.keys(body).filter((field) => !content.has(field));
  const ordered = [
    ...ours.filter((field) => fields.includes(field)),
    ...fields.filter((field) => !ours.includes(field)),
  ].map((field) => nested[field] ?? field);
  return JSON.stringify(body).includes('"strict":true') ? [...ordered, 'strict'] : ordered;
}

const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, next: string) => next.toUpperCase());
const spellings = (setting: string): string[] => {
  const parts = setting.includes('.')
    ? [setting, fieldOf(setting), 'reasoning_effort', 'effort']
    : [setting];
  return [...new Set(parts.flatMap((part) => [part, camel(part)]))];
};
const names = (setting: string, param: string): boolean =>
  spellings(setting).includes(param) || (setting === 'strict' && /^tools\b.*\bstrict$/.test(param));

/**
 * Codes of refused parameters: https://github.com/openai/openai-python/issues/1492 (unknown),
 * https://github.com/vercel/ai/issues/6034 (value), https://github.com/CherryHQ/cherry-studio/issues/911
 * (parameter), https://github.com/partITech/php-mistral/issues/76 (extra_forbidden, of pydantic).
 */
const refusals = new Set([
  'unsupported_parameter',
  'unsupported_value',
  'unknown_parameter',
  'extra_forbidden',
]);

/** "Encrypted content is not supported with this model.", where `param` names the setting. */
const unsupported = /\b(?:not|n't) supported\b|\bunsupported\b/i;

/** "temperature: range: 0..1", "must be at most 2": the person can choose another value. */
const outOfRange =
  /\b(?:range|between|at most|at least|less than|greater than|too (?:large|small|high|low)|maximum|minimum)\b|[<>]=?\s?\d/i;

/**
 * Tools that the endpoint can't take; `tool_choice` is only named along with them.
 * https://github.com/BerriAI/litellm/issues/5081, and vLLM started without its tool parser:
 * https://docs.vllm.ai/en/latest/features/tool_calling.html
 */
const isOfTools = (message: string): boolean =>
  /['"`]tools['"`]\s*[:\]]|does not support (?:tools|function calling)|--enable-auto-tool-choice/i.test(
    message,
  );

/**
 * Endpoints that only stream: DashScope (https://github.com/infiniflow/ragflow/issues/5912; for
 * thinking, https://github.com/infiniflow/ragflow/issues/8972), Codex
 * (https://github.com/leookun/cursor-byok/issues/14), validators (https://github.com/decolua/9router/issues/1705).
 */
const mustStream = new RegExp(
  [
    '\\bonly (?:supports? )?(?:the )?stream(?:ing)?\\b',
    '\\bstream(?:ing)?[\'"`]?(?: mode| parameter| option)? (?:must|has to|needs? to|should) be (?:set to |equal to )?[\'"`]?(?:true|enabled|on)\\b',
    '\\b(?:set|pass|send|use|enable|requires?) (?:the )?[\'"`]?stream(?:ing)?[\'"`]?\\b(?! ?(?:=|to|:)? ?false)',
    '\\bstream(?:ing)? is (?:required|mandatory)',
    '\\bstream[\'"`]? ?= ?false (?:is )?not',
    "'stream' does not support false",
    'expected true at \\S*stream',
    '\\bnon-?stream(?:ing|ed)?\\b',
  ].join('|'),
  'i',
);

/**
 * Whether a message refuses a setting that it names, in the wordings of
 * - OpenAI and Azure: "Unsupported parameter: 'X' …", "Unrecognized request argument supplied: X"
 *   (https://github.com/Azure/azure-sdk-for-net/issues/45719)
 * - Anthropic and Bedrock: "`X` is deprecated for this model." (https://github.com/BoltAI/BoltAI/issues/410),
 *   "`X` and `Y` cannot both be specified" (https://github.com/skydiscover-ai/skydiscover/issues/15), "`X`
 *   may only be set to 1 when thinking is enabled" (https://github.com/MartialBE/one-hub/issues/529), "extraneous key [X] is not permitted"
 *   (https://github.com/anthropics/anthropic-sdk-python/issues/739), "doesn't support the X field"
 *   (https://github.com/NousResearch/hermes-agent/pull/111438)
 * - Gemini: "Unknown name \"X\": Cannot find field." (https://github.com/Vali-98/ChatterUI/issues/227)
 * - Mistral, vLLM, Fireworks: "Extra inputs are not permitted, field: 'X'" (https://github.com/FlowiseAI/Flowise/issues/2866)
 * - LiteLLM: "does not support parameters: ['X']" (https://github.com/CherryHQ/cherry-studio/issues/18341)
 * - Moonshot: "invalid X: only 1 is allowed" (https://github.com/google-gemini/gemini-cli/pull/18977)
 * - DeepSeek: "does not support this X" (https://github.com/deepseek-ai/awesome-deepseek-integration/issues/598)
 * - Groq, Cerebras: "X is not supported with this model" (https://github.com/brendanlong/lion-reader/pull/1325),
 *   "property 'X' is unsupported"; xAI: "Argument not supported on this model: X".
 */
function isRefusedIn(setting: string, message: string): boolean {
  const each =
    setting === 'strict'
      ? '(?:tools[\\w[\\].]*\\.)?strict'
      : spellings(setting)
          .map((name) => name.replaceAll('.', '\\.'))
          .join('|');
  // Not the name of a part of a message or a tool: "messages.0.X", "X at 'tools[0]'".
  const name = `(?<![\\w.\\]])['"\`[(]*(?:${each})\\b(?!['"\`\\])]* at ['"]?(?:tools|messages|contents))['"\`\\])]*`;
  const no = "(?:not|n't|no longer|never|cannot|can't)";
  const takes = '(?:support|accept|allow|permit|recogni[sz]e|availabl|valid|specif|set)';
  return [
    `\\b(?:unsupported|unrecogni[sz]ed|unknown|unexpected|extraneous|extra|additional)\\b[^.\\n]{0,60}?${name}`,
    `${no} (?:\\w+ )?${takes}\\w*(?: on this model| with this model)?(?:,? field)?:? (?:the |a |an |this |parameters?:? |params?:? |field:? |\\{|\\[)*${name}`,
    `${name}(?:[^.\\n]|\\.\\d){0,80}?(?:${no} (?:both |be |yet |currently )*${takes}|unsupported|unexpected|deprecated|only be set|removed)`,
    `invalid ${name}: only \\S+ is allowed`,
  ].some((pattern) => new RegExp(pattern, 'i').test(message));
}

/** Names of one limit: an endpoint that refuses one says which it takes. */
const limits = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];

/** "Use 'max_completion_tokens' instead." (https://github.com/teilomillet/gollm/issues/33) */
function replacementIn(setting: string, message: string): string | null {
  const wanted = /\buse ['"`]?(\w+)['"`]? instead/i.exec(message)?.[1] ?? '';
  return limits.includes(setting) && limits.includes(wanted) && wanted !== setting ? wanted : null;
}

interface SaidError {
  message: string;
  /** Names of parameters, such as `temperature` or `reasoning.effort`. */
  params: string[];
  codes: string[];
}

/** What an error says, wherever its body says it. A body that isn't JSON is its message. */
function readError(text: string): SaidError {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { message: text.slice(0, maxRead), params: [], codes: [] };
  }
  const said: SaidError = { message: '', params: [], codes: [] };
  const messages: string[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (depth > 10) return;
    if (typeof value === 'string') {
      // A gateway repeats the error of the provider behind it as JSON in a text (OpenRouter,
      // https://github.com/OpenRouterTeam/ai-sdk-provider/issues/50).
      const inner = /^\s*[[{]/.test(value) ? readBody(value) : undefined;
      if (inner === undefined) messages.push(value);
      else walk(inner, depth + 1);
    } else if (Array.isArray(value)) for (const each of value.slice(0, 20)) walk(each, depth + 1);
    else if (isJsonObject(value)) {
      const { param, code, type, loc, message, msg, detail, details, error, errors, title } = value;
      const { metadata, raw, cause, innererror } = value;
      if (typeof param === 'string') said.params.push(param);
      // The path of a field in a body as pydantic gives it.
      if (Array.isArray(loc))
        said.params.push(
          loc
            .filter((step) => step !== 'body')
            .map(String)
            .join('.'),
        );
      for (const each of [code, type]) if (typeof each === 'string') said.codes.push(each);
      for (const each of [metadata, raw, cause, innererror]) walk(each, depth + 1);
      for (const each of [message, msg, detail, details, error, errors, title])
        walk(each, depth + 1);
    }
  };
  walk(parsed, 0);
  // vLLM prints the list of its validator into the message: ('body', 'X') is a field of the body.
  const printed = messages.flatMap((each) =>
    [...each.matchAll(/extra_forbidden', 'loc': \('body', '(\w+)'\)/g)].map(
      ([, name = '']) => name,
    ),
  );
  if (printed.length > 0) said.codes.push('extra_forbidden');
  said.params.push(...printed);
  said.message = messages.join(' ').slice(0, maxRead);
  return said;
}

/** Patterns are tried on no more of a message than this. */
const maxRead = 4_000;
