import { useQuery } from '@tanstack/react-query';
import type { WorkspaceInfo } from '../../../src-shared/domain/settings.ts';
import { useApi } from '../../api/index.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fields } from '../../ui/Fields.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Section } from '../../ui/Section.tsx';
import { byteText } from './byteText.ts';

const hosts = { electron: 'Electron window', loopback: 'loopback window', cli: 'command line' };

function rows(info: WorkspaceInfo): { name: string; value: string }[] {
  return [
    { name: 'Version', value: info.version },
    { name: 'Runs as', value: hosts[info.host] },
    { name: 'Platform', value: info.platform },
    { name: 'Node', value: info.nodeVersion },
    { name: 'SQLite', value: info.sqliteVersion },
    { name: 'Schema', value: String(info.schemaVersion) },
    { name: 'Hosts contacted', value: info.contactedHosts.length === 0 ? 'none' : info.contactedHosts.join(', ') },
  ];
}

/** Where the data is and what the program is made of, to read and to copy. */
export function Diagnostics() {
  const { queries } = useApi();
  const info = useQuery(queries.settings.info.queryOptions({ staleTime: 0 }));
  return (
    <Loaded query={info} blocks={[80, 200]}>
      {(data) => (
        <>
          <Section title="Data folder" aside={<CopyButton text={data.folder} label="Copy path" />}>
            <div className="ts-panel" style={{ padding: '8px 16px' }}>
              <Fields
                rows={[
                  { name: 'Folder', value: <span className="ts-mono">{data.folder}</span> },
                  { name: 'Database', value: <span className="ts-mono">{data.databaseFile}</span> },
                  { name: 'Size', value: byteText(data.databaseBytes) },
                  { name: 'Opened', value: data.readOnly ? 'for reading only' : 'for reading and writing' },
                ]}
              />
            </div>
          </Section>
          <Section
            title="Diagnostics"
            aside={<CopyButton label="Copy diagnostics" text={() => rows(data).map((row) => `${row.name}: ${row.value}`).join('\n')} />}
          >
            <div className="ts-panel" style={{ padding: '8px 16px' }}>
              <Fields rows={rows(data)} />
            </div>
          </Section>
        </>
      )}
    </Loaded>
  );
}
