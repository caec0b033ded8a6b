import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { creates } from './nameSentence.ts';
import {
  isListed,
  isRisky,
  isSpoken,
  isUnspoken,
  parameterNouns,
  type ParameterNoun,
} from './parameterNouns.ts';
import { inSentence } from './parameterTexts.ts';
import { listed } from './spoken.ts';

const maxListed = 4;
/** A call that needs more than these can't be told in a sentence. */
const maxNeeded = 6;

/** What tells where a thing is rather than what it is. */
const places = /(?:path|account|site|workspace|project|tenant|team|organization|locale|source)$/iu;
const containers =
  /(?:root|dir|directory|folder|file|repo|repository|vault|database|collection)$/iu;
const isWhere = ({ name, identifies }: ParameterNoun): boolean =>
  identifies !== null || places.test(name) || containers.test(name);

/** What a draft already says of the parameters. */
interface Said {
  /** Parameters that the first sentence speaks of. */
  said: ReadonlySet<string>;
  /** Those of them that it only implies: a list of the others has them too. */
  implied: ReadonlySet<string>;
  verb: string | null;
}

/** Sentences of a draft about parameters, each null if there is none. */
interface ParameterSentences {
  /** What a call needs besides, if that has values or a range. */
  needed: string | null;
  /** What else a call takes, where that decides what is destroyed or replaced. */
  risks: string | null;
}

/** The sentences in the order of a draft. */
export const allSentences = ({ needed, risks }: ParameterSentences): string[] =>
  [needed, risks].filter((sentence) => sentence !== null);

/**
 * What else a call takes. A list has everything that a call needs, or takes, besides what shapes an
 * answer: half of it misleads more than nothing. What is optional stands in the schema, and is said
 * only where it is a risk. Null where the tool has a parameter that decides what is destroyed or
 * replaced and no sentence can name it: then nothing is to be said of the rest.
 */
export function parameterSentences(
  tool: AnalysedTool,
  { said, implied, verb }: Said,
  texts: string,
): ParameterSentences | null {
  const withValues = ({ spoken, phrase, options, range }: ParameterNoun): string => {
    const isClear = phrase !== null && !(phrase.includes(' or ') && !phrase.startsWith('whether'));
    const name = isClear ? inSentence(phrase, texts) : spoken;
    const allowed = options.length > 0 ? listed(options) : range;
    return allowed === null ? name : `${name} (${allowed})`;
  };
  const every = parameterNouns(tool.inputSchema, tool.name);
  const all = every.filter((each) => !said.has(each.name));
  if (every.some((each) => isRisky(each) && !isSpoken(each))) return null;
  const told = all.filter(isListed);
  const needed = told.some(({ required }) => required)
    ? every.filter(
        (each) =>
          each.required && (told.includes(each) || (said.has(each.name) && implied.has(each.name))),
      )
    : [];
  const optional = told.filter(({ required }) => !required);
  const isWhole = !all.some(isUnspoken) && needed.length <= maxNeeded;
  const isRiskLost = (some: readonly ParameterNoun[], isSaid: boolean): boolean =>
    !isSaid && some.some(isRisky);
  const isOptionalWhole =
    isWhole && optional.length > 0 && optional.length <= maxListed && optional.every(isSpoken);
  // "Takes the shelf." reads as complete, which misleads where much of the rest can't be named, or
  // where what is needed only tells where. A new thing has what it needs.
  const isNew = verb !== null && creates.has(verb);
  const unnamed = isNew ? [] : optional.filter((each) => !isSpoken(each));
  // What has no values to choose from stands in the schema by its name already.
  const isTelling = needed.some(({ options, range }) => options.length > 0 || range !== null);
  const isComplete =
    isWhole &&
    isTelling &&
    (unnamed.length === 0 || (unnamed.length < needed.length && !needed.every(isWhere)));
  if (isRiskLost(needed, isComplete) || isRiskLost(optional, isOptionalWhole)) return null;
  return {
    needed: isComplete ? `Takes the ${listed(needed.map(withValues), 'and')}.` : null,
    risks: optional.some(isRisky) ? `Optional: ${listed(optional.map(withValues), 'and')}.` : null,
  };
}
