import { forgetApp } from './app.ts';
import { forgetRecorded, recorded } from './recorded.ts';
import { forgetSession } from './session.ts';
import { windows } from './windows.ts';

/**
 * Stands in for the `electron` package where there is no binary. It does nothing but note what it
 * is asked to do, in `fakeElectron`, so that a test can look at it and can call every handler with
 * what an attacker would send.
 */
export { app } from './app.ts';
export { FakeFrame, FakeWebContents } from './contents.ts';
export { dialog, Menu, shell } from './dialogs.ts';
export { contextBridge, FakeMessagePortMain, ipcMain, ipcRenderer, protocol } from './messages.ts';
export { session } from './session.ts';
export { BrowserWindow, nativeTheme, screen } from './windows.ts';

export const fakeElectron = Object.assign(recorded, { windows });

/** Back to a program that was never started. */
export function resetFakeElectron(): void {
  windows.splice(0);
  forgetRecorded();
  forgetApp();
  forgetSession();
}
