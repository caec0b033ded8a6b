import { screen, type BrowserWindow, type Rectangle } from 'electron';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { orElse } from '../../../src-shared/domain/orElse.ts';

const windowState = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(1).max(20_000),
  height: z.number().int().min(1).max(20_000),
  maximized: z.boolean(),
  fullScreen: z.boolean(),
});
export type WindowState = z.infer<typeof windowState>;

export const minWindowSize = { width: 720, height: 480 };
const defaultSize = { width: 1280, height: 860 };
/** How much of the title bar must be on a screen for a window to be movable. */
const minVisibleTitle = { width: 120, height: 32 };

/**
 * The saved state. Null if there is none or it can't be read: the window then opens as it does for
 * the first time.
 */
export function readWindowState(file: string): WindowState | null {
  return orElse(() => windowState.parse(JSON.parse(readFileSync(file, 'utf8'))), null);
}

/**
 * Position and size of a window on the current screens: a screen that was unplugged must not hide
 * it.
 */
export function fitToScreens(
  state: WindowState | null,
  areas: readonly Rectangle[],
): Partial<Rectangle> & { width: number; height: number } {
  if (state === null) return defaultSize;
  const area = areas.find((candidate) => {
    const visibleWidth =
      Math.min(state.x + state.width, candidate.x + candidate.width) -
      Math.max(state.x, candidate.x);
    return (
      visibleWidth >= minVisibleTitle.width &&
      state.y >= candidate.y &&
      state.y + minVisibleTitle.height <= candidate.y + candidate.height
    );
  });
  const targetArea = area ?? areas[0];
  const width = Math.max(
    minWindowSize.width,
    Math.min(state.width, targetArea?.width ?? state.width),
  );
  const height = Math.max(
    minWindowSize.height,
    Math.min(state.height, targetArea?.height ?? state.height),
  );
  return area === undefined ? { width, height } : { x: state.x, y: state.y, width, height };
}

export const screenAreas = (): Rectangle[] =>
  screen.getAllDisplays().map(({ workArea }) => workArea);

/** Saves the position of a window after it was moved or resized, and when it closes. */
export function saveWindowState(window: BrowserWindow, file: string): void {
  // What a program that was killed left.
  orElse(() => rmSync(`${file}.new`, { force: true }), undefined);
  const save = (): void => {
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
  window.on('resized', save);
  window.on('moved', save);
  window.on('maximize', save);
  window.on('unmaximize', save);
  window.on('enter-full-screen', save);
  window.on('leave-full-screen', save);
  window.on('close', save);
}
