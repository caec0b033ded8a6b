import { app, BrowserWindow, nativeTheme } from 'electron';
import { appUrl } from './origin.ts';
import {
  fitToScreens,
  keepWindowState,
  readWindowState,
  screenAreas,
  minWindow,
} from './windowState.ts';

/** The page's own ground in either theme: what shows before the first paint must not flash. */
const ground = { light: '#f8fafc', dark: '#0f1522' };

/**
 * Every window comes from here; lint finds any other constructor. It opens where the last one
 * stood, as far as that is still on a screen.
 */
export function createWindow(preloadFile: string, stateFile: string): BrowserWindow {
  const state = readWindowState(stateFile);
  const window = new BrowserWindow({
    ...fitToScreens(state, screenAreas()),
    minWidth: minWindow.width,
    minHeight: minWindow.height,
    show: false,
    fullscreen: state?.fullScreen === true,
    title: 'Touchstone',
    backgroundColor: nativeTheme.shouldUseDarkColors ? ground.dark : ground.light,
    autoHideMenuBar: true,
    webPreferences: {
      preload: preloadFile,
      sandbox: true,
      contextIsolation: true,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      // Elsewhere than on a Mac its dictionaries would be fetched from a server.
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  window.once('ready-to-show', () => {
    if (state?.maximized === true) window.maximize();
    window.show();
  });
  keepWindowState(window, stateFile);
  void window.loadURL(appUrl);
  return window;
}
