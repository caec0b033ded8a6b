import type { SignalGroup } from '../../../../src-shared/display/signalGroups.ts';
import { subjectName } from '../../../../src-shared/display/signalTexts.ts';
import { severityRank } from '../../../../src-shared/domain/severity.ts';
import { SeverityBadge } from '../../../ui/badges/SeverityBadge.tsx';
import type { Column } from '../../../ui/table/DataTable.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { Cut } from '../../../ui/text/Cut.tsx';
import classes from './signals.module.css';
import { codeColumn } from '../../../ui/table/columns.tsx';

/** One row per cause and tool: how severe, what it does, where, and how often it matches. */
export const signalColumns: Column<SignalGroup>[] = [
  {
    id: 'severity',
    header: 'Severity',
    hint: 'How much damage it could do if it is an attack. Low is worth knowing, not an alarm.',
    width: 110,
    sortValue: ({ severity }) => -severityRank[severity],
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  },
  {
    id: 'cause',
    header: 'Signal',
    width: 'minmax(240px, 3fr)',
    sortValue: ({ title }) => title,
    cell: ({ title, findings: [first] }) => (
      <div className={classes.row}>
        <b>{title}</b>
        <span>
          <Cut text={first.why} />
        </span>
      </div>
    ),
  },
  codeColumn(
    'tool',
    'Tool',
    'minmax(140px, 2fr)',
    ({ scanned }) => subjectName(scanned.server, scanned.tool),
    { hint: 'The tool, the prompt, the resource, or the instructions of the server.' },
  ),
  {
    id: 'firstSeen',
    spare: 2,
    header: 'First seen',
    hint: 'The first listing of the server that had this text.',
    width: 130,
    sortValue: ({ scanned }) => scanned.firstSeenAt ?? '',
    cell: ({ scanned }) => <Time iso={scanned.firstSeenAt} focusable={false} />,
  },
  {
    id: 'matches',
    spare: 1,
    header: 'Matches',
    width: 100,
    align: 'right',
    sortValue: ({ findings }) => findings.length,
    cell: ({ findings }) => <span className="ts-number">{findings.length}</span>,
  },
];
