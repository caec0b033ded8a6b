/* oxlint-disable typescript/no-empty-object-type -- a declaration that is merged adds only what it extends */
import { expect } from 'vitest';
import { matchers, type ToolMatchers } from './matchers.ts';

/** `touchstone/vitest`: importing it adds the matchers to `expect`. */
expect.extend(matchers);

declare module 'vitest' {
  // With the parameters of Vitest's own declaration, which it adds members to.
  interface Matchers<
    R extends void | Promise<void> = void | Promise<void>,
    T = unknown,
  > extends ToolMatchers<R> {}
}

export * from './matchers.ts';
