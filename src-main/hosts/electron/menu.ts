import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { HostCommand } from '../../../src-shared/domain/hostCommand.ts';

export interface MenuActions {
  send: (command: HostCommand) => void;
  showDataFolder: () => void;
  /** Registers the scheme of links for this AppImage; absent where an installer does it. */
  openLinks?: (() => void) | undefined;
}

type Items = MenuItemConstructorOptions[];
const separator: MenuItemConstructorOptions = { type: 'separator' };

/**
 * The menu of the platform: on a Mac at the top of the screen with the app menu first, elsewhere in
 * the window behind Alt.
 */
export function setMenu(acts: MenuActions): void {
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate(acts, { mac: process.platform === 'darwin', packaged: app.isPackaged }),
    ),
  );
}

const listed = [
  ['Overview', '/'],
  ['Tools', '/tools'],
  ['Suites', '/suites'],
  ['Results', '/results'],
  ['Workshop', '/workshop'],
  ['Labs', '/labs'],
] as const;

export function menuTemplate(
  { send, showDataFolder, openLinks }: MenuActions,
  { mac, packaged }: { mac: boolean; packaged: boolean },
): Items {
  const go = (label: string, to: string, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    click: () => send({ kind: 'go', to }),
  });
  const settings = go('Settings …', '/settings', 'CmdOrCtrl+,');
  const appMenu: Items = [
    { role: 'about' },
    separator,
    settings,
    separator,
    { role: 'services' },
    separator,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    separator,
    { role: 'quit' },
  ];
  const file: Items = [
    go('New evaluation …', '/results/new', 'CmdOrCtrl+N'),
    go('Add server …', '/tools?add'),
    separator,
    go('Import servers …', '/tools/import'),
    go('Import suite …', '/suites/import'),
    separator,
    { label: mac ? 'Show data folder in Finder' : 'Show data folder', click: showDataFolder },
    ...(openLinks === undefined
      ? []
      : [{ label: 'Open links from other programs here', click: openLinks }]),
    separator,
    ...(mac ? [{ role: 'close' } as const] : [settings, separator, { role: 'quit' } as const]),
  ];
  // Text fields undo typing themselves. Deleted items are restored by the Undo of the page.
  const edit: Items = [
    { role: 'undo' },
    { role: 'redo' },
    separator,
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'selectAll' },
    separator,
    { label: 'Undo last deletion', click: () => send({ kind: 'act', act: 'undo' }) },
  ];
  const view: Items = [
    {
      label: 'Command palette …',
      accelerator: 'CmdOrCtrl+K',
      registerAccelerator: false,
      click: () => send({ kind: 'act', act: 'palette' }),
    },
    separator,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
    ...(packaged
      ? []
      : [separator, { role: 'reload' } as const, { role: 'toggleDevTools' } as const]),
  ];
  return [
    ...(mac ? [{ label: app.name, submenu: appMenu }] : []),
    { label: '&File', submenu: file },
    { label: '&Edit', submenu: edit },
    { label: '&View', submenu: view },
    {
      label: '&Go',
      submenu: listed.map(([label, to], index) => go(label, to, `CmdOrCtrl+${index + 1}`)),
    },
    ...(mac ? [{ role: 'windowMenu' } as const] : []),
    {
      role: 'help',
      submenu: [
        { label: 'Keyboard shortcuts', click: () => send({ kind: 'act', act: 'shortcuts' }) },
        go('Diagnostics', '/settings'),
        ...(mac ? [] : [separator, { role: 'about' } as const]),
      ],
    },
  ];
}
