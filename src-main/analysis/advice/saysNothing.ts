import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { isEmptyText } from '../../../src-shared/domain/textEdit.ts';
import { wordInFull, contentTerms, hasContent, words } from '../tokenizer.ts';
import { groupsOf } from '../relatedWords.ts';
import { copiedFrom, exchangedWith } from './belongs.ts';
import { names } from './paste.ts';
import { baseVerb } from './purpose.ts';
import { nameWords } from './nameWords.ts';

/** Words that the description of any tool may have. */
const fillers = new Set(
  `
    accept action any api argument call command correspond data do endpoint execute function given
    handle help helper information input item method object operation output parameter perform
    process provide request requested resource response result return run server service simple
    specific specified task thing tool use useful user utility value various
  `
    .trim()
    .split(/\s+/u)
    .flatMap((word) => contentTerms(word).map(({ stem }) => stem)),
);
/** Function words of languages that tools are described in, other than English. */
const foreign = new RegExp(
  String.raw`(?<![\p{L}])(?:${(
    'der das und eine einer eines einem einen oder mit von für nach seine seiner seinem ihre ihrer sich ' +
    'nicht auf aus zum zur ohne deren dessen wird werden zu bei beim vom ein ist sind über als durch ' +
    'le les des une pour avec dans sur du aux ses leur el los las una para por del con sus según ' +
    'il della delle dei uno nel degli uma ou em não ao pelo'
  ).replaceAll(' ', '|')})(?![\p{L}])`,
  'giu',
);
/** Letters that English words have not. */
const accented = /[äöüßéèêàçñáíóúãõìòù]/iu;
const english = /\b(?:the|a|an|of|to|for|with|by|from|or|and|in)\b/giu;

export const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(contentTerms(text).map(({ stem }) => stem));
const isEnglish = (text: string): boolean =>
  (text.match(/\p{Script=Latin}/gu) ?? []).length * 2 > (text.match(/\p{L}/gu) ?? []).length &&
  (text.match(foreign) ?? []).length + Number(accented.test(text)) < 2;

/** What is wrong with a description that says nothing about its tool. */
export interface TextFault {
  kind: 'empty' | 'name' | 'any' | 'exchanged' | 'copied' | 'other' | 'stray' | 'cut' | 'language';
  /** As a sentence. */
  why: string;
  /** The tool of the same server that the description is about. */
  about?: AnalysedTool;
}

/**
 * Why a description says nothing about its tool; null if it says something. It is empty; is about
 * another tool of the server, exchanged with it, copied from it or by what it says; has only words of
 * the name, or words that fit any tool; has no word of the name and the schema; ends in the middle of
 * a sentence; or is in another language than those of most other tools of the server.
 */
export function faultOf(tool: AnalysedTool, tools: readonly AnalysedTool[]): TextFault | null {
  const { name, description, server } = tool;
  if (isEmptyText(description)) return { kind: 'empty', why: `${name} has no description.` };
  const siblings = tools.filter((other) => other.server === server && other.name !== name);
  const misplaced = misplacedText(tool, tools);
  if (misplaced) return misplaced;
  const own = stemsOf(nameWords(tool).join(' '));
  const servers = stemsOf(words(server).join(' '));
  const known = new Set([...own, ...servers]);
  const said = [...stemsOf(description)];
  const news = said.filter((stem) => !known.has(stem) && baseVerb(stem) === null);
  const fault = (kind: TextFault['kind'], what: string): TextFault => ({
    kind,
    why: `The description of ${name} ${what}.`,
  });
  if (endsOpen(description)) return fault('cut', cutText);
  if (news.length === 0) return fault('name', 'says no more than its name');
  const inFull = stemsOf(words(description).map(wordInFull).join(' '));
  const speaksOfIt = nounsOf(nameWords(tool)).some((stem) => inFull.has(stem));
  if (!speaksOfIt && news.every((stem) => fillers.has(stem))) return fault('any', 'fits any tool');
  const about = spokenOf(tool, siblings);
  if (about) return { ...fault('other', `is about ${about.name}`), about };
  if (isStray(tool, said, own)) return fault('stray', 'has no word of its name or parameters');
  if (isStump(tool, speaksOfIt)) return fault('cut', cutText);
  const readable = siblings.filter((other) => isEnglish(other.description));
  const isForeign = !isEnglish(description) && (description.match(english) ?? []).length < 2;
  return isForeign && readable.length * 2 > siblings.length
    ? fault('language', 'is in another language than most of its server')
    : null;
}

