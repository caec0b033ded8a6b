import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RouterProvider } from 'react-router';
import { ApiProvider, type Connection } from '../api/index.ts';
import { createRouter } from './routes.tsx';
import { themeStorageKey } from '../ui/theme/storedTheme.ts';
import { cssVariables, theme } from '../ui/theme/theme.ts';

const schemes = localStorageColorSchemeManager({ key: themeStorageKey });

export function App(props: { connection: Connection; queryClient: QueryClient }) {
  const { connection, queryClient } = props;
  const [router] = useState(createRouter);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <ApiProvider connection={connection} queryClient={queryClient}>
        <Notifications position="bottom-center" limit={3} zIndex={400} containerWidth={420} />
        <RouterProvider router={router} />
      </ApiProvider>
    </MantineProvider>
  );
}
