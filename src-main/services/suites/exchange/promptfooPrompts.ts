import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { renderTemplate, resolveVariables } from './promptfooTemplates.ts';
import type { PriorMessage } from '../../../../src-shared/domain/testCase.ts';
import type { Change, DraftCase } from './suiteDraft.ts';
import { nonEmptyText } from './values.ts';

export interface Prompt {
  template: string;
  /** Messages before it, whose texts are templates too. */
  before?: PromptMessage[];
  changes: Change[];
}
interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}
/** A query that was made from a template. */
export interface Query {
  text: string;
  own: Pick<DraftCase, 'system' | 'messages'>;
  changes: Change[];
}

const maxRows = 1000;
/** Variables that contain the query if there is no prompt, in order of preference. */
const queryNames = ['query', 'prompt', 'question', 'input', 'message', 'user_query', 'text'];

/** The prompts in the configuration. Prompts in files are left out, because no file is opened. */
export function readPrompts(value: JsonValue | undefined): Prompt[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.flatMap((each) => {
    const text = isJsonObject(each)
      ? (nonEmptyText(each['raw']) ?? nonEmptyText(each['id']))
      : nonEmptyText(each);
    return text === null ||
      text.startsWith('file://') ||
      /^\S+\.(txt|json|ya?ml|js|mjs|ts|py)$/.test(text)
      ? []
      : [readPrompt(text)];
  });
}

/** The last message of a prompt that repeats the conversation before it, such as `{{ query }}`. */
const lastUserVariable =
  /"role":\s*"user",\s*"content":\s*"?\{\{\s*([A-Za-z_]\w*)\s*(?:\|\s*dump\s*)?\}\}"?\s*\}\s*\]\s*$/;

/** For a conversation in JSON, the last user message is the query. */
function readPrompt(text: string): Prompt {
  if (!text.trimStart().startsWith('[')) return { template: text, changes: [] };
  const ofConversation = text.includes('_conversation') ? lastUserVariable.exec(text)?.[1] : null;
  if (ofConversation) return { template: `{{${ofConversation}}}`, changes: [] };
  const parsed = readSourceText(text);
  const messages =
    parsed.readable && Array.isArray(parsed.value) ? parsed.value.filter(isJsonObject) : [];
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const template = nonEmptyText(messages[at]?.['content']);
  if (template === null) return { template: text, changes: [] };
  const before = messages.slice(0, at).map(toMessage);
  const read = before.filter((each) => each !== null);
  return {
    template,
    before: read,
    changes:
      read.length < before.length || at < messages.length - 1
        ? [{ what: 'Messages of the prompt', why: 'Only texts before the query are imported.' }]
        : [],
  };
}

/** A text that somebody says; null for calls, results and parts that are no text. */
function toMessage({ role, content, tool_calls: calls }: JsonObject): PromptMessage | null {
  const known = role === 'developer' ? 'system' : role;
  return typeof content === 'string' &&
    calls === undefined &&
    (known === 'system' || known === 'user' || known === 'assistant')
    ? { role: known, content }
    : null;
}

/** Expands variables with lists into one row per combination; null if that makes too many. */
export function expandVariables(variables: JsonObject): JsonObject[] | null {
  let rows: JsonObject[] = [{}];
  for (const [name, value] of Object.entries(variables)) {
    const values = Array.isArray(value) ? value : [value];
    if (rows.length * values.length > maxRows) return null;
    rows = rows.flatMap((row) => values.map((each) => ({ ...row, [name]: each })));
  }
  return rows;
}

/**
 * Makes the queries of one row of variables. Without prompts, the query is a variable with a known
 * name. Says why if a template can't be rendered.
 */
export function buildQueries(
  prompts: readonly Prompt[],
  row: JsonObject,
): { queries: Query[] } | { refused: string } {
  const variables = resolveVariables(row);
  const queries: Query[] = [];
  for (const { template, before = [], changes } of prompts.length > 0 ? prompts : ownPrompt(row)) {
    const rendered = renderTemplate(template, variables);
    if ('refused' in rendered) return rendered;
    if (rendered.text.trim() === '') continue;
    const missing = [...rendered.unknown];
    const system: string[] = [];
    const messages: PriorMessage[] = [];
    for (const { role, content } of before) {
      const said = renderTemplate(content, variables);
      if ('refused' in said) return said;
      missing.push(...said.unknown);
      if (role === 'system') system.push(said.text);
      else messages.push({ role, content: said.text });
    }
    const unknown = [...new Set(missing)].map((name) => ({
      what: `Variable ${name} of the prompt`,
      why: 'It has no value, and stays as written.',
    }));
    queries.push({
      text: rendered.text,
      own: {
        ...(system.length > 0 && { system: system.join('\n\n') }),
        ...(messages.length > 0 && { messages }),
      },
      changes: [...changes, ...unknown],
    });
  }
  return { queries };
}

/** The prompt that a variable stands for if there is none. */
function ownPrompt(row: JsonObject): Prompt[] {
  const texts = Object.entries(row).filter(([, value]) => nonEmptyText(value) !== null);
  const name =
    queryNames.find((each) => texts.some(([known]) => known.toLowerCase() === each)) ??
    (texts.length === 1 ? texts[0]?.[0] : undefined);
  const found = texts.find(([known]) => known.toLowerCase() === name?.toLowerCase())?.[0];
  return found === undefined ? [] : [{ template: `{{ ${found} }}`, changes: [] }];
}
