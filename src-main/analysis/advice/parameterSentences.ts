import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { contentTerms } from '../contentTerms.ts';
import { isTelling, isUnspoken, parameterNouns, type ParameterNoun } from './parameterNouns.ts';
import { inSentence } from './parameterTexts.ts';
import { capital, isPlural, listed } from './spoken.ts';
import { reads } from './toolName.ts';
import { nameWords } from './useSentence.ts';

const maxListed = 4;
const stemsOf = (text: string): string[] => contentTerms(text).map(({ stem }) => stem);

const changes = new Set('change edit modify patch update'.split(' '));
/** What tells where a thing is rather than what it is. */
const places = /(?:path|account|site|workspace|project|tenant|team|organization|locale|source)$/iu;

/** What else a call takes, besides what is said already. */
export function parameterSentences(
  tool: AnalysedTool,
  { said, verb }: { said: ReadonlySet<string>; verb: string | null },
  texts: string,
): string[] {
  const withValues = ({ spoken, phrase, values }: ParameterNoun): string => {
    const name = phrase === null ? spoken : inSentence(phrase, texts);
    return values.length > 0 ? `${name} (${listed(values)})` : name;
  };
  const all = parameterNouns(tool.inputSchema).filter((each) => !said.has(each.name));
  const choices = all.find((each) => each.choices.length > 0);
  const included = choices && verb !== null && reads.has(verb) ? choicesOf(tool, choices) : null;
  const told = all.filter((each) => isTelling(each) && !(included && each === choices));
  // Half of what a call needs misleads more than nothing: a stay has two dates.
  const isWhole = !all.some(isUnspoken);
  const needed = isWhole ? told.filter(({ required }) => required) : [];
  const optional = told.filter(({ required }) => !required);
  // What tells which thing to change doesn't change.
  const plain = new Set(
    optional
      .filter(({ name, identifies }) => identifies !== 'id' && !places.test(name))
      .map(({ spoken }) => spoken.replace(/^new (?=.)/u, '')),
  );
  const named = [...plain].slice(0, maxListed);
  const isShort = all.filter(({ required }) => !required).length === named.length;
  return [
    ...(included ? [included] : []),
    ...(needed.length > 0 && needed.length <= maxListed
      ? [`Takes the ${listed(needed.map(withValues), 'and')}.`]
      : []),
    ...(plain.size > 0 && verb !== null && changes.has(verb)
      ? [`Can change the ${isShort ? listed(named) : listed([...named, 'more'], 'and')}.`]
      : optional.length > 0 && optional.length <= maxListed
        ? [`Optional: ${listed(optional.map(withValues), 'and')}.`]
        : []),
  ];
}

const maxChoices = 5;

/** The first values of a list to choose from that are no form of each other, as a sentence. */
function choicesOf(tool: AnalysedTool, { choices, spoken }: ParameterNoun): string | null {
  const chosen: string[] = [];
  for (const value of choices) {
    const own = new Set(stemsOf(value));
    const isPart = [nameWords(tool).join(' '), ...chosen].some((other) =>
      stemsOf(other).every((stem) => own.has(stem)),
    );
    if (!isPart && chosen.length < maxChoices) chosen.push(value);
  }
  if (chosen.length === 0) return null;
  return `${isPlural(spoken) ? capital(spoken) : 'Values'} include ${listed(chosen, 'and')}.`;
}
