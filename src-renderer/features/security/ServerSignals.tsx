import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { SignalsView } from './SignalsView.tsx';

interface ServerSignalsProps {
  serverId: string;
  /** Lists the tools again, which scans them too. */
  onCheck: () => void;
  checking: boolean;
}

/** The security signals in the stored tools of one server, on the page of the server. */
export function ServerSignals({ serverId, onCheck, checking }: ServerSignalsProps) {
  const { queries } = useApi();
  const scan = useQuery(queries.security.scan.queryOptions({ input: { serverIds: [serverId] } }));
  return (
    <Loaded query={scan} blocks={[72, 32, 320]}>
      {(report) => <SignalsView report={report} onScan={onCheck} scanning={checking} />}
    </Loaded>
  );
}
