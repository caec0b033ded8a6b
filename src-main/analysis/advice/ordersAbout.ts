import { isJsonObject } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { isForeignOrder } from '../orderLanguages.ts';
import { orderTexts } from '../orderTexts.ts';
import { detectLanguage } from '../language/detectLanguage.ts';
import { languageOf } from './belongs.ts';
import { inOneSpelling } from './contradictions.ts';
import { isIdentifier } from './paste.ts';
import { baseVerb } from './purpose.ts';
import { sentencesOf } from './spoken.ts';

const thing = '(?:tools?|functions?|commands?|skills?|mcps?)';
const call =
  '(?:use|call|invoke|run|execute|try|consult|prefer|pick|choose|select|check with|rely on|reach for|turn to|start with|follow up with)';
const called = '(?:used|called|invoked|run|executed|tried|consulted|preferred)';
const calling = '(?:using|calling|invoking|running|executing|trying|choosing)';
const not = "(?:never|do not|don'?t|must not|should not|avoid|stop|no need to)";
const must =
  "(?:must|shall|should|ought to|has to|have to|needs? to|(?:is|are) (?:required|expected|supposed) to|will always|may not|can(?:not|'t))";
/** Stands for the name of a tool in a sentence. */
const name = '‹tool›';
const self = `(?:this|it|me)(?: ${thing})?`;
/** Tools that no list has: those of other programs. */
const outer = '(?:(?:web|internet|file|code) search|bash|shell|grep|curl)';
const other = `(?:(?:the |a |an |another |other |any |all |its )*(?:${name}|${outer}|(?:\\w+ )?${thing}\\b))`;
const any = `(?:${self}|${other})`;
const model =
  '(?:(?:the |an |this |your |every )?(?:assistants?|models?|agents?|ai|llms?)|claude|chatgpt|gpt|copilot|gemini)';
/** What the addressee of an order does about tools, their order and the user. */
const act = `(?:${call}|first|always|never|not|check|review|read|ask|confirm|verify|look|search|wait|decide|stop|inform|tell|show|warn|remember|follow|ensure|fetch|cache|store)`;
const users = '(?:the |your |an? )?(?:users?|customers?|people)\\b';
/** Where an order begins, and not what somebody does: "asks the user" says what a tool does. */
const begins =
  '(?:^|[(,;:–—-] ?|\\b(?:always|never|not|n’t|then|first|must|should|and|to|please|or) )';

