import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Rooms whose modules hold no state: their test files can share a worker, which saves its start. */
const pureRooms = [
  'src-shared/**/*.test.ts',
  'src-renderer/**/*.test.{ts,tsx}',
  'src-main/{scoring,analysis}/**/*.test.ts',
  'src-main/adapters/llm/{wire,builtin}/**/*.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'pure', include: pureRooms, isolate: false } },
      {
        extends: true,
        // Next to the browser tests, which use two workers of their own.
        test: { name: 'slow', include: ['{src-main,scripts}/**/*.slow.test.ts'], maxWorkers: 1 },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['src-main/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...pureRooms, '**/*.slow.test.ts'],
        },
      },
    ],
    environment: 'node',
    globalSetup: ['src-main/testing/globalSetup.ts'],
    setupFiles: ['src-main/testing/setUpThreads.ts'],
    // Importing the real package under Node would try to fetch a binary.
    alias: {
      electron: fileURLToPath(
        new URL('./src-main/testing/fakeElectron/electron.ts', import.meta.url),
      ),
    },
    env: {
      ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent',
      // Child processes and worker threads of tests start from source files in half the time.
      NODE_COMPILE_CACHE: fileURLToPath(
        new URL('./node_modules/.cache/touchstone', import.meta.url),
      ),
    },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // V8 of Node 24 can end a process while code is recompiled. Stripping types is a hot WebAssembly
    // program in every worker thread that starts from source, and replacing its wrappers frees code
    // that the registry of code pages doesn't know ("Check failed: jit_page.has_value()"): they stay
    // as they are. The garbage collector can misread frames of the baseline compiler
    // (nodejs/node#62393), and threads of the middle compiler can use a handle that is gone while all
    // processors are busy (nodejs/node#64841): both stay off.
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000', '--no-sparkplug', '--no-maglev'],
  },
});
