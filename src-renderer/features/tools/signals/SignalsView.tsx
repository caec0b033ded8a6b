import { Action } from '../../../ui/fields/controls.tsx';
import { ListFilter } from '../../../ui/fields/ListFilter.tsx';
import { Group } from '@mantine/core';
import { IconShieldSearch, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useAddress } from '../../../ui/frame/useAddress.ts';
import { signalGroups, type SignalGroup } from '../../../../src-shared/display/signalGroups.ts';
import {
  detectorLabel,
  noSignalsNote,
  scanHeadline,
  subjectName,
  serverSignalVerdict,
} from '../../../../src-shared/display/signalTexts.ts';
import { ruleDetectors, type ScanReport } from '../../../../src-shared/domain/security.ts';
import { severities, severityRank } from '../../../../src-shared/domain/severity.ts';
import { SeverityIcon, SeverityBadge } from '../../../ui/badges/SeverityBadge.tsx';
import { EmptyState, Notice } from '../../../ui/notices/notices.tsx';
import { Fold, WithPanel } from '../../../ui/panels/panels.tsx';
import {
  codeColumn,
  type Column,
  numberColumn,
  SearchTable,
} from '../../../ui/table/DataTable.tsx';
import { Cut, PlainText } from '../../../ui/text/Foreign.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { SignalPanel } from './SignalPanel.tsx';
import { matchesFilter, type SignalFilter } from './signalFilter.ts';
import classes from './signals.module.css';
import { Time } from '../../../ui/text/Time.tsx';

export const scanVerdict = (report: ScanReport): string =>
  scanHeadline(
    openGroups(report).map(({ severity, scanned: { server, tool, item } }) => ({
      ...{ severity, server, tool, item },
    })),
    toolsIn(report),
  );

const openGroups = (report: ScanReport) => signalGroups(report).filter(({ safe }) => safe === null);

/** The scanned tools, without prompts, resources and instructions. */
const toolsIn = ({ tools }: ScanReport): number =>
  tools.filter(({ tool, item }) => tool !== '' && item === undefined).length;

/** What was scanned, with what, and from when the texts are: the listing longest ago, of several. */
export function ScanScope({ report }: { report: ScanReport }) {
  const [oldest] = report.servers.flatMap(({ listedAt }) => listedAt ?? []).sort();
  return (
    <>
      {counted(ruleDetectors.length, 'detector')} read {counted(toolsIn(report), 'tool')}
      {oldest !== undefined && ' as listed '}
      {oldest !== undefined && <Time iso={oldest} />}.
    </>
  );
}

