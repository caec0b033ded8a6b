import {
  reliabilityHeads,
  reliabilityRows,
  reliabilityScope,
} from '../../../../src-shared/display/reliabilityTexts.ts';
import { useRead } from '../../../api/index.ts';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { PlainTable } from '../../../ui/table/PlainTable.tsx';

/** What the server did with the calls of stored runs. */
export function ReliabilitySection({ serverId }: { serverId: string }) {
  const found = useRead((ask) => ask.servers.reliability, { input: { id: serverId } });
  return (
    <Section title="Reliability">
      <Loaded query={found} blocks={[96]}>
        {(data) =>
          data.tools.length === 0 ? (
            <p className="ts-quiet">
              Errors, crashes and latency of each tool appear here once tasks really called it:
              results of stubs don’t count.
            </p>
          ) : (
            <PlainTable
              label="Reliability"
              heads={reliabilityHeads}
              numeric={[1, 2, 3, 4, 5, 6, 7, 8]}
              named
              least={760}
              caption={reliabilityScope(data)}
              rows={reliabilityRows(data).map(([tool = '', ...cells]) => ({
                key: tool,
                cells: [<Foreign text={tool} />, ...cells],
              }))}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
