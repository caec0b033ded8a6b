import { AsyncLocalStorage } from 'node:async_hooks';

const withoutWindow = new AsyncLocalStorage<true>();

/** Runs a command: nobody there can open the Settings of a window, least of all in CI. */
export const runWithoutWindow = <Result>(work: () => Promise<Result>): Promise<Result> =>
  withoutWindow.run(true, work);

/** What to do in the window, or else in a terminal, whichever the person has. */
export const nextStepHere = ({ window, terminal }: { window: string; terminal: string }): string =>
  withoutWindow.getStore() === true ? terminal : window;
