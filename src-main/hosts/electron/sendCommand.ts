import type { BrowserWindow } from 'electron';
import { writeHostCommand, type HostCommand } from '../../../src-shared/domain/hostCommand.ts';
import { commandChannel } from './channels.ts';
import { isOwnUrl } from './origin.ts';

/** Sends a command to the app's own page, and to no other page that a window might show. */
export function sendCommand(
  window: Pick<
    BrowserWindow,
    'isDestroyed' | 'isMinimized' | 'restore' | 'show' | 'focus' | 'webContents'
  >,
  command: HostCommand,
): void {
  if (window.isDestroyed() || !isOwnUrl(window.webContents.getURL())) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
  window.webContents.send(commandChannel, writeHostCommand(command));
}
