import { Box } from '@mantine/core';
import { Notice } from './notices.tsx';
import { Foreign, PlainText } from '../text/Foreign.tsx';

/** One line for all servers that have no tools to show; why is in its details. */
export function ServersWithoutTools(props: {
  failed: readonly { server: string; reason: string }[];
}) {
  const { failed } = props;
  if (failed.length === 0) return null;
  return (
    <Box mb="sm">
      <Notice tone="warning">
        Not included, because they have no stored tools:{' '}
        <PlainText text={failed.map(({ server }) => server).join(', ')} />.
        <details>
          <summary>Details</summary>
          <ul style={{ margin: '4px 0 0', paddingLeft: 20 }}>
            {failed.map(({ server, reason }) => (
              <li key={server}>
                <PlainText text={server} />: <Foreign text={reason} limit={400} />
              </li>
            ))}
          </ul>
        </details>
      </Notice>
    </Box>
  );
}
