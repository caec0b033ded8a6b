import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { fileURLToPath } from 'node:url';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The core is bundled for Node and for Electron alike: packages stay outside, and bundles lie flat beside each other, so that a
// worker is found as a neighbour of whoever starts it.
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      externalizeDeps: true,
      target: 'node24',
      minify: false,
      rollupOptions: {
        input: {
          electron: at('src-main/hosts/electron/main.ts'),
          cli: at('src-main/hosts/cli/main.ts'),
          scoringWorker: at('src-main/services/evaluations/scoringWorker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload is one CommonJS file that can load nothing but Electron.
      externalizeDeps: false,
      rollupOptions: {
        input: { preload: at('src-main/hosts/electron/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src-renderer'),
    plugins: [react()],
    build: {
      outDir: at('out/renderer'),
      // The content policy allows scripts from files only, and fonts and pictures need not be inlined either.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rollupOptions: { input: { index: at('src-renderer/index.html') } },
    },
  },
});
