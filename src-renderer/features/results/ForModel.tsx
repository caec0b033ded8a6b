import { Button, Menu } from '@mantine/core';
import { IconArrowRight, IconChevronDown } from '@tabler/icons-react';
import { Link } from 'react-router';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { visibleText } from '../../ui/text/visibleText.ts';

interface ModelChoice {
  id: string;
  name: string;
}

interface ForModelProps {
  /** What is done: `Fix`. */
  verb: string;
  /** To what; its name is left out of a button that stands beside it. */
  name: string;
  named?: boolean;
  to: (model: string | null) => string;
  /** The models of the result; with several, one is chosen on the spot. */
  models: readonly ModelChoice[];
  preset: string | null;
  variant?: 'filled' | 'default';
  size?: 'sm' | 'compact-sm';
}

/** A link to what needs one model: beside it stand the other models where a result has several. */
export function ForModel(props: ForModelProps) {
  const { verb, named = false, to, models, preset, variant = 'default', size = 'sm' } = props;
  const chosen = models.find(({ id }) => id === preset) ?? models[0];
  const several = models.length > 1;
  const name = visibleText(props.name);
  const forWhom = several && chosen !== undefined ? ` for ${visibleText(chosen.name)}` : '';
  const link = (
    <Button
      component={Link}
      to={to(chosen?.id ?? null)}
      variant={variant}
      size={size}
      // The words that are seen come first, as they are spoken to.
      aria-label={named || !several ? `${verb} ${name}${forWhom}` : `${verb}${forWhom}: ${name}`}
      {...(named && !several ? { rightSection: <IconArrowRight size={16} aria-hidden /> } : {})}
    >
      <span>
        {verb}
        {named && (
          <>
            {' '}
            <PlainText text={props.name} />
          </>
        )}
        {several && chosen !== undefined && (
          <>
            {' for '}
            <PlainText text={chosen.name} />
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
          <Button
            variant={variant}
            size={size}
            px={6}
            aria-label={`${verb} ${name} for another model`}
          >
            <IconChevronDown size={14} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {models.map((model) => (
            <Menu.Item key={model.id} component={Link} to={to(model.id)}>
              {verb} for <PlainText text={model.name} />
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
