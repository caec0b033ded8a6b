import { keepPreviousData } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  knownText,
  lostText,
  markMeanings,
  markTexts,
  presentationText,
  searchingText,
} from '../../../../src-shared/display/clientTexts.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { toolAddress } from '../../../../src-shared/display/toolAddresses.ts';
import {
  clientMarks,
  type ClientMark,
  type ClientMatrix,
} from '../../../../src-shared/domain/clientView.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import { useRead, useServerScope } from '../../../api/index.ts';
import { StatusBadge, type StatusTone } from '../../../ui/badges/StatusBadge.tsx';
import { FilterChips } from '../../../ui/fields/FilterChips.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { useAddress } from '../../../ui/frame/useAddress.ts';
import { EmptyState, Loaded, Notice } from '../../../ui/notices/notices.tsx';
import { Fold, SidePanel, WithPanel } from '../../../ui/panels/panels.tsx';
import { column, type Column, SearchTable } from '../../../ui/table/DataTable.tsx';
import { Cut, PlainText } from '../../../ui/text/Foreign.tsx';
import { SeenInClients } from './SeenInClients.tsx';
import classes from './clients.module.css';

type Row = ClientMatrix['rows'][number];

/** What Claude Code, Codex and other clients make of the tools of servers before a model reads them. */
export function ClientsPage() {
  const scope = useServerScope();
  const matrix = useRead((ask) => ask.tools.clients, {
    input: scope === null ? {} : { servers: scope.map(({ id }) => id) },
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools', to: '/tools' }, { label: 'Clients' }]}
        title={matrix.data?.headline ?? 'Clients'}
        subtitle="What each client makes of your tools before a model reads them. Open a tool to see what."
      />
      <Loaded query={matrix} blocks={[72, 320]}>
        {(found) => <Matrix matrix={found} />}
      </Loaded>
    </>
  );
}

function Matrix({ matrix }: { matrix: ClientMatrix }) {
  const [params, set] = useAddress();
  const { lost, clients, rows } = matrix;
  const unknown = clients.flatMap(({ name }, at) => (isKnownIn(rows, at) ? [] : name));
  const searching = searchingText(clients);
  const search = params.get('search') ?? '';
  const only = params.get('only');
  const affected = rows.filter(({ marks }) => marks.some((mark) => lossy.has(mark)));
  const changed = rows.filter(({ marks }) => marks.includes('changed'));
  const chosen = only === 'affected' ? affected : only === 'changed' ? changed : rows;
  const shown = chosen.filter((row) => row.toolId.toLowerCase().includes(search.toLowerCase()));
  const selected = rows.find((row) => row.toolId === params.get('tool')) ?? null;
  if (rows.length === 0)
    return (
      <EmptyState message="What clients make of your tools appears here once a server has listed its tools." />
    );
  return (
    <>
      <Lost servers={lost.slice(0, maxLost)} />
      {lost.length > maxLost && (
        <Fold title={counted(lost.length - maxLost, 'more reason', 'more reasons')}>
          <Lost servers={lost.slice(maxLost)} />
        </Fold>
      )}
      <WithPanel
        panel={
          selected !== null && (
            <SidePanel
              title={selected.tool}
              subtitle={selected.server}
              onClose={() => set({ tool: null, client: null })}
              contentKey={selected.toolId}
            >
              <SeenInClients
                key={selected.toolId}
                server={selected.server}
                tool={selected.tool}
                client={params.get('client')}
              />
            </SidePanel>
          )
        }
      >
        <ul className={classes.legend} aria-label="What the marks mean">
          {clientMarks
            .filter((mark) => rows.some(({ marks }) => marks.includes(mark)))
            .map((mark) => (
              <li key={mark}>
                <StatusBadge tone={tones[mark]} label={markTexts[mark]} />: {markMeanings[mark]}
                {mark === 'unknown' && unknown.length > 0 && ` in ${unknown.join(', ')}`}
              </li>
            ))}
        </ul>
        {searching !== '' && <p className={classes.legend}>{searching}</p>}
        <SearchTable
          noun={['tool', 'tools']}
          label="Tools by client"
          columns={columnsOf(matrix)}
          rows={shown}
          rowKey={(row) => row.toolId}
          selected={selected?.toolId ?? null}
          onOpen={(row) => set({ tool: row.toolId, client: null })}
          search={search}
          onSearch={(text) => set({ search: text })}
          onShowAll={() => set({ search: null, only: null })}
          filters={
            affected.length + changed.length > 0 && (
              <FilterChips
                label="Which tools"
                chips={[
                  { value: null, label: 'All', count: rows.length },
                  { value: 'affected', label: 'Hidden or cut', count: affected.length },
                  { value: 'changed', label: 'Changed', count: changed.length },
                ]}
                value={only}
                onChange={(value) => set({ only: value })}
              />
            )
          }
        />
      </WithPanel>
    </>
  );
}

/** Why clients show no tool of a server. */
const Lost = ({ servers }: { servers: ClientMatrix['lost'] }) =>
  servers.map((one) => (
    <div key={`${one.server} ${one.because} ${one.why}`} className={classes.notice}>
      <Notice tone="danger">
        <PlainText text={lostText(one)} /> In{' '}
        <Link to={toolAddress(toolId(one.server, one.because))}>
          <PlainText text={one.because} />
        </Link>
        , {one.why} {one.fix}
      </Notice>
    </div>
  ));

/** What a model misses something by. */
const lossy: ReadonlySet<ClientMark> = new Set(['server', 'hidden', 'cut']);
/** More servers that clients lose are named below a fold. */
const maxLost = 3;

const tones: Readonly<Record<ClientMark, StatusTone>> = {
  server: 'bad',
  hidden: 'bad',
  cut: 'warning',
  changed: 'changed',
  unknown: 'idle',
  shown: 'good',
};

/** Whether something is known of what a client makes of some tool. */
const isKnownIn = (rows: readonly Row[], at: number): boolean =>
  rows.some(({ marks }) => marks[at] !== 'unknown');

const columnsOf = ({ clients, rows }: ClientMatrix): Column<Row>[] => [
  column<Row>('tool', 'Tool', 'minmax(150px, 2fr)', { sortValue: (row) => row.toolId }, (row) => (
    <span className={classes.tool}>
      <Cut text={row.tool} mono />
      <Cut text={row.server} />
    </span>
  )),
  ...clients.flatMap((client, at) =>
    isKnownIn(rows, at)
      ? column<Row>(
          client.id,
          client.name,
          'minmax(94px, 1fr)',
          {
            hint: [
              `${knownText(client)}. ${counted(client.hidden, 'tool')} hidden.`,
              presentationText(client.presentation),
            ].join(' '),
            sortValue: ({ marks }) => clientMarks.indexOf(marks[at] ?? 'shown'),
          },
          ({ marks, changed }) => {
            const mark = marks[at] ?? 'shown';
            const parts = changed[at] ?? [];
            return (
              <span className={classes.mark}>
                <StatusBadge tone={tones[mark]} label={markTexts[mark]} />
                {parts.length > 0 && <Cut text={parts.join(', ')} />}
              </span>
            );
          },
        )
      : [],
  ),
];
