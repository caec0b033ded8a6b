import { screen, type BrowserWindow, type Rectangle } from 'electron';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const windowState = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(1).max(20_000),
  height: z.number().int().min(1).max(20_000),
  maximized: z.boolean(),
  fullScreen: z.boolean(),
});
export type WindowState = z.infer<typeof windowState>;

export const minWindow = { width: 720, height: 480 };
const usual = { width: 1280, height: 860 };
/** How much of the title bar must be on a screen for a window to be movable. */
const graspable = { width: 120, height: 32 };

/**
 * The saved state. Null if there is none or it can't be read: the window then opens as it does for
 * the first time.
 */
export function readWindowState(file: string): WindowState | null {
  try {
    return windowState.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Position and size of a window on the current screens: a screen that was unplugged must not hide
 * it.
 */
export function fitToScreens(
  state: WindowState | null,
  areas: readonly Rectangle[],
): Partial<Rectangle> & { width: number; height: number } {
  if (state === null) return usual;
  const area = areas.find((candidate) => {
    const across =
      Math.min(state.x + state.width, candidate.x + candidate.width) -
      Math.max(state.x, candidate.x);
    return (
      across >= graspable.width &&
      state.y >= candidate.y &&
      state.y + graspable.height <= candidate.y + candidate.height
    );
  });
  const most = area ?? areas[0];
  const width = Math.max(minWindow.width, Math.min(state.width, most?.width ?? state.width));
  const height = Math.max(minWindow.height, Math.min(state.height, most?.height ?? state.height));
  return area === undefined ? { width, height } : { x: state.x, y: state.y, width, height };
}

export const screenAreas = (): Rectangle[] =>
  screen.getAllDisplays().map(({ workArea }) => workArea);

/** Saves the position of a window after it was moved or resized, and when it closes. */
export function keepWindowState(window: BrowserWindow, file: string): void {
  const keep = (): void => {
    if (window.isDestroyed() || window.isMinimized()) return;
    // The size to restore, not that of the maximized window.
    const state: WindowState = {
      ...window.getNormalBounds(),
      maximized: window.isMaximized(),
      fullScreen: window.isFullScreen(),
    };
    try {
      writeFileSync(`${file}.new`, JSON.stringify(state));
      renameSync(`${file}.new`, file);
    } catch {
      // A full disk only loses the position of the window.
    }
  };
  // By name, because the types of these events differ although they are handled alike.
  window.on('resized', keep);
  window.on('moved', keep);
  window.on('maximize', keep);
  window.on('unmaximize', keep);
  window.on('enter-full-screen', keep);
  window.on('leave-full-screen', keep);
  window.on('close', keep);
}
