import { Button, Menu } from '@mantine/core';
import { IconArrowRight, IconChevronDown } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Action } from '../../ui/fields/controls.tsx';
import { candidateAddress } from '../../../src-shared/display/toolAddresses.ts';
import { provenText } from '../../../src-shared/display/candidateTexts.ts';
import { splitToolId } from '../../../src-shared/domain/labels.ts';
import { Foreign, PlainText, visibleText } from '../../ui/text/Foreign.tsx';
import { fixLink } from './links.ts';
import { useProven } from './result/useProven.ts';
import classes from './result/case/failures.module.css';

interface FixToolProps {
  evaluationId: string;
  /** Null, or a name that the model made up: nothing can be fixed. */
  tool: string | null;
  /** What it is called, if not by its own name alone. */
  name?: string;
  /** The models that fail by it; with several, one is chosen on the spot. */
  models: readonly { id: string; label: string }[];
  preset: string | null;
  /** The button of the next step: it names the tool. */
  prominent?: 'filled' | 'default';
}

/** A proven fix of a tool, or else the way to its editor, for one of the models that fail. */
export function FixTool({ evaluationId, tool, models, preset, prominent, ...props }: FixToolProps) {
  const proven = useProven();
  if (tool?.includes(':') !== true) return null;
  const arrow = { rightSection: <IconArrowRight size={16} aria-hidden /> };
  const fix = proven.get(tool);
  if (fix !== undefined)
    return prominent === undefined ? (
      <Link className={classes.proven} to={candidateAddress(fix)}>
        {provenText(fix)}
      </Link>
    ) : (
      <Action label="Open proven fix" to={candidateAddress(fix)} variant={prominent} {...arrow} />
    );
  const { name = splitToolId(tool).tool } = props;
  const spoken = visibleText(name);
  const to = (model: string | null): string => fixLink(evaluationId, tool, { model });
  const chosen = models.find(({ id }) => id === preset) ?? models[0];
  const named = prominent !== undefined;
  const look = named ? { variant: prominent } : { variant: 'default', size: 'compact-sm' };
  const several = models.length > 1 ? chosen : undefined;
  const forWhom = several === undefined ? '' : ` for ${visibleText(several.label)}`;
  const link = (
    <Button
      component={Link}
      to={to(chosen?.id ?? null)}
      {...look}
      // The words that are seen come first, as they are spoken to.
      aria-label={named || !several ? `Fix ${spoken}${forWhom}` : `Fix${forWhom}: ${spoken}`}
      {...(named && !several && arrow)}
    >
      <span>
        Fix
        {named && (
          <>
            {' '}
            <PlainText text={name} />
          </>
        )}
        {several && (
          <>
            {' for '}
            <PlainText text={several.label} />
          </>
        )}
      </span>
    </Button>
  );
  if (!several) return link;
  return (
    <Button.Group>
      {link}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button {...look} px={6} aria-label={`Fix ${spoken} for another model`}>
            <IconChevronDown size={14} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {models.map(({ id, label }) => (
            <Menu.Item key={id} component={Link} to={to(id)}>
              Fix for <PlainText text={label} />
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
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
