import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { browserVariable } from '../src-main/testing/fakeElectron/chromium.ts';

const root = join(import.meta.dirname, '..');

/** What comes before the folder of a program that the stand-in for Electron runs. */
export const standInPrefix: readonly string[] = [
  join(root, 'src-main/testing/fakeElectron/program.ts'),
];

export interface StandInWindow {
  process: ChildProcess;
  /** What the program asked in dialogs so far. */
  asked: string[];
  exited: Promise<unknown>;
}

/** Starts the built program as Electron's binary would, on a workspace. */
export function startInStandIn(
  address: string,
  workspace: string,
  ...args: string[]
): StandInWindow {
  const child = spawn(process.execPath, [...standInPrefix, root, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      [browserVariable]: address,
      TOUCHSTONE_HOME: workspace,
      TOUCHSTONE_KEYCHAIN: 'off',
    },
  });
  const asked: string[] = [];
  child.on('message', (message: { asked?: string }) => {
    if (message.asked !== undefined) asked.push(message.asked);
  });
  return { process: child, asked, exited: once(child, 'exit') };
}

/** Looks at the windows of the stand-in from the side, as a person does. */
export async function watchWindows(
  address: string,
): Promise<{ next: () => Promise<Page>; close: () => Promise<void> }> {
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('The browser has no context.');
  return {
    next: () =>
      context.waitForEvent('page', { predicate: (page) => !page.url().startsWith('chrome') }),
    close: () => browser.close(),
  };
}
