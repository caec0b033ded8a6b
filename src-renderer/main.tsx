import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
// First: its layer of links has to be weaker than the layers of the components.
import './ui/theme/base.css';
import './ui/theme/tokens.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connect, createClient, createQueryClient } from './api/index.ts';
import { App } from './shell/App.tsx';
import { saveByDialog } from './saving/saveByDialog.ts';
import { saveTextFilesBy } from './ui/files/saveTextFile.ts';
import { loadPagesInIdleTime } from './ui/frame/lazyPage.ts';
import { listenForEscape } from './ui/keyboard/useEscape.ts';
import { applyStoredTheme } from './ui/theme/storedTheme.ts';

applyStoredTheme();
listenForEscape();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id “root”.');
const connection = connect();
if (connection.host === 'electron') {
  const client = createClient(connection);
  saveTextFilesBy(
    ({ fileName, parts }) =>
      void saveByDialog(client, { fileName, content: { from: 'text', text: parts.join('') } }),
  );
}
createRoot(root).render(
  <StrictMode>
    <App connection={connection} queryClient={createQueryClient()} />
  </StrictMode>,
);
loadPagesInIdleTime();
