import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { encodingNames, type EncodingName } from '../../../src-shared/domain/tokens.ts';
import type { ToolSource } from '../../../src-shared/domain/tokenReport.ts';
import { useApi } from '../../api/index.ts';

interface SourceGroup {
  group: string;
  items: { value: string; label: string }[];
}

/**
 * Which tools are analyzed, from the address: all servers, one, a corpus, or an evaluation's
 * snapshot.
 */
export function useTokenSource() {
  const { queries } = useApi();
  const [params, setParams] = useSearchParams();
  const servers = useQuery(queries.servers.list.queryOptions());
  const datasets = useQuery(queries.retrieval.datasets.queryOptions());
  const evaluations = useQuery(queries.evaluations.list.queryOptions({ input: { limit: 50 } }));
  const change = (name: string, value: string | null): void => {
    setParams(
      (now) => {
        if (value === null || value === '') now.delete(name);
        else now.set(name, value);
        return now;
      },
      { replace: true },
    );
  };
  const chosen = params.get('of') ?? 'servers';
  const encoding: EncodingName =
    encodingNames.find((name) => name === params.get('encoding')) ?? 'cl100k_base';
  const groups: SourceGroup[] = [
    {
      group: 'Servers',
      items: [
        { value: 'servers', label: 'All servers' },
        ...(servers.data ?? []).map(({ name }) => ({ value: `server ${name}`, label: name })),
      ],
    },
    {
      group: 'Corpora',
      items: (datasets.data?.corpora ?? []).map(({ version }) => ({
        value: `corpus ${version}`,
        label: version,
      })),
    },
    {
      group: 'Evaluations',
      items: (evaluations.data ?? []).flatMap(({ number, suiteName, snapshotId }) =>
        snapshotId === null
          ? []
          : [{ value: `snapshot ${snapshotId} ${number}`, label: `#${number} ${suiteName}` }],
      ),
    },
  ].filter(({ items }) => items.length > 0);
  const [kind = '', ...rest] = chosen.split(' ');
  const name = rest.join(' ');
  const source: ToolSource =
    kind === 'server'
      ? { servers: [name] }
      : kind === 'corpus'
        ? { corpus: name }
        : kind === 'snapshot'
          ? { snapshotId: rest[0] ?? '' }
          : { servers: null };
  const serverId =
    kind === 'server' ? (servers.data?.find((server) => server.name === name)?.id ?? null) : null;
  return { params, change, chosen, encoding, groups, source, serverId };
}
export type TokenSource = ReturnType<typeof useTokenSource>;
