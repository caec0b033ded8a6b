import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src-*/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    environment: 'node',
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
  },
});
