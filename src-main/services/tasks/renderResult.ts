import type { CalledTool } from '../../adapters/mcp/mcpConnection.ts';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { TaskResult } from '../../../src-shared/domain/task.ts';

/** What a model gets of one result: about 12,000 tokens of English text. */
const maxResultLength = 50_000;

/** The text of one part of a result. What is no text is noted, because a model can't see it. */
function textOf(part: JsonObject, omitted: string[]): string {
  if (part['type'] === 'text' && typeof part['text'] === 'string') return part['text'];
  const resource = part['resource'];
  if (part['type'] === 'resource' && isJsonObject(resource) && typeof resource['text'] === 'string')
    return resource['text'];
  if (part['type'] === 'resource_link' && typeof part['uri'] === 'string') return part['uri'];
  const source = isJsonObject(resource) ? resource : part;
  const type = source['mimeType'] ?? part['type'];
  const name = typeof type === 'string' ? type.slice(0, 100) : 'unknown';
  omitted.push(name);
  return `[${name} content, not sent]`;
}

/** Cuts a text and says so in it: a model must not take a part for the whole. */
function cut(text: string, maxLength: number): { text: string; cutFrom: number | null } {
  if (text.length <= maxLength) return { text, cutFrom: null };
  // Half of a character that takes two code units would be unreadable for a provider.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
  const marker = `\n[Cut: the first ${formatCount(end)} of ${formatCount(text.length)} characters]`;
  return { text: text.slice(0, end) + marker, cutFrom: text.length };
}

/**
 * The result of a call as a model receives it: its texts, or its structured content as JSON if it
 * has no text, cut at a limit with a marker. Structured content beyond the limit is not kept.
 */
export function renderResult(
  {
    isError,
    content,
    structuredContent,
  }: Pick<CalledTool, 'isError' | 'content' | 'structuredContent'>,
  maxLength: number = maxResultLength,
): TaskResult {
  const omitted: string[] = [];
  const json = structuredContent === null ? null : JSON.stringify(structuredContent);
  const texts = content.filter(isJsonObject).map((part) => textOf(part, omitted));
  const whole = texts.length === 0 ? (json ?? '') : texts.join('\n');
  return {
    isError,
    ...cut(whole, maxLength),
    structured: json !== null && json.length <= maxLength ? structuredContent : null,
    omitted: [...new Set(omitted)],
  };
}

/** What checks compare of a result, as one text: its structured content as JSON, else its texts. */
export function wholeResult({
  content,
  structuredContent,
}: Pick<CalledTool, 'content' | 'structuredContent'>): string {
  if (structuredContent !== null) return JSON.stringify(structuredContent);
  return content
    .filter(isJsonObject)
    .map((part) => textOf(part, []))
    .join('\n');
}

/** A result that this program gives in place of a tool. */
export function ownResult(text: string, isError: boolean): TaskResult {
  return { isError, text, structured: null, cutFrom: null, omitted: [] };
}

/** A result that a suite gives in place of a tool. */
export function stubbedResult(result: JsonValue, isError: boolean): TaskResult {
  return typeof result === 'string'
    ? renderResult({ isError, content: [{ type: 'text', text: result }], structuredContent: null })
    : renderResult({ isError, content: [], structuredContent: result });
}
