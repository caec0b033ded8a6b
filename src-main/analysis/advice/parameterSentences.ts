import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { contentTerms } from '../contentTerms.ts';
import { reads } from './nameSentence.ts';
import { isTelling, parameterNouns, type ParameterNoun } from './parameterNouns.ts';
import { capital, isPlural, listed } from './spoken.ts';
import { nameWords } from './useSentence.ts';

const maxListed = 4;
const stemsOf = (text: string): string[] => contentTerms(text).map(({ stem }) => stem);

const changes = new Set('change edit modify patch set update'.split(' '));

/** What else a call takes, besides what is said already. */
export function parameterSentences(
  tool: AnalysedTool,
  { said, verb }: { said: ReadonlySet<string>; verb: string | null },
): string[] {
  const all = parameterNouns(tool.inputSchema).filter((each) => !said.has(each.name));
  const choices = all.find((each) => each.choices.length > 0);
  const included = choices && verb !== null && reads.has(verb) ? choicesOf(tool, choices) : null;
  const told = all.filter((each) => isTelling(each) && !(included && each === choices));
  const needed = told.filter(({ required }) => required);
  const optional = told.filter(({ required }) => !required);
  const plain = new Set(optional.map(({ spoken }) => spoken.replace(/^new (?=.)/u, '')));
  const named = [...plain].slice(0, maxListed);
  const isShort = all.filter(({ required }) => !required).length === named.length;
  return [
    ...(included ? [included] : []),
    ...(needed.length > 0 && needed.length <= maxListed
      ? [`Takes the ${listed(needed.map(withValues), 'and')}.`]
      : []),
    ...(optional.length > 0 && verb !== null && changes.has(verb)
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

const withValues = ({ spoken, values }: ParameterNoun): string =>
  values.length > 0 ? `${spoken} (${listed(values)})` : spoken;
