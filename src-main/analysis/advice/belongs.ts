import { isJsonObject } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { wordInFull, contentTerms, stem, words } from '../tokenizer.ts';
import { detectLanguage, isOfAnother } from '../language/detectLanguage.ts';
import { groupsOf } from '../relatedWords.ts';
import { isIdentifier, names } from './paste.ts';
import { baseVerb } from './purpose.ts';
import { nameWords } from './nameWords.ts';

/** How well a text fits a tool, from 0 to 1. */
type Fit = (tool: AnalysedTool, text: string) => number;

/** A related word says less than the word itself. */
const relatedShare = 0.7;
/** How much of the fit is what the text says the tool does. */
const verbShare = 0.25;
/** A verb that is unknown, or a text without one, speaks neither for a tool nor against it. */
const unknownVerb = 0.5;
/** How much more a text fits a tool whose parameters it names, and less one whose it doesn't. */
const parameterShare = 0.25;
/** A text says first what it is about. */
const openingWords = 12;
/** A text fits one tool better than another if it has so much more of it. */
const clearly = 0.08;
/** Both texts together fit the other tools so much better where two were exchanged. */
const exchangedBy = 0.55;
/** The least that a text fits the tool that it is moved to, and that both do in the mean. */
const minFit = 0.3;
const minMeanFit = 0.6;
const minCopyFit = 0.5;
const copiedBy = 0.25;
const fullFit = 0.85;

interface Reading {
  whole: Said;
  opening: Said;
  verb: string | null;
  /** Words that are written as names: `flight_id`, `dueDate`. */
  identifiers: readonly string[];
}
interface Said {
  stems: ReadonlySet<string>;
  groups: ReadonlySet<number>;
}

const saidIn = (text: string): Said => {
  const stems = new Set(contentTerms(text).map((term) => term.stem));
  return { stems, groups: new Set([...stems].flatMap((each) => groupsOf(each))) };
};

function read(text: string): Reading {
  const plain = text.replace(/^\s*\[[^\]]*\]\s*/u, '');
  const opening = plain.trim().split(/\s+/u).slice(0, openingWords).join(' ');
  const identifiers = text.match(/\b[a-z]+(?:_[a-z\d]+)+\b|\b[a-z]+(?:[A-Z][a-z\d]+)+\b/gu) ?? [];
  const verb = baseVerb(words(plain)[0] ?? '');
  return { whole: saidIn(text), opening: saidIn(opening), verb, identifiers };
}

/**
 * The share of a name that a text has, the mean of the whole text and its opening: each word by how
 * few names of the server have it, 1 for the word, 0.7 for another form of it, and `related` for a
 * related one. 0.25 of it is
 * whether the text opens with the verb of the name. Parameters that the text names add 0.25 if they
 * are the tool's, and take 0.25 if they are another tool's.
 */
