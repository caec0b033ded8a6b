import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * These change their process for good (its variables, its memory limits, its signals), so each gets
 * one of its own. All other files share a process with loaded modules, compiled code and idle
 * threads, which halves their time.
 */
const alone = ['src-main/hosts/electron/main.test.ts'];
const slow = ['{src-main,scripts}/**/*.slow.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src-*,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...alone, ...slow],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
      // Next to the unit tests, which have workers of their own.
      { extends: true, test: { name: 'slow', include: slow, maxWorkers: 1 } },
    ],
    environment: 'node',
    globalSetup: ['src-main/testing/globalSetup.ts'],
    setupFiles: ['src-main/testing/setUp.ts'],
    // Importing the real package under Node would try to fetch a binary.
    alias: {
      electron: fileURLToPath(
        new URL('./src-main/testing/fakeElectron/electron.ts', import.meta.url),
      ),
    },
    env: {
      ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent',
      // A command that needs a key would start a process that asks the keychain of this machine.
      TOUCHSTONE_KEYCHAIN: 'off',
      // Child processes and worker threads of tests start from source files in half the time.
      NODE_COMPILE_CACHE: fileURLToPath(
        new URL('./node_modules/.cache/touchstone', import.meta.url),
      ),
    },
    // Nothing waits for the clock: these end a test that hangs, on the busiest machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // On two processors: tests wait a third of their time for the programs and timers that they start.
    maxWorkers: 3,
    // V8 of Node 24 can end a process while code is recompiled. Stripping types is a hot WebAssembly
    // program in every worker thread that starts from source, and replacing its wrappers frees code
    // that the registry of code pages doesn't know ("Check failed: jit_page.has_value()"): they stay
    // as they are. The garbage collector can misread frames of the baseline compiler
    // (nodejs/node#62393), and threads of the middle compiler can use a handle that is gone while all
    // processors are busy (nodejs/node#64841): both stay off.
    execArgv: [
      // What tests make is short-lived: with the usual room for it, a seventh of the time is spent
      // on collecting it.
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      // Nor does a worker collect it while a test waits for a program.
      '--no-memory-reducer',
      // The workers and what they start use all processors already.
      '--single-threaded-gc',
      '--wasm-wrapper-tiering-budget=1000000000',
      '--no-sparkplug',
      '--no-maglev',
    ],
  },
});
