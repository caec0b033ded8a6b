import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
// First: its layer of links has to be weaker than the layers of the components.
import './ui/theme/base.css';
import './ui/theme/tokens.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { ApiProvider, connect, createClient, createQueryClient } from './api/index.ts';
import { createRouter } from './shell/routes.tsx';
import { applyStoredTheme, themeStorageKey } from './ui/theme/storedTheme.ts';
import { cssVariables, theme } from './ui/theme/theme.ts';
import { saveByDialog } from './saving/saveByDialog.ts';
import { saveTextFilesBy } from './ui/files/saveTextFile.ts';
import { loadPagesAhead } from './ui/frame/lazyPage.ts';
import { listenForEscape } from './ui/keyboard/useEscape.ts';

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
const router = createRouter();
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={localStorageColorSchemeManager({ key: themeStorageKey })}
      defaultColorScheme="auto"
    >
      <ApiProvider connection={connection} queryClient={createQueryClient()}>
        <Notifications position="bottom-center" limit={3} zIndex={400} containerWidth={420} />
        <RouterProvider router={router} />
      </ApiProvider>
    </MantineProvider>
  </StrictMode>,
);
loadPagesAhead(router.routes);
