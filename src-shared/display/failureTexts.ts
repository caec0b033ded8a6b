import type { CauseGroup } from '../domain/verdict.ts';
import { counted, formatCount } from './numbers.ts';
import { causeTitle, toolText, type RichText } from './verdictTexts.ts';

/** A cause below the tool that it points to: "`update_task` called", "no tool called". */
export function causeWithin(
  cause: Pick<CauseGroup, 'outcome' | 'expected' | 'called'>,
  tool: string | null,
  severalServers: boolean,
): RichText {
  const called = { code: toolText(cause.called, severalServers) };
  if (tool === null) return causeTitle(cause, severalServers);
  switch (cause.outcome) {
    case 'wrong_tool':
      return [called, ' called'];
    case 'no_tool_called':
      return ['no tool called'];
    case 'missing_call':
      return ['call missing'];
    case 'wrong_arguments':
      return ['wrong arguments'];
    case 'unneeded_call':
      return cause.called === tool
        ? ['called where no call fits']
        : [called, ' called in addition'];
    case 'made_up_tool':
      return ['called a tool that was not offered'];
  }
}

/** The counts of each model, the first ones named: `in 6 cases with a, 9 with b, and 2 with c`. */
export function whereByModel(
  counts: readonly { name: string; runs: number }[],
  noun: 'case' | 'task' | 'run',
): string {
  const parts = counts
    .filter(({ runs }) => runs > 0)
    .map(
      ({ name, runs }, at) => `${at === 0 ? counted(runs, noun) : formatCount(runs)} with ${name}`,
    );
  const last = parts.pop() ?? counted(0, noun);
  if (parts.length === 0) return `in ${last}`;
  return `in ${parts.join(', ')}${parts.length > 1 ? ',' : ''} and ${last}`;
}