/** The fault of a description as a sentence; null if it says something. */
export const saysNothing = (tool: AnalysedTool, tools: readonly AnalysedTool[]): string | null =>
  faultOf(tool, tools)?.why ?? null;

function misplacedText(tool: AnalysedTool, tools: readonly AnalysedTool[]): TextFault | null {
  const copied = copiedFrom(tool, tools);
  const about = copied ?? exchangedWith(tool, tools);
  return about
    ? {
        kind: copied ? 'copied' : 'exchanged',
        why: `The description of ${tool.name} is about ${about.name}.`,
        about,
      }
    : null;
}

const cutText = 'ends in the middle of a sentence';

/** Whether a short text ends with a word that something has to follow. */
export function endsOpen(description: string): boolean {
  const text = description.trim();
  return text.split(/\s+/u).length <= maxCutWords && cutOff.test(text);
}

/** Whether a few words that don't even name the thing are the beginning of a sentence that is gone. */
function isStump(tool: AnalysedTool, speaksOfIt: boolean): boolean {
  const text = tool.description.trim();
  return (
    text.split(/\s+/u).length <= maxStumpWords &&
    !/[.!?]$/u.test(text) &&
    !speaksOfIt &&
    isEnglish(text) &&
    nounsOf(nameWords(tool)).length > 0
  );
}

const minStrayWords = 3;
/** So few words that a text which is cut off after them says nothing by itself. */
const maxCutWords = 5;
const maxStumpWords = 3;
const cutOff =
  /\b(?:an?|the|of|to|for|with|by|from|or|and|in|on|at|as|its|their|your|this|that|all|any|each|every|some|several|multiple|single|new|existing|specific|given|current|certain|recent|latest|both|across|including|containing|using|which|whose|when|where|if)$|,$|['’]s$/iu;

/**
 * Whether a text has no word of its tool's name and schema, neither a form of one nor a related one.
 * Of 2,250 real tools, 3 that are described in English are so.
 */
function isStray(tool: AnalysedTool, said: readonly string[], own: ReadonlySet<string>): boolean {
  const { description, inputSchema } = tool;
  const telling = said.filter((each) => !fillers.has(each));
  if (said.length < minStrayWords || !isEnglish(description)) return false;
  // A name that says nothing can't be missing from a text.
  if (!nameWords(tool).some(hasContent)) return false;
  const known = [
    ...own,
    ...stemsOf(words(tool.name).join(' ')),
    ...stemsOf(parameterNames(inputSchema).join(' ')),
  ];
  const groups = new Set(known.flatMap((each) => groupsOf(each)));
  return !telling.some(
    (each) =>
      known.includes(each) ||
      groupsOf(each).some((group) => groups.has(group)) ||
      (each.length > 3 &&
        known.some((other) => other.length > 3 && other.startsWith(each.slice(0, 4)))),
  );
}

/** The stems of a name without its verb, which several tools share. */
export function nounsOf(name: readonly string[]): string[] {
  const verb = name.findIndex((word) => baseVerb(word) !== null);
  return [
    ...stemsOf(
      name
        .filter((_, at) => at !== verb)
        .map(wordInFull)
        .join(' '),
    ),
  ];
}

const maxOpening = 8;

/**
 * The sibling whose whole name the opening of a description has, if the text has nothing of its own
 * tool's name.
 */
function spokenOf(tool: AnalysedTool, siblings: readonly AnalysedTool[]): AnalysedTool | undefined {
  // A long text mentions many things; what it is about, it says first.
  const opened = stemsOf(tool.description.trim().split(/\s+/u).slice(0, maxOpening).join(' '));
  const said = stemsOf(tool.description);
  if ([...stemsOf(nameWords(tool).join(' '))].some((each) => said.has(each))) return undefined;
  return siblings.find((other) => {
    const own = [...stemsOf(nameWords(other).join(' '))];
    return (
      own.length > 1 &&
      own.every((each) => opened.has(each)) &&
      // Texts that name the other tool tell the two apart, and so speak of both.
      !names(tool.description, other.name) &&
      !names(other.description, tool.name)
    );
  });
}

const parameterNames = ({ properties }: JsonObject): string[] =>
  isJsonObject(properties) ? Object.keys(properties) : [];
