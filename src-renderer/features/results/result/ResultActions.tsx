import { Menu } from '@mantine/core';
import { IconChartLine, IconPlayerStop, IconTrash, IconWand } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import { MoreAction, MoreActions } from '../../../ui/fields/choices.tsx';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import {
  formatsBySubject,
  reportFileName,
  subjectOfUnit,
} from '../../../../src-shared/domain/report.ts';
import { ExportMenu } from '../../../saving/ExportMenu.tsx';
import { useSaveReport } from '../../../saving/useSaveReport.ts';
import type { CompareAddress } from '../compare/compareAddress.ts';
import type { Listed } from '../list/listed.ts';
import classes from '../evaluations.module.css';
import { useActions } from '../useActions.ts';

interface ResultActionsProps {
  one: Listed;
  /** What an ended evaluation offers first. */
  first?: ReactNode;
  /** The model that an estimate or a search begins with. */
  model: string | null;
  /** The comparison that is open, which has a report of its own. */
  compared: CompareAddress | null;
  /** Entries of the menu before the trend, and after it. */
  before?: ReactNode;
  after?: ReactNode;
}

/** What can be done with a result: stopped while it runs, then compared, exported and more. */
export function ResultActions(props: ResultActionsProps) {
  const { one, first, model, compared, before, after } = props;
  const { id, number, state, suiteId, suiteName } = one.evaluation;
  const subject = subjectOfUnit[one.unit];
  const save = useSaveReport();
  const navigate = useNavigate();
  const { cancel, remove } = useActions(one.unit, {
    onDeleted: () => void navigate('/results'),
  });
  const query = model === null ? '' : `?${new URLSearchParams({ model }).toString()}`;
  return (
    <>
      {hasEnded(state) ? (
        <>
          {first}
          <Action label="Estimate a change" to={`/results/${id}/estimate${query}`} />
          <Action
            label="Search for better descriptions"
            to={`/results/${id}/search${query}`}
            className={classes.wide ?? ''}
          />
          {compared?.base == null && (
            <ExportMenu
              subject={subject}
              formats={formatsBySubject[subject]}
              pending={save.isPending}
              onChoose={({ format, short }) =>
                save.mutate({
                  fileName: reportFileName(one.unit, number, suiteName, format),
                  content: { from: 'evaluation', report: { id, format, short, stamp: null } },
                })
              }
            />
          )}
        </>
      ) : (
        <Action
          label="Cancel"
          icon={IconPlayerStop}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(id)}
        />
      )}
      <MoreActions>
        {hasEnded(state) && (
          <Menu.Item
            className={classes.narrow ?? ''}
            component={Link}
            to={`/results/${id}/search${query}`}
            leftSection={<IconWand size={16} aria-hidden />}
          >
            Search for better descriptions
          </Menu.Item>
        )}
        {before}
        <Menu.Item
          component={Link}
          // A suite that came from a file, or was deleted, has no page of its own.
          to={
            suiteId === null
              ? `/results?${new URLSearchParams({ suite: suiteName }).toString()}`
              : `/suites/${encodeURIComponent(suiteId)}`
          }
          leftSection={<IconChartLine size={16} aria-hidden />}
        >
          Trend of the suite
        </Menu.Item>
        {after}
        <MoreAction
          label="Delete"
          icon={IconTrash}
          color="vermilion"
          onClick={() => remove.mutate(id)}
        />
      </MoreActions>
    </>
  );
}
