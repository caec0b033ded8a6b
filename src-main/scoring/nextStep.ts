import type { Recommendation } from '../../src-shared/domain/score.ts';
import { toolsOfLabel } from '../../src-shared/domain/labels.ts';
import { lookAlike } from '../analysis/advice/pairAdvice.ts';
import { saysWhenToUse } from '../analysis/advice/failureAdvice.ts';
import type { ChoiceFault } from './confusions.ts';
import type { OfferedTool } from './scoreInput.ts';

/**
 * What to do about a wrong choice for which no rule gives a text: why there is none, and the next
 * step. Its priority is low, because a text that can be pasted is worth more.
 *
 * @param phantoms names that were called but never offered
 */
export function nextStep(
  { expected: label, selected, phantom }: ChoiceFault,
  tools: readonly OfferedTool[],
  phantoms: readonly string[],
): Recommendation {
  const expected = label === null ? null : (toolsOfLabel(label)[0] ?? label);
  const toolOf = (id: string | null) => tools.find(({ toolId }) => toolId === id);
  const say = (toolId: string | null, message: string): Recommendation => ({
    toolId,
    priority: 'low',
    message,
  });
  const madeUp = `“${phantoms[0] ?? selected ?? ''}”, which was not offered`;
  if (expected === null && phantom)
    return say(
      null,
      `The model called ${madeUp}, although no call was needed. No description prevents that: try another model.`,
    );
  if (expected === null) {
    const called = toolOf(selected);
    const why =
      called && saysWhenToUse(called.description)
        ? 'its description already says when to use it'
        : "its description doesn't begin with what it does";
    return say(
      selected,
      `No sentence can be suggested for ${selected}: ${why}. Say in its description when not to use it, or give it a narrower name, and check it before you change the server.`,
    );
  }
  const wanted = toolOf(expected);
  if (!wanted)
    return say(
      expected,
      `The model was not shown ${expected}. Show more tools, or rank them with another retriever.`,
    );
  if (phantom)
    return say(
      expected,
      `The model called ${madeUp}, instead of ${expected}. If people know the tool by that name, add it to the description of ${expected}. Otherwise, try another model.`,
    );
  if (selected === null)
    return say(
      expected,
      `No words can be suggested for ${expected}: its description has those of the request that could tell tools apart. Let a model write it in the editor, or check whether the case expects the right tool.`,
    );
  const called = toolOf(selected);
  if (called && lookAlike(wanted, called))
    return say(
      expected,
      `The names of ${expected} and ${selected} look the same. Rename one, or offer only one of them.`,
    );
  return say(
    selected,
    `The texts don't tell a model when to use ${expected} and when ${selected}, and only a person or a model can write that. Write in ${selected} what it is not for, name ${expected} there, and check it before you change the server.`,
  );
}
