import { counted, formatPercent } from './numbers.ts';
import { NO_TOOL } from '../domain/labels.ts';
import type { CauseGroup, Verdict } from '../domain/verdict.ts';
import { toolsToFix } from '../metrics/toolsToFix.ts';
import { biggestCause, scoredOf, toolText, type RichText } from './verdictTexts.ts';

/** What happened to the tool that is to be fixed, which the sentence before has named. */
function whatHappened(cause: CauseGroup, { unit, severalServers }: Verdict): RichText {
  const where = `in ${countedRuns(cause.runs, unit)}`;
  const need = cause.runs === 1 ? 'that needs' : 'that need';
  const called = { code: toolText(cause.called, severalServers) };
  switch (cause.outcome) {
    case 'wrong_tool':
      return [called, ` was called instead ${where}`];
    case 'no_tool_called':
      return [`It was not called ${where}`];
    case 'missing_call':
      return [`It was left out ${where} ${need} several calls`];
    case 'wrong_arguments':
      return [`It was called with wrong arguments ${where}`];
    case 'unneeded_call':
      return cause.expected === NO_TOOL
        ? [`It was called ${where} ${need} no such call`]
        : [called, ` was called in addition ${where}`];
    case 'made_up_tool':
      return [`A tool that was not offered was called instead ${where}`];
  }
}

function countedRuns(count: number, unit: Verdict['unit']): string {
  return counted(count, unit === 'cases' ? 'case' : 'run');
}

/**
 * What to do after an evaluation: the tool to fix, why, and what that is worth. Null if nothing
 * failed.
 */
export function nextStepText(verdict: Verdict): { text: RichText; tool: string | null } | null {
  const [first, ...others] = verdict.causes;
  const cause = biggestCause(verdict);
  if (!first || !cause) return null;
  if (cause.tool === null) return cause;
  const noun = verdict.unit === 'cases' ? 'case' : 'run';
  const alike = others.filter(({ outcome }) => outcome === first.outcome);
  // Only a missed tool is compared with other tools: other causes have two tools each.
  const most =
    first.outcome === 'no_tool_called' &&
    alike.length > 0 &&
    alike.every(({ runs }) => runs < first.runs)
      ? ', more than any other tool'
      : '';
  const rate = formatPercent((verdict.counts.passed + first.runs) / scoredOf(verdict.counts));
  const fixing = first.runs === 1 ? `Fixing this ${noun}` : `Fixing these ${first.runs}`;
  // Models have rates of their own, which one sentence can't add up.
  const worth = verdict.models.length > 1 ? '' : ` ${fixing} would raise the pass rate to ${rate}.`;
  // One cause is the largest, but the tool may have more of them: Fixes lists all of its failures.
  const all = toolsToFix(verdict.causes).find(({ tool }) => tool === cause.tool)?.runs ?? 0;
  const rest =
    all > first.runs ? ` The tool has ${counted(all - first.runs, `more failing ${noun}`)}.` : '';
  return {
    text: [
      'fix ',
      { code: toolText(cause.tool, verdict.severalServers) },
      '. ',
      ...whatHappened(first, verdict),
      `${most}.${worth}${rest}`,
    ],
    tool: cause.tool,
  };
}
