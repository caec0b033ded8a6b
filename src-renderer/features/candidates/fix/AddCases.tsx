import { UnstyledButton } from '@mantine/core';
import { useNavigate } from 'react-router';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { addCasesAddress, editAddress } from '../../../../src-shared/display/toolAddresses.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { ToolProblem } from '../../../../src-shared/domain/candidate.ts';
import { showFailure } from '../../../ui/notices/notices.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import classes from './fix.module.css';
import type { Fix } from './useFix.ts';

/**
 * Leads to the grid that adds cases for a tool, with a way back to this edit, which is kept as a
 * candidate. Tasks are written by hand.
 */
export function AddCases(props: {
  fix: Fix;
  unit: ToolProblem['unit'];
  /** Null where no suite is known: then that of the server is next. */
  suiteId: string | null;
  /** Left out where the number says only how little an edit does. */
  cases?: number;
}) {
  const { fix, unit, suiteId, cases } = props;
  const navigate = useNavigate();
  const { toolId, modelSettingsId } = fix.target;
  if (unit === 'task') return null;
  return (
    <UnstyledButton
      className={classes.linkButton ?? ''}
      disabled={fix.keep.isPending}
      onClick={() =>
        fix.keep.mutate(undefined, {
          onError: showFailure,
          onSuccess: (candidate) => {
            // Without a result: what was run meanwhile is the one to go on with.
            const back = editAddress(toolId, { model: modelSettingsId, candidate });
            void navigate(addCasesAddress(toolId, suiteId, back));
          },
        })
      }
    >
      Add {cases === undefined ? 'cases' : counted(cases, 'case')} for{' '}
      <Foreign text={splitToolId(toolId).tool} />
    </UnstyledButton>
  );
}
