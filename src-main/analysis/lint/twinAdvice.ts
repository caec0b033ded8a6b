import { adviceMessage } from '../../../src-shared/display/adviceTexts.ts';
import type { Advice } from '../../../src-shared/domain/advice.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { finishInTurns, type Steps } from '../../runtime/steps.ts';
import { advise } from '../advice/advise.ts';
import { saysDeprecated } from '../advice/pairAdvice.ts';
import { names } from '../advice/paste.ts';

const plainName = ({ name }: AnalysedTool): string =>
  name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Advice that follows from two definitions alone, by the id of each tool that it edits: the same
 * name on two servers, or a deprecated tool whose replacement is in the list. It comes from the
 * module that advises about failures and pairs, so that all pages say the same.
 */
export function* twinAdviceOf(
  tools: readonly AnalysedTool[],
  openSignals: ReadonlySet<string>,
): Steps<ReadonlyMap<string, Advice>> {
  const byName = Map.groupBy(tools, plainName);
  const taken = new Set(tools.map(({ server, name }) => toolId(server, name)));
  const found = new Map<string, Advice>();
  for (const tool of tools) {
    yield;
    const named = saysDeprecated.test(tool.description)
      ? tools.filter((other) => names(tool.description, other.name))
      : [];
    const own = toolId(tool.server, tool.name);
    for (const other of [...named, ...(byName.get(plainName(tool)) ?? [])]) {
      if (other === tool || found.has(own)) continue;
      const pairs = [{ a: 0, b: 1 }];
      const [piece] = advise({ tools: [tool, other], pairs, taken, openSignals });
      const isCertain = piece?.kind === 'same_name' || piece?.kind === 'deprecated_twin';
      if (isCertain && piece.edits.some((edit) => edit.toolId === own)) found.set(own, piece);
    }
  }
  return found;
}

/** What a piece of advice tells one of its tools to do. */
export function adviceFor(advice: Advice, id: string): string | undefined {
  const edit = advice.edits.find((each) => each.toolId === id);
  return edit && adviceMessage(advice, edit);
}

/** The tools that advice about twins concerns: before it is given, they are examined for signals. */
export async function toolsWithTwins(
  tools: readonly AnalysedTool[],
  signal: AbortSignal,
): Promise<AnalysedTool[]> {
  const advice = await finishInTurns(twinAdviceOf(tools, new Set()), signal);
  const concerned = new Set([...advice.values()].flatMap(({ toolIds }) => toolIds));
  return tools.filter(({ server, name }) => concerned.has(toolId(server, name)));
}
