import { codeCall, labeledCall } from './codeCalls.ts';
import { calledBy } from './jsonCalls.ts';
import { readLoose } from './looseJson.ts';
import { markedCall, type FoundCall } from './markedCalls.ts';
import type { OfferedNames } from './offeredNames.ts';
import {
  isExplained,
  isExplainedAfter,
  passagesOf,
  withoutThoughts,
  type Passage,
} from './passages.ts';

/** Fences that models put calls into. Code in other languages is an answer. */
const callFences = new Set([
  ...['', 'json', 'jsonc', 'json5', 'xml', 'text', 'txt', 'plaintext', 'python', 'py'],
  ...['tool', 'tool_code', 'tool_call', 'tool_calls', 'tool_use', 'function', 'function_call'],
  ...['action', 'tool-call', 'tool-code'],
]);
/** Beginnings that nothing closes are read to the end of the text: only so many. */
const maxUnclosed = 2;
const maxStarts = 32;

/**
 * The first call of an offered tool that a text makes in a notation for calls, with that notation;
 * null where it makes none. What an answer only mentions is no call: a name in a sentence or in a
 * code span, an example that is announced as one, a definition or a list of tools, and what the
 * model thought before its answer. Pure, and in linear time.
 * Source: docs/rules.md §3, Calls as text.
 */
export function findTextCall(answer: string, names: OfferedNames): FoundCall | null {
  const text = withoutThoughts(endsOf(answer));
  const passages = passagesOf(text);
  for (const passage of passages) {
    const found =
      passage.language === null
        ? callInProse(text, passage, names)
        : callInFence(text, passage, names);
    if (found) return found;
  }
  return null;
}

/** A longer answer is read at its beginning and its end, where calls are. */
const maxLength = 200_000;

function endsOf(text: string): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength / 2)}\n${text.slice(-maxLength / 2)}`;
}

function callInProse(text: string, passage: Passage, names: OfferedNames): FoundCall | null {
  const { content, at } = passage;
  // Between two sentences or on a line of its own, a special token is a call. Within a sentence it
  // is one if the text ends with it.
  const marked = markedCall(
    content,
    names,
    (place) =>
      isOwnPlace(content, place) ||
      (!isExplained(text, at + place) && endsWithCall(text.slice(at + place))),
  );
  if (marked) return marked;
  const labeled = labeledCall(labelsOf(text, passage), names);
  if (labeled !== undefined) return { tool: labeled, notation: 'Action: …' };
  return (
    taggedCall(text, passage, names) ??
    valueInProse(text, passage, names) ??
    codeInProse(text, passage, names)
  );
}

const ownPlace = /(?:[\n>\].!?:…。！？：]|assistant|commentary|analysis)[ \t]{0,200}$/u;

/** Whether a place begins a line, or follows the end of a sentence, a tag or another token. */
function isOwnPlace(content: string, place: number): boolean {
  const before = content.slice(Math.max(0, place - 200), place);
  return ownPlace.test(before) || before.trim() === '';
}

/** No word follows the call: only its arguments, closing tags and tokens, and further calls. */
const endsWithCall = (rest: string): boolean => /[>\])}]\s*$/.test(rest);

/** With the fence after it, because arguments of a labeled call may be in one. */
function labelsOf(text: string, { at, end }: Passage): string {
  return text.slice(at, end + 400);
}

/** `<ping><host>…</host></ping>` or `<ping/>`, as Cline writes calls, at the end of the text. */
function taggedCall(text: string, { content, at }: Passage, names: OfferedNames): FoundCall | null {
  const last =
    /<\/([\w.:-]{1,128})>\s*$|(?<=^|\n)[ \t]{0,8}<([\w.:-]{1,128})(?:\s[^<>]{0,400})?\/>\s*$/;
  const tail = content.slice(-1_000);
  const match = last.exec(tail);
  const tool = names.resolve(match?.[1] ?? match?.[2] ?? '');
  if (tool === undefined || text.slice(at + content.length).trim() !== '') return null;
  const opening = match?.[1] === undefined ? '' : `<${match[1]}`;
  const from = opening === '' ? content.length - tail.length : content.lastIndexOf(opening);
  if (from < 0 || isExplained(text, at + from)) return null;
  return opening === '' || isOwnPlace(content, from) ? { tool, notation: 'XML tag' } : null;
}

/** A JSON object or list on a line of its own, or at the end of the text. */
function valueInProse(text: string, passage: Passage, names: OfferedNames): FoundCall | null {
  const { content, at } = passage;
  const start =
    /(?<=^|\n)[ \t]{0,8}[[{]|[[{]\s{0,8}\{?\s{0,8}["'](?:name|tool|tool_name|function|action|type|id|tool_calls?)["']\s{0,4}:/g;
  let unclosed = 0;
  for (
    let match = start.exec(content);
    match && unclosed < maxUnclosed;
    match = start.exec(content)
  ) {
    const from = match.index + match[0].search(/[[{]/);
    const read = readLoose(content, from);
    if (read === null || !read.isClosed) unclosed += 1;
    if (read === null) continue;
    const tool = calledBy(read.value, names);
    if (tool !== undefined && !isExplained(text, at + from)) {
      // Tags of any kind may be around it, words only on other lines.
      const isAlone =
        isOwnPlace(content, from) &&
        /^(?:<[^<>\n]{0,60}>|[\s;,])*(?:[{[]|$)/.test(restOfLine(content, read.end));
      const isLast = text.slice(at + read.end).trim() === '';
      if (isAlone || isLast) return { tool, notation: 'JSON' };
    }
    if (read.isClosed) start.lastIndex = read.end;
  }
  return null;
}

const restOfLine = (text: string, at: number): string =>
  text.slice(at, at + 400).split('\n', 1)[0] ?? '';

/** Calls in Python as the whole prose, or from the beginning of a line to the end of the text. */
function codeInProse(text: string, passage: Passage, names: OfferedNames): FoundCall | null {
  const { content, at, end } = passage;
  if (text.slice(end).trim() !== '') return null;
  const start =
    /(?<=^|\n)[ \t]{0,8}(?:>>>[ \t]{0,4})?\[?[ \t]{0,4}[^\s()[\]{}]{1,300}(?: [^\s()[\]{}]{1,60}){0,4}[ \t]{0,4}\(/g;
  let tried = 0;
  for (let match = start.exec(content); match && tried < maxStarts; match = start.exec(content)) {
    tried += 1;
    const tool = codeCall(content, match.index, content.length, names);
    if (tool !== undefined && !isExplained(text, at + match.index))
      return { tool, notation: 'Python call' };
  }
  return null;
}

function callInFence(text: string, passage: Passage, names: OfferedNames): FoundCall | null {
  const { content, start, language } = passage;
  if (language === null || !callFences.has(language)) return null;
  if (isExplained(text, start) || isExplainedAfter(text, passage.end)) return null;
  const body = content.trim();
  const marked = markedCall(body, names, (place) => isOwnPlace(body, place));
  if (marked) return marked;
  const labeled = labeledCall(body, names);
  if (labeled !== undefined) return { tool: labeled, notation: 'Action: …' };
  const opens = /^[[{]/.test(body) ? readLoose(body, 0) : null;
  const tool = opens === null ? undefined : calledBy(opens.value, names);
  if (tool !== undefined) return { tool, notation: 'JSON' };
  // Code that more text explains is an example; in tool_code it is Gemma's notation.
  if (!language.startsWith('tool') && text.slice(passage.end).trim() !== '') return null;
  const code = codeCall(body, 0, body.length, names);
  return code === undefined ? null : { tool: code, notation: 'Python call' };
}
