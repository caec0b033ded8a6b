import { Button, Menu } from '@mantine/core';
import {
  IconArrowsDiff,
  IconChartLine,
  IconDots,
  IconPlayerStop,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { Listed } from '../list/listed.ts';
import { useActions } from '../useActions.ts';

interface ResultActionsProps {
  one: Listed;
  /** What an ended evaluation offers first. */
  first: ReactNode;
  /** The sides that a comparison begins with. */
  compared: { base: string; with?: string };
  /** Saves a report of an ended evaluation. */
  exports: ReactNode;
  /** The suite whose trend is shown, by its id or else its name. */
  suite: string;
  /** Entries of the menu before the trend, and after it. */
  before?: ReactNode;
  after?: ReactNode;
}

/** What can be done with a result: stopped while it runs, then compared, exported and more. */
export function ResultActions(props: ResultActionsProps) {
  const { one, first, compared, exports, suite, before, after } = props;
  const { id, state } = one.evaluation;
  const navigate = useNavigate();
  const { cancel, remove } = useActions(one.unit, () => void navigate('/results'));
  const trend = { suite, ...(one.unit === 'task' && { of: 'task' }) };
  return (
    <>
      {hasEnded(state) ? (
        <>
          {first}
          <Button
            component={Link}
            to={`/results/compare?${new URLSearchParams(compared).toString()}`}
            variant="default"
            leftSection={<IconArrowsDiff size={16} aria-hidden />}
          >
            Compare
          </Button>
          {exports}
        </>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          loading={cancel.isPending}
          onClick={() => {
            cancel.mutate(id);
          }}
        >
          Cancel
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px="xs" aria-label="More actions">
            <IconDots size={18} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {before}
          <Menu.Item
            component={Link}
            to={`/results/trend?${new URLSearchParams(trend).toString()}`}
            leftSection={<IconChartLine size={16} aria-hidden />}
          >
            Trend of the suite
          </Menu.Item>
          {after}
          <Menu.Item
            color="vermilion"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              remove.mutate(id);
            }}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