/** Orders in a sentence of small letters, in which names of tools are replaced. */
const orders = [
  // When a call comes before or after another thing to do.
  `\\b(?:before|after|prior to|once you(?:’ve| have)?) (?:you )?(?:${calling}|call|use|run|invoke) ?(?:$|[,;:]|${any}\\b)`,
  `\\b(?:always|never|first|then|next|instead|also|immediately|automatically|proactively|must|should|have to|need to|remember to|make sure to|be sure to|please) (?:\\w+ )?(?:${call}) (?:with |by )?${any}(?! (?:that|which|for|to|if|when)\\b)`,
  `\\b(?:first|then|next|immediately|always|never) (?:\\w+ )?${call} (?:\\w+ )?${name}`,
  `\\b${call} ${any} (?:\\w+ )?(?:(?:first|next|afterwards?|beforehand|immediately|again|exactly once|only once)\\b|(?:before|after) ?(?:$|[.,;:]|${any}\\b|${calling}|every|each|you\\b))`,
  `\\b${must} (?:only |never |always |not |also )?be ${called} (?:\\w+ )?(?:first|last|before|after|only|never|always|at the|for (?:every|all|any|each)\\b)`,
  // "This method is called every time the user says something."
  `\\b(?:this(?: \\w+)?|it) (?:is|gets|will be|can be|may be) (?:\\w+ )?${called} (?:\\w+ )?(?:every ?time|any ?time|each time|whenever|always|automatically|for (?:any|every|each|all))\\b`,
  `\\b(?:prerequisites?|next steps?|workflow|usage flow|call order)\\b[^.]{0,40}(?:${name}|\\b${calling}|\\b${call} )`,
  `^step \\d`,
  `\\byour (?:very )?(?:first|next|last|final) (?:call|step|action|${thing})`,
  // What its reader has to do.
  `(?<!\\b(?:when|whenever|if|where|unless|once|what|that|which) )\\byou ${must} (?:\\w+ ){0,2}?${act}\\b`,
  `^${model} ${must} (?:\\w+ ){0,2}?${act}\\b`,
  `\\bit is (?:\\w+ )?(?:mandatory|required|necessary|essential|crucial|critical|important|imperative) (?:to|that you) [^.]*(?:${name}|\\b${calling}|\\b${call} )`,
  `\\b(?:(?:your|its) own (?:training|knowledge|memory|judge?ment)|your (?:training|knowledge cutoff)|(?:in|of|to|with) your (?:answer|response|reply))\\b`,
  `^(?:read|follow|obey|respect|study|review) [^.]*\\b(?:instructions|guidelines|rules|workflow)\\b[^.]*\\b(?:before|first|carefully|exactly|go on)\\b`,
  `^(?:(?:always|never) (?!\\w*[^s\\W]s\\b)|(?:remember|please|make sure|be sure|ensure|don[’']t forget) )[^.]*${name}`,
  `\\b${call} (?:${self} )?(?:before|after|prior to) \\w+ing\\b`,
  `^do (?:this|it|so) (?:before|after|first|when|once)\\b`,
  `^(?:essential|required|mandatory|recommended) (?:before|after)\\b`,
  `\\bonly after (?:\\w+ )?(?:confirmation|approval|consent)\\b`,
  `\\b(?:typical |usual )?(?:\\w+ )?(?:workflow|flow|procedure) ?: [^.]*(?:→|->|,)`,
  `\\bwait (?:\\w+ )?and (?:re)?try\\b`,
  `\\b${call} the (?:corresponding|appropriate|matching|relevant) (?:\\w+ )?${thing}\\b`,
  `(?:^|[,;:–—] ?)make (?:\\w+ ){1,3}calls?\\b`,
  // How often, and only then.
  `\\b${call} ${self} (?:only|exactly )?once\\b`,
  `^only ${call} ${any}|\\b${call} ${self} only\\b`,
  `^primary ${thing} for\\b`,
  `\\bas (?:an? |the |your )?(?:fallback|last resort|primary|first choice|main ${thing})\\b`,
  // Other tools in a row with this one, or in its place.
  `\\b(?:before|after|until|following|prior to|once|when) (?:\\w+ )?(?:${calling} )?${name}`,
  `\\b${call} [^.]*(?:${name}|\\b[a-z]+_\\w+)[^.]*\\bfirst\\b`,
  `\\b${call} ${other} (?:[^.]* )?(?:instead|until|rather than)\\b`,
  `\\b(?:pass|give|hand|feed) (?:\\w+ ){1,3}to (?:the )?${name}`,
  `\\bgo(?:es)? through (?:\\w+ )?${name}`,
  `${name} (?:\\w+ )?(?:to|must|should|has to) be ${called}`,
  `${name}[^.]*\\bbefore \\w+ing\\b`,
  `\\b${call} (?:\\w+ )?${name} (?:\\w+ )?to (?:learn|check|verify|confirm)\\b`,
  `^${call} the (?:\\w+ )?${thing} to\\b`,
  `^(?:read|find|check|get|fetch|look up|list|verify|prove|resolve|obtain)\\b[^.]* (?:with|via|using|through) (?:the )?${name}`,
  `\\binstead,? ${call} ${other}`,
  `\\b(?:poll|monitor|chain|combine|wait for|follow up) (?:\\w+ ){0,2}${name}`,
  `\\b${call} (?:the )?(?:[\\w@/.-]+ ){0,3}mcp\\b`,
  `\\byou can(?:not|'t) [^.]*, ${call} ${name}`,
  `\\b(?:${call}|read|check|fetch|load|review|see) (?:\\w+ ){0,2}(?!https?:)[a-z][\\w-]*:\\/\\/`,
  `\\b(?:read|check|fetch|list|get|load|call|use) (?:that|this|it|them|these|those) first\\b`,
  `\\b(?:rather than|instead of|before) (?:guess|hardcod|assum|invent|recall|conclud|making up)`,
  `\\b(?:after|once|when|until|unless) ${users} (?:\\w+ ){0,2}?(?:review|approv|confirm|agree|accept|consent)`,
  `(?:^|[,;:–—] ?)prefer\\b`,
  `\\bthe (?:very )?first (?:call|step|thing|action|${thing}) (?:to|you)\\b`,
  `^(?:provide|present) [^.]* to the user\\b`,
  `(?:^|, )make an? (?:\\w+ )?guess\\b`,
  `^(?:always|never|do not|don[’']t) (?:make up|invent|guess|assume|draw|recreate|fabricate|rely|answer|respond|reply|proceed|continue)\\b`,
  `^(?:read (?:this|me) (?:first|before|carefully)|follow (?:it|them|these)\\b|when in doubt\\b)`,
  `\\b(?:use|call) ${self} (?:proactively|automatically|often|by default)\\b`,
  `^(?:every|each|all) (?:responses?|answers?|repl(?:y|ies)) (?:should|must)\\b`,
  `^(?:(?:use|call)(?: ${self})? whenever|whenever) ${users}`,
  // What it has to tell the user, or to ask of them.
  `^(?:stop|wait|pause) (?:and \\w+ )?(?:for|until) ${users}`,
  `^(?:show|present|display) [^.]* to ${users} before\\b`,
  `${begins}(?:tell|ask|inform|remind|notify|warn|confirm with|check with) ${users}`,
  `\\b${must} (?:\\w+ )*be (?:shown|displayed|presented|reported|sent|repeated|asked)\\b[^.]*\\b${users}`,
  `\\bwithout (?:first )?(?:telling|asking|informing|notifying|warning|confirming with) ${users}`,
  `\\bunless (?:the )?users? (?:explicitly|specifically|clearly)\\b`,
  // What it has to keep to itself, or to say only then.
  `${begins}(?:do not|don't|never|avoid|only) (?:ever )?(?:show|display|reveal|mention|disclose|expose|print|present|repeat|share|showing|displaying|revealing|mentioning|sharing)\\b`,
  // Against other tools.
  `\\b${not} (?:\\w+ )?(?:${call}|${calling}) (?:the )?${other}`,
  `\\b${not} (?:\\w+ )?(?:${call}|${calling}) [^.]*${name}`,
  `\\b${not} (?:\\w+ )?(?:${call}|${calling}) ${self}(?: ?[,;]| ?$| (?:more than|again|twice|without|first|directly|unless))`,
  `\\b(?:${call} ${self}|${self} be ${called}|rely on ${self}) (?:\\w+ )?(?:over|instead of|rather than|in place of|and not) (?!${name} (?:for|to|when|if)\\b)`,
  `\\bif [^.,]{1,60}, (?:always |then )?${call} (?:\\w+ )?${name}`,
  // Rank.
  `(?:^|\\bis (?:\\w+ )?)(?:the|your) (?:best|only|fastest|easiest|safest|simplest|recommended|preferred|primary|main|right|correct|most \\w+) (?:way|${thing}|method|choice|option|place|source|means)\\b`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** Orders by their capitals: "ALWAYS use", "MUST be called", "DO NOT", "CRITICAL: read". */
const caps = "NEVER|ALWAYS|DO NOT|DON[’']T|STOP|FIRST";
const loud = [
  /\b(?:USE|CALL|RUN|INVOKE) (?:THIS|IT|ONLY|FIRST|BEFORE|ALWAYS|INSTEAD)\b/u,
  /\bDO NOT [A-Z]{2,}\b/u,
  /\brun `(?:npm|npx|pnpm|yarn|pip|uvx?|git|docker|brew) /iu,
  /\bMUST (?:always |first |only |be )*(?:use|call|invoke|run|read|check|review|call(?:ed)|used|invoked)\b/u,
  /^\W*(?:IMPORTANT|CRITICAL|MANDATORY|STOP|ATTENTION)\W+(?:(?:you|always|never|first|please|do not|don[’']t|must) )/iu,
];
const shouted = new RegExp(`\\b(?:${caps}) (?<verb>[a-z]+)\\b`, 'u');
const marked =
  /^\W*(?:IMPORTANT|CRITICAL|MANDATORY|STOP|ATTENTION|\p{Lu}{3,}(?: \p{Lu}{3,})+:)\W+(?:\p{L}+ly )?(?<verb>\p{L}+)/u;
/** "Always close the browser", and not "Always returns times in UTC". */
const ruled = /(?:^\W*|[,;:] (?:and |but )?)(?:always|never|do not|don[’']t) (?<verb>[a-z]+)\b/iu;

/** What is done to parameters: "IMPORTANT: Specify one model" says how a call is made. */
const filling = new Set('specify provide pass set include give'.split(' '));
/** Whether a word is a verb as an order has it, "use" and not "uses", and no filling of parameters. */
const isBase = (word = ''): boolean =>
  !filling.has(word.toLowerCase()) &&
  (baseVerb(word) === word.toLowerCase() ||
    /^(?:use|call|draw|guess|try|expect|rely|assume|attempt|confuse|mix|infer)$/iu.test(word));

/** Items of a list with numbers, by their first words. */
const numbered = /^[^\p{L}\p{N}\n]*(?:step )?\d+[.):]\s+(?<verb>\p{L}+).*$/gimu;
/** Fewer may be what a tool does in turn. */
const minSteps = 3;

/** The first of several numbered items that are orders: a procedure to go through. */
function firstStep(text: string): string | null {
  const steps = [...text.matchAll(numbered)].filter(({ groups }) => isBase(groups?.['verb']));
  return steps.length < minSteps ? null : (steps[0]?.[0].trim() ?? null);
}

/** Longer sentences are tables, code or data. */
const maxSentence = 600;
/**
 * The first sentence of a text that tells a model what to do instead of saying what the tool does:
 * which tools to call and when, what comes before or after a call, what to tell or to ask the user,
 * that other tools must not be called, or that this one is the best. Null if there is none. By
 * structure: a verb of calling as an order, with a tool as its object, and with rank, order or
 * exclusion; an order to its reader; and orders in capitals. "To read several files, use read_files"
 * is none: it says what is for what. So is "You must be an administrator": it is a condition. A list of
 * numbered orders is one.
 * Narrower claims, which are refused whoever writes them, are those of `orderTexts`.
 */
export function orderIn(
  text: string,
  tool: AnalysedTool,
  tools: readonly AnalysedTool[],
): string | null {
  const { properties } = tool.inputSchema;
  const own = new Set(isJsonObject(properties) ? Object.keys(properties) : []);
  const [claim] = orderTexts(text, own);
  if (claim !== undefined) return text.slice(claim.start, claim.end).trim();
  const said = inOneSpelling(text);
  const siblings = tools.filter(
    (each) => each.server === tool.server && said.includes(inOneSpelling(each.name)),
  );
  const known = siblings.map((each) => each.name).filter((each) => !own.has(each));
  const isEnglish = (detectLanguage(text) ?? languageOf(tool, tools) ?? 'en') === 'en';
  return (
    sentencesOf(text).find(
      (each) => each.length <= maxSentence && isOrder(each, known, isEnglish),
    ) ?? firstStep(text)
  );
}

function isOrder(sentence: string, known: readonly string[], isEnglish: boolean): boolean {
  const verbs = [shouted, marked, ruled].map((each) => each.exec(sentence)?.groups?.['verb']);
  if (verbs.some(isBase) || loud.some((pattern) => pattern.test(sentence))) return true;
  const named = withoutNames(sentence, known);
  return (
    orders.some((pattern) => pattern.test(named)) ||
    isForeignOrder(named, named.includes(name), isEnglish)
  );
}

/** A sentence without marks, with a sign in place of each name of a tool. */
function withoutNames(sentence: string, known: readonly string[]): string {
  const marks = '[`"“”*]';
  const replaced = known
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, each) => {
      const escaped = each.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&').replaceAll(/[-_]/gu, '[-_]');
      // "insert" is a tool in marks only; as a word of a sentence it is what somebody does.
      const [open, close] = isIdentifier(each)
        ? [`(?<![\\p{Script=Latin}\\p{N}_-])${marks}*`, `${marks}*(?![\\p{Script=Latin}\\p{N}_-])`]
        : ['[`"“\']', '[`"”\']'];
      return text.replaceAll(new RegExp(`${open}${escaped}${close}(?:\\(\\))?`, 'giu'), name);
    }, sentence);
  // Signs of a list, and numbers of its items.
  return replaced
    .replace(/^[^\p{L}‹]+/u, '')
    .replaceAll(/[*`]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll('’', "'");
}
