import type { JsonObject, JsonValue } from '../domain/json.ts';
import { useOf } from '../domain/expectedCalls.ts';
import type { CallsCheck, ExpectedUse } from '../domain/task.ts';
import { cut, maxValueLength } from './callDifferences.ts';
import { expectedWords } from './matcherWords.ts';
import { formatCount } from './numbers.ts';
import { plainText } from './verdictTexts.ts';

export const inWords = (value: JsonValue): string =>
  plainText(expectedWords(JSON.stringify(value)));

/** Arguments by name, long ones cut: `title: contains "milk"`. */
export const argumentTexts = (values: JsonObject, write = inWords): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${cut(write(value), maxValueLength)}`)
    .join(', ');

/** How often a tool is called: "at least 2 times", "at most once"; empty for at least once. */
function countText(least: number, most: number | undefined): string {
  const times = (count: number) => (count === 1 ? 'once' : `${formatCount(count)} times`);
  if (least === most) return ` ${times(least)}`;
  if (most === undefined) return least === 1 ? '' : ` at least ${times(least)}`;
  return least <= 1
    ? ` at most ${times(most)}`
    : ` ${formatCount(least)} to ${formatCount(most)} times`;
}

/** Calls that a check looks for: `add_task(title: contains "milk") at least 2 times`. */
export function useText(entry: ExpectedUse): string {
  const { tool, arguments: args, at_least: least = 1, at_most: most } = useOf(entry);
  return `${tool}${args === undefined ? '' : `(${argumentTexts(args)})`}${countText(least, most)}`;
}

/** Calls that must be made, groups in brackets: `look_up, (add_tag, add_note), complete_task`. */
export const requiredText = (groups: readonly (readonly ExpectedUse[])[]): string =>
  groups
    .map((group) => group.map(useText).join(', '))
    .map((text, at) => ((groups[at]?.length ?? 0) > 1 ? `(${text})` : text))
    .join(', ');

/** What a check says of all calls: `2 to 5 calls`, `no repeated call`, `never its own Bash`. */
export const numberTexts = ({
  total,
  repeats,
  neverOwn,
}: Pick<CallsCheck, 'total' | 'repeats' | 'neverOwn'>): string[] => [
  ...(total ? [`calls${countText(total.at_least ?? 0, total.at_most)}`] : []),
  ...(repeats === false ? ['no repeated call'] : []),
  ...(neverOwn ? [`never its own ${neverOwn.join(', ')}`] : []),
];
