import { Anchor } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Evaluation, RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import { isCorrectUnit } from '../../../../../src-shared/domain/labels.ts';
import { failureOutcomes, type FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import type { FailureGroup, Failures, Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { causeTitle, quoted, toolText } from '../../../../../src-shared/display/verdictTexts.ts';
import { toolOfCause } from '../../../../../src-shared/metrics/toolsToFix.ts';
import { OutcomeMark } from '../../../../ui/outcome/OutcomeMark.tsx';
import { MarkedWords } from '../../../../ui/text/MarkedWords.tsx';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import { formatCount } from '../../../../ui/estimate/format.ts';
import { counted } from '../../../../ui/text/words.ts';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { nameModels } from '../../modelNames.ts';
import { openGroups } from '../../openGroups.ts';
import { CaseMarks, MarkHeads, maxMarkColumns } from './CaseMarks.tsx';
import classes from './failures.module.css';
import { fixLink } from '../../links.ts';
import { type ResultAddress, writeAddress } from './resultAddress.ts';

interface FailureGroupsProps {
  evaluation: Evaluation;
  failures: Failures;
  verdict: Verdict;
  address: ResultAddress;
  onCause: (cause: FailureCause) => void;
}

/** The failing requests by cause. Causes with a single run share the last group. */
export function FailureGroups(props: FailureGroupsProps) {
  const { evaluation, failures, verdict } = props;
  const frequent = failures.groups.filter(({ runs }) => runs > 1);
  const single = failures.groups.filter(({ runs }) => runs === 1);
  const together = frequent.length > 0 && single.length > 1;
  const groups = together ? frequent : failures.groups;
  const columns = hasMarkColumns(props);
  const open = openGroups([
    ...groups.map(({ rows }) => linesOf(rows, columns).length),
    ...(together ? [single.length] : []),
  ]);
  const noun = verdict.unit.slice(0, -1);
  if (failures.groups.length === 0) return <p className={classes.why}>No failures match.</p>;
  return (
    <div
      data-columns={columns || undefined}
      className={classes.groups}
      style={{ '--models': evaluation.models.length } as CSSProperties}
    >
      {columns && <MarkHeads models={evaluation.models} />}
      {groups.map((group, at) => (
        <Group
          key={`${group.outcome} ${group.expected} ${group.called}`}
          {...props}
          group={group}
          openFirst={open[at] ?? false}
        />
      ))}
      {together && (
        <Fold
          title={`Other causes, 1 ${noun} each`}
          note={counted(single.length, noun)}
          openFirst={open.at(-1) ?? false}
        >
          <ul className={classes.requests}>
            {linesOf(
              single.flatMap(({ rows }) => rows),
              columns,
            ).map((row) => (
              <Request key={row.runId} {...props} row={row} marked={!columns} />
            ))}
          </ul>
        </Fold>
      )}
      {failures.moreCauses > 0 && (
        <p className={classes.why}>
          {counted(failures.moreCauses, 'more cause')}
          {/* The most frequent causes come first, so what is beyond a single case is no more. */}
          {single.length > 0 && ` with 1 ${noun} each`}. All cases lists every failure.
        </p>
      )}
    </div>
  );
}

/** Whether each model has a column of marks: then a case is one line, whatever failed in it. */
function hasMarkColumns({ evaluation, failures }: FailureGroupsProps): boolean {
  return failures.cases.length > 0 && evaluation.models.length <= maxMarkColumns;
}

/** The runs that get a line: with columns per model, the first one of each case. */
function linesOf(rows: readonly RunRow[], columns: boolean): readonly RunRow[] {
  if (!columns) return rows;
  const seen = new Set<number>();
  return rows.filter(({ position }) => !seen.has(position) && seen.add(position));
}

function Group({
  group,
  openFirst,
  ...props
}: FailureGroupsProps & { group: FailureGroup; openFirst: boolean }) {
  const { verdict, evaluation, onCause } = props;
  const fixable = toolOfCause(group);
  const rest = group.runs - group.rows.length;
  return (
    <Fold
      mark={<OutcomeMark outcome={group.outcome} />}
      title={<RichSentence text={causeTitle(group, verdict.severalServers)} />}
      note={counted(group.runs, verdict.unit.slice(0, -1))}
      openFirst={openFirst}
      {...(fixable === null
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
          The description of{' '}
          <code>
            <PlainText text={toolText(group.expected, verdict.severalServers)} />
          </code>{' '}
          doesn’t say {quoted(group.missingWords)}.
        </p>
      )}
      <ul className={classes.requests}>
        {linesOf(group.rows, hasMarkColumns(props)).map((row) => (
          <Request
            key={row.runId}
            {...props}
            row={row}
            cause={{ outcome: group.outcome, expected: group.expected, called: group.called }}
            words={group.missingWords}
          />
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
  /** The cause that next and previous stay within; all failures if missing. */
  cause?: FailureCause;
  /** Words to underline. */
  words?: readonly string[];
  /** True if the outcome of the run is shown next to it. */
  marked?: boolean;
}

function Request(props: RequestProps) {
  const { evaluation, failures, address, row, cause, words = [], marked = false } = props;
  const marks = failures.cases.find(({ position }) => position === row.position)?.marks ?? [];
  const columns = hasMarkColumns(props);
  const note = noteOf(evaluation, row, columns);
  return (
    <li>
      <Link
        className={classes.request}
        to={`/results/${evaluation.id}/runs/${row.runId}?${writeAddress(failureAddress(address, cause)).toString()}`}
      >
        {marked && <OutcomeMark outcome={row.outcome} />}
        <span className={classes.query}>
          <MarkedWords text={row.query} words={words} />
        </span>
        {note !== '' && (
          <span className={classes.tag}>
            <PlainText text={note} />
          </span>
        )}
        {columns && <CaseMarks models={evaluation.models} marks={marks} />}
      </Link>
    </li>
  );
}

/** The failures in the order in which next and previous step through them. */
function failureAddress(address: ResultAddress, cause: FailureCause | null = null): ResultAddress {
  return {
    ...address,
    outcomes: cause === null ? failureOutcomes : [],
    cause,
    cell: null,
    at: null,
  };
}

/** Which run of the case it is, and how many of several expected calls were made. */
function noteOf(evaluation: Evaluation, row: RunRow, columns: boolean): string {
  const parts: string[] = [];
  if (row.expected.length > 1) {
    const made = row.units.filter(isCorrectUnit).length;
    parts.push(`${formatCount(made)} of ${counted(row.expected.length, 'call')} made`);
  }
  if (evaluation.models.length > 1 && !columns)
    parts.push(nameModels(evaluation.models).get(row.modelSettingsId) ?? '');
  if (evaluation.settings.repetitions > 1) parts.push(`repetition ${row.repetition}`);
  return parts.filter((part) => part !== '').join(' · ');
}
