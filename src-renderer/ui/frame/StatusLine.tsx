import { Progress } from '@mantine/core';
import { Link } from 'react-router';
import { Action } from '../fields/controls.tsx';
import { TextParts, visibleText } from '../text/Foreign.tsx';
import classes from './AppFrame.module.css';
import { StatusBadge, type StatusTone } from '../badges/StatusBadge.tsx';

export interface RunningWork {
  label: string;
  to: string;
  /** Whole percent, 0–100; null while the amount is not known. */
  percent: number | null;
  cancelling: boolean;
  onCancel: () => void;
}

export interface StatusLineProps {
  workspace: string;
  connection: { tone: StatusTone; label: string };
  running: RunningWork | null;
}

/** The bottom line: the workspace, the connection to the core, and the running evaluation. */
export function StatusLine({ workspace, connection, running }: StatusLineProps) {
  return (
    <footer className={classes.status}>
      <span className="ts-cut" title={visibleText(workspace)}>
        <TextParts text={workspace} />
      </span>
      <span className={classes.statusItem} role="status">
        <StatusBadge {...connection} />
      </span>
      {running !== null && <Running {...running} />}
    </footer>
  );
}

function Running({ label, to, percent, cancelling, onCancel }: RunningWork) {
  return (
    <span className={classes.running}>
      <Link to={to} className="ts-cut" title={visibleText(label)}>
        <TextParts text={label} />
      </Link>
      <span className="ts-number">{percent === null ? 'starting' : `${percent}%`}</span>
      <Progress
        value={percent ?? 0}
        w={120}
        size={6}
        aria-label={visibleText(`Progress of ${label}`)}
      />
      <Action
        label={cancelling ? 'Canceling' : 'Cancel'}
        size="compact-xs"
        variant="subtle"
        color="gray"
        c="var(--ts-ink)"
        onClick={onCancel}
        disabled={cancelling}
      />
    </span>
  );
}
