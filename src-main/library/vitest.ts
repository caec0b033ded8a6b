/* oxlint-disable typescript/no-empty-object-type -- a declaration that is merged adds only what it extends */
import { expect } from 'vitest';
import { expectations, match, type JudgedRun, type ToolMatchers } from './matchers.ts';

/**
 * The same matchers, each of which leaves its run with the test, where the reporter finds it. What
 * `.not` says of a run is no expectation of calls.
 */
expect.extend(
  Object.fromEntries(
    Object.entries(expectations).map(([name, read]) => [
      name,
      function (
        this: { isNot?: boolean; task?: { meta: { touchstone?: JudgedRun[] } } },
        ...args: unknown[]
      ) {
        const run = (read as (...given: unknown[]) => JudgedRun)(...args);
        const meta = this.task?.meta;
        if (meta !== undefined && this.isNot !== true) (meta.touchstone ??= []).push(run);
        return match(run);
      },
    ]),
  ),
);

declare module 'vitest' {
  // With the parameters of Vitest's own declaration, which it adds members to.
  interface Matchers<
    R extends void | Promise<void> = void | Promise<void>,
    T = unknown,
  > extends ToolMatchers<R> {}
}

export * from './matchers.ts';
