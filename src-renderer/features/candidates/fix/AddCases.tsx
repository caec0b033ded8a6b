import { Link } from 'react-router';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { ToolProblem } from '../../../../src-shared/domain/candidate.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';

/** Leads to proposals of cases for a tool. Tasks are written by hand. */
export function AddCases({
  problem: { unit, suiteId },
  toolId,
  cases,
}: {
  problem: ToolProblem;
  toolId: string;
  /** Left out where the number says only how little an edit does. */
  cases?: number;
}) {
  if (unit === 'task') return null;
  return (
    <Link
      to={
        suiteId === null
          ? '/suites'
          : `/suites/${suiteId}/propose?${new URLSearchParams({ tool: toolId }).toString()}`
      }
    >
      Add {cases === undefined ? 'cases' : counted(cases, 'case')} for{' '}
      <Foreign text={splitToolId(toolId).tool} />
    </Link>
  );
}

/** Whether a tool fails only where nobody may look: then there is nothing to write a fix for. */
export const onlyHeldOut = ({ failing, hiddenFailing }: ToolProblem): boolean =>
  failing.length === 0 && hiddenFailing > 0;
