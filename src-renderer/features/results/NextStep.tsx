import { Button } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { candidateAddress } from '../../../src-shared/display/toolAddresses.ts';
import { provenText } from '../../../src-shared/display/candidateTexts.ts';
import { splitToolId } from '../../../src-shared/domain/labels.ts';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { ForModel } from './ForModel.tsx';
import { fixLink } from './links.ts';
import { useProven } from './result/useProven.ts';
import classes from './result/case/failures.module.css';

interface FixToolProps {
  evaluationId: string;
  /** Null, or a name that the model made up: nothing can be fixed. */
  tool: string | null;
  /** The models that fail by it; one is chosen on the spot. */
  models: readonly { id: string; label: string }[];
  preset: string | null;
  /** The button of the next step: it names the tool. */
  prominent?: 'filled' | 'default';
}

/** A proven fix of a tool, or else the way to its editor, for one of the models that fail. */
export function FixTool({ evaluationId, tool, models, preset, prominent }: FixToolProps) {
  const proven = useProven();
  if (tool?.includes(':') !== true) return null;
  const fix = proven.get(tool);
  if (fix !== undefined) {
    const to = candidateAddress(fix);
    return prominent === undefined ? (
      <Link className={classes.proven} to={to}>
        {provenText(fix)}
      </Link>
    ) : (
      <Button
        component={Link}
        to={to}
        variant={prominent}
        rightSection={<IconArrowRight size={16} aria-hidden />}
      >
        Open proven fix
      </Button>
    );
  }
  return (
    <ForModel
      verb="Fix"
      name={splitToolId(tool).tool}
      to={(model) => fixLink(evaluationId, tool, { model })}
      models={models.map(({ id, label }) => ({ id, name: label }))}
      preset={preset}
      {...(prominent === undefined
        ? { size: 'compact-sm' as const }
        : { named: true, variant: prominent })}
    />
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
