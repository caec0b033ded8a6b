import { describe, expect, it } from 'vitest';
import { fitToScreens, type WindowState } from './windowState.ts';

describe('the place of a window', () => {
  const at = (state: Partial<WindowState>): WindowState => ({
    x: 100,
    y: 100,
    width: 1000,
    height: 700,
    maximized: false,
    fullScreen: false,
    ...state,
  });
  const screens = [
    { x: 0, y: 0, width: 1920, height: 1040 },
    { x: 1920, y: 0, width: 1280, height: 1000 },
  ];
  it.each([
    ['is on the second screen', at({ x: 2000 }), { x: 2000, y: 100, width: 1000, height: 700 }],
    [
      'reaches over an edge but can be moved',
      at({ x: -800 }),
      { x: -800, y: 100, width: 1000, height: 700 },
    ],
    ['was on a screen that is gone', at({ x: 5000 }), { width: 1000, height: 700 }],
    ['has its title bar above the screen', at({ y: -200 }), { width: 1000, height: 700 }],
    [
      'was larger than its screen is now',
      at({ x: 2000, width: 3000, height: 2000 }),
      { x: 2000, y: 100, width: 1280, height: 1000 },
    ],
    ['was never opened', null, { width: 1280, height: 860 }],
  ])('opens a window within reach that %s', (_what, state, expected) => {
    expect(fitToScreens(state, screens)).toEqual(expected);
  });
});
