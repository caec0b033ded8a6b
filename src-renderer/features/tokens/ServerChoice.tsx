import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { useApi } from '../../api/index.ts';
import { counted } from '../../ui/text/words.ts';
import type { TokenSource } from './useTokenSource.ts';

/** The servers whose tools are counted, each with its total; none chosen means all. */
export function ServerChoice({ source }: { source: TokenSource }) {
  const { queries } = useApi();
  const all = useQuery(
    queries.tokens.count.queryOptions({
      input: { source: { servers: null }, encoding: source.encoding, model: source.model },
    }),
  );
  const totals = new Map(all.data?.servers.map((each) => [each.server, each]));
  const chosen = source.servers.flatMap((name) => totals.get(name) ?? []);
  const sum = (of: (each: (typeof chosen)[number]) => number): number =>
    chosen.reduce((total, each) => total + of(each), 0);
  return (
    <MultiSelect
      label="Servers"
      w={340}
      searchable
      clearable
      placeholder={source.servers.length === 0 ? 'All servers' : ''}
      inputWrapperOrder={['label', 'input', 'description']}
      description={
        source.servers.length === 0
          ? null
          : `${formatCount(source.servers.length)} of ${counted(source.serverNames.length, 'server')}: ` +
            `${counted(
              sum(({ tools }) => tools),
              'tool',
            )}, ` +
            counted(
              sum(({ tokenCount }) => tokenCount),
              'token',
            )
      }
      data={source.serverNames}
      renderOption={({ option }) => {
        const total = totals.get(option.value);
        return total === undefined
          ? option.label
          : `${option.label} · ${counted(total.tools, 'tool')} · ${counted(total.tokenCount, 'token')}`;
      }}
      value={source.servers}
      onChange={source.chooseServers}
    />
  );
}
