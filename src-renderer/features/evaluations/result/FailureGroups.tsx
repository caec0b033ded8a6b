import { Anchor } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Evaluation, RunRow } from '../../../../src-shared/domain/evaluation.ts';
import { isAnyOf, isCorrectUnit, isToolLabel } from '../../../../src-shared/domain/labels.ts';
import { failureOutcomes, type FailureCause } from '../../../../src-shared/domain/outcome.ts';
import type { FailureGroup, Failures, Verdict } from '../../../../src-shared/domain/verdict.ts';
import { causeTitle } from '../../../../src-shared/display/verdictTexts.ts';
import { OutcomeMark } from '../../../ui/outcome/OutcomeMark.tsx';
import { MarkedWords } from '../../../ui/text/MarkedWords.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { counted } from '../../../ui/text/words.ts';
import { RichSentence } from '../../../ui/verdict/RichSentence.tsx';
import { nameModels } from '../modelNames.ts';
import classes from './failures.module.css';
import { fixLink } from './fixLink.ts';
import { type ResultAddress, writeAddress } from './resultAddress.ts';

interface FailureGroupsProps {
  evaluation: Evaluation;
  failures: Failures;
  verdict: Verdict;
  address: ResultAddress;
  onCause: (cause: FailureCause) => void;
}

/** This many groups are open at first; the others show their title. */
const openAtFirst = 4;

/** The failing requests by cause. Causes with a single run share the last group. */
export function FailureGroups(props: FailureGroupsProps) {
  const { failures, verdict } = props;
  const frequent = failures.groups.filter(({ runs }) => runs > 1);
  const single = failures.groups.filter(({ runs }) => runs === 1);
  const together = frequent.length > 0 && single.length > 1;
  const groups = together ? frequent : failures.groups;
  if (failures.groups.length === 0) return <p className={classes.why}>No failures match.</p>;
  return (
    <>
      {groups.map((group, at) => (
        <Group
          key={`${group.outcome} ${group.expected} ${group.called}`}
          {...props}
          group={group}
          openFirst={at < openAtFirst}
        />
      ))}
      {together && (
        <Fold
          title="Other causes"
          note={`${counted(single.length, verdict.unit.slice(0, -1))}, each with its own cause`}
          openFirst={groups.length < openAtFirst}
        >
          <ul className={classes.requests}>
            {single.flatMap((group) =>
              group.rows.map((row) => <Request key={row.runId} {...props} row={row} marked />),
            )}
          </ul>
        </Fold>
      )}
      {failures.moreCauses > 0 && (
        <p className={classes.why}>
          {counted(failures.moreCauses, 'more cause')}. All cases has every failure.
        </p>
      )}
    </>
  );
}

function Group({
  group,
  openFirst,
  ...props
}: FailureGroupsProps & { group: FailureGroup; openFirst: boolean }) {
  const { verdict, evaluation, onCause } = props;
  const fixable = [group.expected, group.called].find(
    (label) => isToolLabel(label) && !isAnyOf(label),
  );
  const rest = group.runs - group.rows.length;
  return (
    <Fold
      mark={<OutcomeMark outcome={group.outcome} />}
      title={<RichSentence text={causeTitle(group, verdict.severalServers)} />}
      note={counted(group.runs, verdict.unit.slice(0, -1))}
      openFirst={openFirst}
      {...(fixable === undefined
        ? {}
        : {
            action: (
              <Anchor
                component={Link}
                to={fixLink(evaluation.id, fixable)}
                size="xs"
                fw={600}
                px={8}
              >
                Fix
              </Anchor>
            ),
          })}
    >
      {group.missingWords.length > 0 && (
        <p className={classes.why}>
          Not in its description: {group.missingWords.map((word) => `“${word}”`).join(', ')}
        </p>
      )}
      <ul className={classes.requests}>
        {group.rows.map((row) => (
          <Request key={row.runId} {...props} row={row} words={group.missingWords} />
        ))}
        {rest > 0 && (
          <li className={classes.why}>
            <Anchor
              component="button"
              type="button"
              size="xs"
              onClick={() => {
                const { outcome, expected, called } = group;
                onCause({ outcome, expected, called });
              }}
            >
              Show {counted(rest, 'more run')}
            </Anchor>
          </li>
        )}
      </ul>
    </Fold>
  );
}

function Fold({
  mark,
  title,
  note,
  action,
  openFirst,
  children,
}: {
  mark?: ReactNode;
  title: ReactNode;
  note: string;
  action?: ReactNode;
  openFirst: boolean;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(openFirst);
  return (
    <div className={classes.group}>
      <div className={classes.groupHead}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          onClick={() => {
            setOpen(!open);
          }}
        >
          <IconChevronRight size={14} stroke={2.2} aria-hidden className={classes.chevron} />
          {mark}
          <span className={classes.groupTitle}>{title}</span>
          <span className={classes.groupCount}>{note}</span>
        </button>
        {action}
      </div>
      {open && children}
    </div>
  );
}

interface RequestProps extends FailureGroupsProps {
  row: RunRow;
  /** Words to underline. */
  words?: readonly string[];
  /** True if the outcome of the run is shown next to it. */
  marked?: boolean;
}

function Request({ evaluation, address, row, words = [], marked = false }: RequestProps) {
  return (
    <li>
      <Link
        className={classes.request}
        to={`/evaluations/${evaluation.id}/runs/${row.runId}?${writeAddress(failureAddress(address)).toString()}`}
      >
        {marked && <OutcomeMark outcome={row.outcome} />}
        <span className={classes.query}>
          <MarkedWords text={row.query} words={words} />
        </span>
        <span className={classes.tag}>
          <PlainText text={noteOf(evaluation, row)} />
        </span>
      </Link>
    </li>
  );
}

/** The failures in the order in which next and previous step through them. */
function failureAddress(address: ResultAddress): ResultAddress {
  return { ...address, outcomes: failureOutcomes, cause: null, cell: null, at: null };
}

/** Which run of the case it is, and how many of several expected calls were made. */
function noteOf(evaluation: Evaluation, row: RunRow): string {
  const parts: string[] = [];
  if (row.expected.length > 1) {
    const made = row.units.filter(isCorrectUnit).length;
    parts.push(`${made} of ${row.expected.length} calls made`);
  }
  if (evaluation.models.length > 1)
    parts.push(nameModels(evaluation.models).get(row.modelSettingsId) ?? '');
  if (evaluation.settings.repetitions > 1) parts.push(`repetition ${row.repetition}`);
  return parts.filter((part) => part !== '').join(' · ');
}
