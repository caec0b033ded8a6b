import { beforeEach, expect, it } from 'vitest';
import { app, fakeElectron, resetFakeElectron } from '../../testing/fakeElectron/electron.ts';
import { createWindow } from './createWindow.ts';
import { ask } from './dialogs.ts';

const question = { message: 'Close?', buttons: ['Keep', 'Close'], cancelId: 0 };

beforeEach(() => {
  resetFakeElectron();
  fakeElectron.pressed = 1;
});

it('asks in front of a window, and alone where it is gone or there is none', async () => {
  await app.whenReady();
  const window = createWindow('/preload.cjs', '/nowhere/window.json');
  expect(await ask(window, question)).toBe(1);
  window.destroy();
  expect(await ask(window, question)).toBe(1);
  expect(await ask(null, question)).toBe(1);
  expect(fakeElectron.questions).toHaveLength(3);
});

it('answers with the cancel button where no dialog can be shown', async () => {
  expect(await ask(null, question)).toBe(0);
  expect(fakeElectron.questions).toEqual([]);
});