/** Verdict per server, then one row per cause and tool. The filters are in the address. */
export function SignalsView(props: { report: ScanReport; onScan: () => void; scanning: boolean }) {
  const { report, onScan, scanning } = props;
  const [params, set] = useAddress();
  const filter: SignalFilter = {
    severities: params.get('severity')?.split(',') ?? [],
    detector: params.get('detector'),
    server: params.getAll('server').length === 1 ? params.get('server') : null,
    search: params.get('search') ?? '',
  };
  const groups = signalGroups(report);
  const open = groups.filter(({ safe }) => safe === null);
  const shown = open.filter((group) => matchesFilter(group, filter));
  const safe = groups.filter((group) => group.safe !== null && matchesFilter(group, filter));
  const selected = [...shown, ...safe].find(({ key }) => key === params.get('signal')) ?? null;
  const tools = toolsIn(report);
  if (report.tools.length === 0) return <NothingScanned {...{ report, onScan, scanning }} />;

  const detectors = [...new Set(open.map(({ detector }) => detector))].sort();
  const forSeverity = open.filter((group) => matchesFilter(group, filter, 'severities'));
  const forDetector = open.filter((group) => matchesFilter(group, filter, 'detector'));
  const filtered = shown.length < open.length;
  const toggle = (severity: string): void => {
    const chosen = severities.filter(
      (each) => filter.severities.includes(each) !== (each === severity),
    );
    set({ severity: chosen.join(',') });
  };
  const showAll = (): void => set({ severity: null, detector: null, server: null, search: null });
  const openGroup = ({ key }: { key: string }): void => set({ signal: key });
  return (
    <>
      <NotScanned report={report} />
      <ServerVerdicts
        report={report}
        groups={open}
        chosen={filter.server}
        onChoose={(server) => set({ server, signal: null })}
      />
      <WithPanel
        panel={
          selected === null ? null : (
            <SignalPanel
              key={selected.key}
              group={selected}
              onClose={() => set({ signal: null })}
            />
          )
        }
      >
        {open.length === 0 ? (
          <EmptyState message={`No signals in ${counted(tools, 'tool')}. ${noSignalsNote}`} />
        ) : (
          <SearchTable
            noun={['signal', 'signals']}
            columns={signalColumns}
            rows={shown}
            rowKey={({ key }) => key}
            selected={selected?.key ?? null}
            onOpen={openGroup}
            rowHeight={56}
            total={shown.length}
            search={filter.search}
            onSearch={(search) => set({ search })}
            onShowAll={showAll}
            filters={
              <>
                <Group gap={6} role="group" aria-label="Severity">
                  {severities
                    .toSorted((a, b) => severityRank[b] - severityRank[a])
                    .map((severity) => (
                      <Action
                        key={severity}
                        label={`${severity} ${forSeverity.filter((group) => group.severity === severity).length}`}
                        small
                        variant={filter.severities.includes(severity) ? 'light' : 'default'}
                        aria-pressed={filter.severities.includes(severity)}
                        leftSection={<SeverityIcon severity={severity} size={13} />}
                        onClick={() => toggle(severity)}
                      />
                    ))}
                </Group>
                <ListFilter
                  w={210}
                  label="Detector"
                  placeholder="All detectors"
                  data={detectors.map((detector) => ({
                    value: detector,
                    label: `${detectorLabel(detector)} (${forDetector.filter((group) => group.detector === detector).length})`,
                  }))}
                  value={filter.detector}
                  onChange={(detector) => set({ detector })}
                />
                {filtered && (
                  <Action label="Clear filters" small variant="subtle" onClick={showAll} />
                )}
              </>
            }
          />
        )}
        {safe.length > 0 && (
          <Fold title={`Marked as safe (${safe.length})`}>
            <ul className={classes.safe} aria-label="Marked as safe">
              {safe.map((group) => (
                <li key={group.key}>
                  <Action
                    label={group.title}
                    small
                    leftSection={<SeverityIcon severity={group.severity} />}
                    onClick={() => openGroup(group)}
                  />{' '}
                  <PlainText text={subjectName(group.scanned.server, group.scanned.tool)} />
                </li>
              ))}
            </ul>
          </Fold>
        )}
      </WithPanel>
    </>
  );
}

function NothingScanned(props: { report: ScanReport; onScan: () => void; scanning: boolean }) {
  const { report, onScan, scanning } = props;
  const noServers = report.servers.length === 0;
  return (
    <EmptyState
      icon={<IconShieldSearch size={32} stroke={1.5} />}
      message={
        noServers
          ? 'Patterns in tools that look like attacks appear here. Add a server to scan its tools.'
          : 'Signals appear here once your servers have listed their tools.'
      }
      action={
        noServers ? (
          <Action label="Add server" filled to="/tools?add" />
        ) : (
          <Action label="Scan all servers" loading={scanning} onClick={onScan} />
        )
      }
    />
  );
}

/** Tools that could not be scanned are never silently safe. */
function NotScanned({ report }: { report: ScanReport }) {
  const failed = report.tools.filter(({ problem }) => problem !== null);
  const [first] = failed;
  return first === undefined ? null : (
    <div style={{ marginBottom: 16 }}>
      <Notice tone="warning">
        {counted(failed.length, 'tool')} took too long to scan. First:{' '}
        <PlainText text={subjectName(first.server, first.tool)} />.
      </Notice>
    </div>
  );
}

/** One row per cause and tool: how severe, what it does, where, and how often it matches. */
const signalColumns: Column<SignalGroup>[] = [
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
  numberColumn('matches', 'Matches', 100, ({ findings }) => findings.length, { spare: 1 }),
];

/**
 * One card for each server with signals or a problem, the most severe first: the headline and the
 * list of servers say which others there are. A card filters the list.
 */
function ServerVerdicts(props: {
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
