import type { SignalGroup } from '../../../../src-shared/display/signalGroups.ts';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { serverSignalVerdict } from '../../../../src-shared/display/signalTexts.ts';
import type { ScanReport } from '../../../../src-shared/domain/security.ts';
import { severityRank } from '../../../../src-shared/domain/severity.ts';
import { SeverityIcon } from '../../../ui/badges/SeverityBadge.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import classes from './signals.module.css';

/**
 * One card for each server with signals or a problem, the most severe first: the headline and the
 * list of servers say which others there are. A card filters the list.
 */
export function ServerVerdicts(props: {
  report: ScanReport;
  groups: readonly SignalGroup[];
  chosen: string | null;
  onChoose: (server: string | null) => void;
}) {
  const { report, groups, chosen, onChoose } = props;
  const known = new Map(report.servers.map((server) => [server.name, server]));
  // The tools of a file belong to no registered server.
  const names = new Set([...known.keys(), ...report.tools.map(({ server }) => server)]);
  const cards = [...names]
    .map((name) => {
      const own = groups.filter(({ scanned }) => scanned.server === name);
      const [worst] = own;
      return { name, own, worst, ...known.get(name) };
    })
    .filter(({ name, worst, problem }) => worst !== undefined || problem || name === chosen)
    .sort(
      (a, b) =>
        (b.worst ? severityRank[b.worst.severity] : -1) -
          (a.worst ? severityRank[a.worst.severity] : -1) || a.name.localeCompare(b.name),
    );
  if (cards.length === 0) return null;
  return (
    <ul className={classes.cards} aria-label="Verdict per server">
      {cards.map(({ name, own, worst, problem, listedAt }) => (
        <li key={name}>
          <button
            type="button"
            className={classes.card}
            data-severity={worst?.severity}
            aria-pressed={chosen === name}
            onClick={() => onChoose(chosen === name ? null : name)}
          >
            <PlainText as="span" className={classes.name} text={name} />
            <span className={classes.verdict}>
              {worst !== undefined ? (
                <SeverityIcon severity={worst.severity} size={15} />
              ) : problem ? (
                <IconCircleDashed size={15} aria-hidden style={{ flex: 'none' }} />
              ) : (
                <IconCircleCheck size={15} aria-hidden style={{ flex: 'none' }} />
              )}
              <span>
                {problem ??
                  serverSignalVerdict(
                    own.map(({ severity, scanned: { tool, item } }) => ({ severity, tool, item })),
                  )}
              </span>
            </span>
            {listedAt && (
              <span className={classes.place}>
                Listed <Time iso={listedAt} />
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
