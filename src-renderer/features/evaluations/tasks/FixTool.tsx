import { Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { Link } from 'react-router';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { taskFixLink } from './taskLinks.ts';

interface FixToolProps {
  evaluationId: string;
  /** Where a run went wrong; null: it isn't known. */
  wrong: { expected: string | null; called: string | null } | null | undefined;
  variant?: 'filled' | 'default';
  size?: 'sm' | 'compact-sm';
}

/** Leads to the editor of the tool that was expected at a wrong step, or else of the called one. */
export function FixTool({ evaluationId, wrong, variant = 'default', size = 'sm' }: FixToolProps) {
  const tool = wrong?.expected ?? wrong?.called;
  // A name that the model made up is no tool.
  if (tool == null || !tool.includes(':')) return null;
  return (
    <Button
      component={Link}
      to={taskFixLink(evaluationId, tool)}
      variant={variant}
      size={size}
      leftSection={<IconWand size={16} aria-hidden />}
    >
      Fix <Foreign text={splitToolId(tool).tool} />
    </Button>
  );
}
