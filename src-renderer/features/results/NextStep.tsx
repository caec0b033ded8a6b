import { Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { Link } from 'react-router';
import { splitToolId } from '../../../src-shared/domain/labels.ts';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { firstCharacters } from '../../ui/text/visibleText.ts';
import { fixLink } from './links.ts';

const maxNameLength = 40;

interface FixToolProps {
  evaluationId: string;
  /** Where a run went wrong; null: it isn't known. */
  wrong: { expected: string | null; called: string | null } | null | undefined;
  /** The model whose run it is; null where runs of all are meant. */
  model?: string | null;
  variant?: 'filled' | 'default';
  size?: 'sm' | 'compact-sm';
}

/** Leads to the editor of the tool that was expected at a wrong step, or else of the called one. */
export function FixTool({
  evaluationId,
  wrong,
  model = null,
  variant = 'default',
  size = 'sm',
}: FixToolProps) {
  const tool = wrong?.expected ?? wrong?.called;
  // A name that the model made up is no tool.
  if (tool == null || !tool.includes(':')) return null;
  return (
    <Button
      component={Link}
      to={fixLink(evaluationId, tool, { model })}
      variant={variant}
      size={size}
      leftSection={<IconWand size={16} aria-hidden />}
    >
      {/* One item of the label, or the space would be lost. */}
      <span>
        Fix <PlainText text={firstCharacters(splitToolId(tool).tool, maxNameLength)} />
      </span>
    </Button>
  );
}

/** Why an evaluation ended early, where the next step is to resume it. */
export function NotFinished({ reason }: { reason: string | null }) {
  return (
    <>
      <b>Not finished.</b>{' '}
      <Foreign text={reason ?? 'Resume runs only what is missing.'} limit={400} />
    </>
  );
}
