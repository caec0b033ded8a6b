import type { JsonValue } from '../../src-shared/domain/json.ts';
import { isCorrectUnit, NO_TOOL, PHANTOM, toolsOfLabel } from '../../src-shared/domain/labels.ts';
import type { ConfusionUnit } from '../../src-shared/domain/score.ts';
import type { OfferedTool } from './scoreInput.ts';
import { pick, wordsOf, wordsOfTexts, wordsOfTool } from './words.ts';

/** One wrong choice of tools, with the words that may have caused it. */
export interface ChoiceFault {
  /** Null if no call was expected. */
  expected: string | null;
  /** Null if nothing was called. */
  selected: string | null;
  /** True if the called name was never offered. */
  phantom: boolean;
  /**
   * Words of the query that only the expected tool uses, that only the selected tool uses, and that
   * neither uses. Words of the expected arguments are left out: they are what the request is about.
   */
  queryOnlyExpected: string[];
  queryOnlySelected: string[];
  queryNowhere: string[];
  /** Words that both tools use, those of the query first. */
  shared: string[];
}

/** A call to an expected tool, or no call where none was due. */
function isNothingWrong(unit: ConfusionUnit): boolean {
  return unit.expected === unit.selected || isCorrectUnit(unit);
}

/**
 * Turns the wrong units of a run into faults with their words. Units on the diagonal and repeats
 * are left out.
 */
export function findFaults(
  units: readonly ConfusionUnit[],
  query: string,
  tools: ReadonlyMap<string, OfferedTool>,
  expectedArguments: JsonValue,
): ChoiceFault[] {
  const asked = wordsOf(query);
  let values: ReadonlySet<string> | null = null;
  const seen = new Set<string>();
  const faults: ChoiceFault[] = [];
  for (const unit of units) {
    const key = JSON.stringify(unit);
    if (isNothingWrong(unit) || seen.has(key)) continue;
    seen.add(key);
    const wordsFor = (label: string): ReadonlySet<string> =>
      new Set(
        toolsOfLabel(label).flatMap((id) => {
          const tool = tools.get(id);
          return tool ? [...wordsOfTool(tool)] : [];
        }),
      );
    const [right, wrong] = [wordsFor(unit.expected), wordsFor(unit.selected)];
    const inQuery = new Set(asked);
    const content = (values ??= wordsOfTexts(expectedArguments));
    const common = new Set([...right].filter((word) => wrong.has(word)));
    faults.push({
      expected: unit.expected === NO_TOOL ? null : unit.expected,
      selected: unit.selected === NO_TOOL ? null : unit.selected,
      phantom: unit.selected === PHANTOM,
      queryOnlyExpected: pick(asked, (word) => right.has(word) && !wrong.has(word)),
      queryOnlySelected: pick(asked, (word) => wrong.has(word) && !right.has(word)),
      queryNowhere: pick(
        asked,
        (word) => !wrong.has(word) && !right.has(word) && !content.has(word),
      ),
      shared: pick(
        [
          ...asked.filter((word) => common.has(word)),
          ...[...common].filter((word) => !inQuery.has(word)),
        ],
        () => true,
      ),
    });
  }
  return faults;
}
