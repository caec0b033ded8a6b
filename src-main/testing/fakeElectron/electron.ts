import { app, powerMonitor } from './app.ts';
import { forgetRecorded, recorded } from './recorded.ts';
import { forgetSession } from './session.ts';
import { windows } from './windows.ts';

/**
 * Replaces the `electron` package, whose binary tests do not have. It follows the documented rules of
 * the parts that the shell uses: what comes before `ready`, who may prevent what, what rejects or is
 * gone. It records in `fakeElectron` what it is asked to do, so that a test can inspect it and can
 * call every handler with the input of an attacker.
 */
export { app, powerMonitor } from './app.ts';
export { FakeFrame, FakeWebContents } from './contents.ts';
export { dialog, Menu, shell } from './dialogs.ts';
export { contextBridge, FakeMessagePortMain, ipcMain, ipcRenderer, protocol } from './messages.ts';
export { session } from './session.ts';
export { BrowserWindow, nativeTheme, screen } from './windows.ts';

export const fakeElectron = Object.assign(recorded, { windows });

/** Resets everything to a program that was never started. */
export function resetFakeElectron(): void {
  windows.splice(0);
  forgetRecorded();
  app.forget();
  powerMonitor.removeAllListeners();
  forgetSession();
}
