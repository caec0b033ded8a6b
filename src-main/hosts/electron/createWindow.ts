import { app, BrowserWindow, nativeTheme } from 'electron';
import { appUrl } from './origin.ts';
import {
  fitToScreens,
  saveWindowState,
  readWindowState,
  screenAreas,
  minWindowSize,
} from './windowState.ts';

/** The page's background in either theme, so that nothing flashes before the first paint. */
const backgroundColors = { light: '#f8fafc', dark: '#0f1522' };

/**
 * Creates every window; lint rejects any other constructor call. A window opens where the last one
 * was, as far as that is still on a screen.
 */
export function createWindow(preloadFile: string, stateFile: string): BrowserWindow {
  const state = readWindowState(stateFile);
  const window = new BrowserWindow({
    ...fitToScreens(state, screenAreas()),
    minWidth: minWindowSize.width,
    minHeight: minWindowSize.height,
    show: false,
    // An explicit false would take the full screen button away on a Mac.
    ...(state?.fullScreen === true && { fullscreen: true }),
    title: 'Touchstone',
    backgroundColor: nativeTheme.shouldUseDarkColors
      ? backgroundColors.dark
      : backgroundColors.light,
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
      // Except on a Mac, the spell checker would download its dictionaries.
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  window.once('ready-to-show', () => {
    if (state?.maximized === true) window.maximize();
    window.show();
  });
  saveWindowState(window, stateFile);
  void window.loadURL(appUrl);
  return window;
}
