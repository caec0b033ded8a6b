import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { signalGroups } from '../../../src-shared/display/signalGroups.ts';
import { serverSignalVerdict } from '../../../src-shared/display/signalTexts.ts';
import { severityRank } from '../../../src-shared/domain/severity.ts';
import { useApi } from '../../api/index.ts';
import { Notice } from '../../ui/notices/Notice.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { counted } from '../../ui/text/words.ts';

/**
 * Names the server with open signals of high or critical severity, for the overview. Nothing if
 * there are none, or while it isn't known.
 */
export function OpenSignals() {
  const { queries } = useApi();
  const servers = useQuery(queries.servers.list.queryOptions());
  const input = { serverIds: null };
  const scan = useQuery({
    ...queries.security.scan.queryOptions({ input }),
    // A new listing is another question, so that its signals appear at once.
    queryKey: [
      ...queries.security.scan.key({ input }),
      (servers.data ?? []).map(({ id, listedAt }) => [id, listedAt]),
    ],
    enabled: servers.data !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const grave = signalGroups(scan.data ?? { tools: [] })
    .filter(({ safe, severity }) => safe === null && severityRank[severity] >= severityRank.high)
    .map(({ severity, scanned: { server, tool, item } }) => ({ severity, server, tool, item }));
  const [worst] = grave;
  if (worst === undefined) return null;
  const own = grave.filter(({ server }) => server === worst.server);
  const others = new Set(grave.map(({ server }) => server)).size - 1;
  return (
    <Notice tone="danger">
      <b>Security:</b> the server{' '}
      <code>
        <PlainText text={worst.server} />
      </code>{' '}
      has {serverSignalVerdict(own)}
      {others > 0 &&
        `, and ${counted(others, 'more server')} ${others === 1 ? 'has' : 'have'} some`}
      . <Link to="/tools/signals?severity=critical,high">Review signals</Link>
    </Notice>
  );
}