function fitAmong(tools: readonly AnalysedTool[], related = relatedShare): Fit {
  const counts = new Map<string, number>();
  const known = new Map<string, { stems: readonly string[]; verb: string | null }>();
  const parameters = new Map(
    tools.map(({ name, inputSchema: { properties } }) => [
      name,
      new Set(isJsonObject(properties) ? Object.keys(properties) : []),
    ]),
  );
  const all = new Set([...parameters.values()].flatMap((own) => [...own]));
  const readings = new Map<string, Reading>();
  for (const tool of tools) {
    const stems = [...new Set(contentTerms(fullName(tool)).map((term) => term.stem))];
    const verb =
      nameWords(tool)
        .map(baseVerb)
        .find((each) => each !== null) ?? null;
    known.set(tool.name, { stems, verb });
    for (const each of stems) counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  const weightOf = (each: string): number =>
    Math.log((1 + tools.length) / (1 + (counts.get(each) ?? 0))) + 0.5;
  const shareOf = (stems: readonly string[], { stems: said, groups }: Said): number => {
    let [found, all] = [0, 0];
    for (const each of stems) {
      const weight = weightOf(each);
      all += weight;
      if (said.has(each)) found += weight;
      else if (hasForm(each, said)) found += weight * relatedShare;
      else if (groupsOf(each).some((group) => groups.has(group))) found += weight * related;
    }
    return all === 0 ? 0 : found / all;
  };
  return (tool, text) => {
    const reading = readings.get(text) ?? read(text);
    readings.set(text, reading);
    const { stems, verb } = known.get(tool.name) ?? { stems: [], verb: null };
    const share = (shareOf(stems, reading.whole) + shareOf(stems, reading.opening)) / 2;
    const own = parameters.get(tool.name);
    const named = reading.identifiers.filter((name) => all.has(name));
    const isOwn = named.some((name) => own?.has(name));
    const byName =
      verb === null ? share : (1 - verbShare) * share + verbShare * likeVerb(verb, reading.verb);
    const by = named.length === 0 ? 0 : isOwn ? parameterShare : -parameterShare;
    return Math.min(1, Math.max(0, byName + by));
  };
}

/** Fits of the servers of a list of tools: each of its tools is compared with all others. */
const fits = new WeakMap<readonly AnalysedTool[], Map<string, Fit>>();

/** The fit among the tools of one server, of which `tools` has all. */
function fitOf({ server }: AnalysedTool, tools: readonly AnalysedTool[], related?: number): Fit {
  const byServer = fits.get(tools) ?? new Map<string, Fit>();
  fits.set(tools, byServer);
  const key = JSON.stringify([server, related]);
  const fit = byServer.get(key) ?? fitAmong(ofServer(server, tools), related);
  byServer.set(key, fit);
  return fit;
}

const ofServer = (server: string, tools: readonly AnalysedTool[]): AnalysedTool[] =>
  tools.filter((tool) => tool.server === server);

const siblingsOf = ({ server, name }: AnalysedTool, tools: readonly AnalysedTool[]) =>
  tools.filter((other) => other.server === server && other.name !== name);

const minForm = 6;
/** "transport" in "transportation". */
const hasForm = (each: string, said: ReadonlySet<string>): boolean =>
  each.length >= minForm && [...said].some((other) => other.startsWith(each.slice(0, minForm)));

function likeVerb(verb: string, said: string | null): number {
  if (said === null) return unknownVerb;
  if (verb === said) return 1;
  const groups = new Set(groupsOf(stem(verb)));
  return groupsOf(stem(said)).some((group) => groups.has(group)) ? 1 : 0;
}

const fullName = (tool: AnalysedTool): string => nameWords(tool).map(wordInFull).join(' ');

/** Whether a text names a tool: "Insert a row" only says what "insert" says. */
const isNamed = (text: string, { name }: AnalysedTool): boolean =>
  names(text, name) && (isIdentifier(name) || words(text)[0] !== name.toLowerCase());

/** Whether a text begins with a name of a tool, as in "update_task updates a task". */
const opensWith = (text: string, name: string): boolean =>
  isIdentifier(name) && text.trim().split(/[\s:,]/u)[0] === name;

/** Whether a text has so much to say that it can be told whose it is. */
const isTelling = (text: string): boolean =>
  new Set(contentTerms(text).map(({ word }) => stem(word))).size >= 3;

/**
 * The sibling with which a tool has exchanged its description: each of the two texts fits the other
 * tool's name clearly better. Texts that name the other tool tell the two apart, and so speak of
 * both. Undefined if there is none.
 */
export function exchangedWith(
  tool: AnalysedTool,
  tools: readonly AnalysedTool[],
): AnalysedTool | undefined {
  const fit = fitOf(tool, tools);
  const found = bestExchange(tool, siblingsOf(tool, tools), fit);
  if (!found) return undefined;
  if ([tool, found].some(({ description }) => isForeign(description, tool, tools)))
    return undefined;
  // The tool may be described otherwise than in the list.
  const back = bestExchange(found, [tool, ...siblingsOf(found, siblingsOf(tool, tools))], fit);
  return back === tool ? found : undefined;
}

function bestExchange(
  tool: AnalysedTool,
  siblings: readonly AnalysedTool[],
  fit: Fit,
): AnalysedTool | undefined {
  const own = tool.description;
  const named = siblings.find(
    (other) => opensWith(own, other.name) && opensWith(other.description, tool.name),
  );
  if (named) return named;
  if (!isTelling(own)) return undefined;
  // A text that a third tool has too is a copy.
  const isCopied = (text: string, ...own: AnalysedTool[]): boolean =>
    siblings.some((each) => each.description === text && !own.includes(each));
  if (isCopied(own)) return undefined;
  const ofOwn = fit(tool, own);
  if (ofOwn > 1 - clearly) return undefined;
  let best: { other: AnalysedTool; gain: number } | undefined;
  for (const other of siblings) {
    const theirs = other.description;
    const here = fit(tool, theirs);
    if (here < minFit || here < ofOwn + clearly) continue;
    const [there, ofTheirs] = [fit(other, own), fit(other, theirs)];
    if (there < minFit || there < ofTheirs + clearly) continue;
    const gain = here - ofOwn + there - ofTheirs;
    if ((here + there) / 2 < minMeanFit) continue;
    if (gain < exchangedBy || gain <= (best?.gain ?? 0)) continue;
    if (!isTelling(theirs) || isNamed(own, other) || isNamed(theirs, tool)) continue;
    if (isCopied(theirs, other)) continue;
    best = { other, gain };
  }
  return best?.other;
}

/** Languages of servers by the list of their tools. */
const languages = new WeakMap<
  readonly AnalysedTool[],
  Map<string, ReturnType<typeof detectLanguage>>
>();

/** The language of the descriptions of a server; null where that isn't clear. */
export function languageOf(
  { server }: AnalysedTool,
  tools: readonly AnalysedTool[],
): ReturnType<typeof detectLanguage> {
  const byServer = languages.get(tools) ?? new Map<string, ReturnType<typeof detectLanguage>>();
  languages.set(tools, byServer);
  if (!byServer.has(server)) {
    const all = ofServer(server, tools).map(({ description }) => description);
    byServer.set(server, detectLanguage(all.join('\n')));
  }
  return byServer.get(server) ?? null;
}

/** Whether a text is in another language than its server: whichever tool it is about, it needs words. */
export function isForeign(
  text: string,
  tool: AnalysedTool,
  tools: readonly AnalysedTool[],
): boolean {
  const language = languageOf(tool, tools);
  // "Gets the user's posts" and "10 per page" have words of other languages.
  return language !== null && isOfAnother(text.replaceAll(/\b(?:s|per)\b/giu, ' '), language);
}

/** Whether a description has no word that isn't in its tool's name or its server's. */
function repeatsName(tool: AnalysedTool): boolean {
  const stemsOf = (text: string): string[] => contentTerms(text).map((term) => term.stem);
  const known = new Set(stemsOf(`${words(tool.server).join(' ')} ${fullName(tool)} ${tool.name}`));
  return stemsOf(words(tool.description).join(' ')).every((each) => known.has(each));
}

/** How well both texts fit the other tools, and how much better, before requests may decide. */
const suspectedFit = 0.5;
const suspectedBy = 0.2;
/** The mean fit that is enough where both texts together fit so much better as an exchange needs. */
const minSuspectedFit = 0.25;

/**
 * Whether two tools of a server may have exchanged their descriptions: each text fits the other name
 * better, though not so much that it is certain. Requests that fail between the two have to say it.
 */
export function mayBeExchanged(
  a: AnalysedTool,
  b: AnalysedTool,
  tools: readonly AnalysedTool[],
): boolean {
  const [own, theirs] = [a.description, b.description];
  // A text that a third tool has too is a copy, and one that names the other tool is about both.
  const isCopied = tools.some(
    (each) => each !== a && each !== b && (each.description === own || each.description === theirs),
  );
  if (a.server !== b.server || a === b || own === theirs || isCopied) return false;
  if (isNamed(own, b) || isNamed(theirs, a)) return false;
  // Words of its own name alone are no other tool's, and help none.
  if ([a, b].some(repeatsName)) return false;
  if ([own, theirs].some((text) => isForeign(text, a, tools))) return false;
  const fit = fitOf(a, tools);
  const [here, there] = [fit(a, theirs) - fit(a, own), fit(b, own) - fit(b, theirs)];
  const mean = (fit(a, theirs) + fit(b, own)) / 2;
  const [least, gain] = [Math.min(here, there), here + there];
  return (
    (least >= clearly && gain >= suspectedBy && mean >= suspectedFit) ||
    // One text may say nothing of either name, where the other one says so much.
    (least >= 0 && gain >= exchangedBy && mean >= minSuspectedFit)
  );
}

/**
 * The sibling whose text a tool has word for word, where the text fits that one clearly better.
 * Undefined if there is none.
 */
export function copiedFrom(
  tool: AnalysedTool,
  tools: readonly AnalysedTool[],
): AnalysedTool | undefined {
  // A text that names another tool tells the two apart: it is not about that one.
  const same = siblingsOf(tool, tools).filter(
    ({ name, description }) =>
      description === tool.description &&
      (!isIdentifier(name) || opensWith(description, name) || !names(description, name)),
  );
  if (same.length === 0 || tool.description.trim() === '') return undefined;
  const fit = fitOf(tool, tools);
  const own = fit(tool, tool.description);
  const length = contentTerms(fullName(tool)).length;
  const found = same
    .map((other) => ({ other, fit: fit(other, tool.description) }))
    .filter(
      (one) =>
        (one.fit >= minCopyFit && one.fit > own + clearly / 2) ||
        (one.fit >= minFit && one.fit > own + copiedBy) ||
        // Of two names that a text has in full, the longer one says more of it.
        (one.fit >= fullFit && contentTerms(fullName(one.other)).length > length),
    )
    .sort((a, b) => b.fit - a.fit);
  // Of several that the text fits in full, too, it is about the one of which it says most.
  const [best] = found;
  const lengthOf = ({ other }: { other: AnalysedTool }): number =>
    contentTerms(fullName(other)).length;
  return found
    .filter((one) => one.fit >= fullFit || one === best)
    .toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]?.other;
}

/** A text says so little of its tool's name, and so much more of another one, that it may be misplaced. */
const doubtfulFit = 0.6;
const doubtfulBy = 0.35;

/**
 * Whether a text may be about another tool of the server, though that is not certain: it is neither
 * replaced nor extended then. Only words of the other name itself say so: a text that says "poll" is
 * not about a survey for that.
 */
export function isDoubtful(tool: AnalysedTool, tools: readonly AnalysedTool[]): boolean {
  const own = fitOf(tool, tools)(tool, tool.description);
  if (own >= doubtfulFit) return false;
  const literal = fitOf(tool, tools, 0);
  return siblingsOf(tool, tools).some(
    (other) => literal(other, tool.description) > own + doubtfulBy,
  );
}
