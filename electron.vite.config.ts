import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { lazyShapes } from './scripts/lazyShapes.ts';
import { emptyDatabase } from './src-main/store/database/emptyDatabase.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const compilesText = /const F = Function;/;

/**
 * The schema library compiles validators from text where it may, and finds out by trying, which the
 * pages' content policy would report as a violation at each start. In a page it is told that it may
 * not.
 */
function withoutCompiledSchemas(): Plugin {
  const found = new Set<string>();
  return {
    name: 'without-compiled-schemas',
    apply: 'build',
    transform(code, id) {
      const [, file] = /\/zod\/v4\/core\/(util|doc)\.js$/.exec(id) ?? [];
      if (file === undefined || !compilesText.test(code)) return null;
      found.add(file);
      return {
        code: code.replace(
          compilesText,
          "const F = class { constructor() { throw new Error('A page compiles no text.'); } };",
        ),
        map: null,
      };
    },
    buildEnd(error) {
      if (error === undefined && found.size !== 2)
        this.error('zod no longer compiles text where it did: look at withoutCompiledSchemas.');
    },
  };
}

const globalByText = "Function('return this')()";

/**
 * The charts' number library finds the global object by compiling a text where there is no `self`.
 * A page always has one, and its content policy forbids compiling.
 */
function withoutCompiledGlobal(): Plugin {
  let found = false;
  return {
    name: 'without-compiled-global',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('/decimal.js-light/') || !code.includes(globalByText)) return null;
      found = true;
      return { code: code.replace(globalByText, 'globalThis'), map: null };
    },
    buildEnd(error) {
      if (error === undefined && !found)
        this.error('decimal.js-light changed: look at withoutCompiledGlobal.');
    },
  };
}

/**
 * Leaves out the schemas of `src-shared` that no page uses. A schema is made by calls, and a bundler
 * keeps a call whose result nobody uses, unless it is told that the call has no effect. Without this
 * every start of a window made some thousand schemas, and threw all but a few away.
 */
function withoutUnusedSchemas(): Plugin {
  return {
    name: 'without-unused-schemas',
    apply: 'build',
    transform(code, id) {
      if (!/\/src-shared\/[^?]+\.ts$/.test(id)) return null;
      let [marked, end] = ['', 0];
      for (const statement of this.parse(code).body) {
        const declared =
          statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        if (declared?.type !== 'VariableDeclaration') continue;
        for (const { id: name, init } of declared.declarations) {
          if (init === null || init.type === 'ArrowFunctionExpression') continue;
          if (name.type !== 'Identifier')
            this.error(`${id} takes a value apart, which keeps it in every page: name the whole.`);
          marked += `${code.slice(end, init.start)}/*@__PURE__*/ (() => (${code.slice(init.start, init.end)}))()`;
          end = init.end;
        }
      }
      return { code: marked + code.slice(end), map: null };
    },
  };
}

const tokenTable = /(['"])js-tiktoken\/ranks\/(\w+)\1/g;

/**
 * Copies the token tables that the core loads when a text is first counted, 3 of the package's 22 MB,
 * and has it load the copies.
 */
function withTokenTables(): Plugin {
  return {
    name: 'with-token-tables',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('/tokens/encodings.ts')) return null;
      const replaced = code.replace(tokenTable, (_whole, _quote: string, name: string) => {
        const path = createRequire(import.meta.url).resolve(`js-tiktoken/ranks/${name}`);
        this.emitFile({ type: 'asset', fileName: `${name}.cjs`, source: readFileSync(path) });
        return `'./${name}.cjs'`;
      });
      if (replaced === code) this.error('No table of tokens is loaded: look at withTokenTables.');
      return { code: replaced, map: null };
    },
  };
}

/** Makes the empty database that a command's temporary workspace starts from. */
function withEmptyDatabase(): Plugin {
  return {
    name: 'with-empty-database',
    apply: 'build',
    generateBundle() {
      const source = emptyDatabase(at('migrations'));
      this.emitFile({ type: 'asset', fileName: 'empty.sqlite', source });
    },
  };
}

// The core is bundled for Node and for Electron alike, with its packages: a start reads few files,
// and an installation holds what is used. Bundles lie flat beside each other, so that a worker is
// found as a neighbour of whoever starts it.
export default defineConfig({
  main: {
    plugins: [lazyShapes(), withTokenTables(), withEmptyDatabase()],
    build: {
      outDir: 'out/main',
      externalizeDeps: false,
      target: 'node22.22',
      minify: false,
      rolldownOptions: {
        input: {
          electron: at('src-main/hosts/electron/main.ts'),
          cli: at('src-main/hosts/cli/main.ts'),
          ownEnvironment: at('src-main/runtime/ownEnvironment.ts'),
          keychainChild: at('src-main/adapters/secrets/keychainChild.ts'),
          casesWorker: at('src-main/services/suites/casesWorker.ts'),
          integrityWorker: at('src-main/services/settings/integrityWorker.ts'),
          readingWorker: at('src-main/services/results/read/readingWorker.ts'),
          detectorWorker: at('src-main/services/security/detectorWorker.ts'),
          scoringWorker: at('src-main/services/evaluations/score/scoringWorker.ts'),
          encoderWorker: at('src-main/adapters/llm/embeddings/local/encoderWorker.ts'),
          databaseWorker: at('src-main/services/tasks/fixtures/databaseWorker.ts'),
          taskJudgeWorker: at('src-main/services/tasks/taskJudgeWorker.ts'),
          tokenWorker: at('src-main/services/tokenCounts/tokenWorker.ts'),
          schemaWorker: at('src-main/services/workshop/schemaWorker.ts'),
          matchersLibrary: at('src-main/library/matchers.ts'),
          metricsLibrary: at('src-main/library/metrics.ts'),
          reporterLibrary: at('src-main/library/reporter.ts'),
          reportLibrary: at('src-main/library/report.ts'),
          scoringLibrary: at('src-main/library/scoring.ts'),
          suiteLibrary: at('src-main/library/suite.ts'),
          vitestLibrary: at('src-main/library/vitest.ts'),
          similarityWorker: at('src-main/services/similarity/similarityWorker.ts'),
        },
        // Two load a library for the machine from their own folder; Vitest is that of the tests.
        external: ['better-sqlite3', 'keytar', 'vitest'],
        // Text of one byte per character, and without comments, is read faster at each start.
        output: {
          format: 'es',
          charset: 'ascii',
          comments: false,
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].mjs',
        },
      },
      license: { fileName: 'licenses.md' },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload is one CommonJS file that can load nothing but Electron.
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: at('src-main/hosts/electron/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src-renderer'),
    plugins: [react(), withoutCompiledSchemas(), withoutCompiledGlobal(), withoutUnusedSchemas()],
    build: {
      outDir: at('out/renderer'),
      minify: true,
      // Read from this machine's disk, whole, in milliseconds.
      chunkSizeWarningLimit: 2000,
      // The content policy allows scripts from files only, and fonts and pictures need not be
      // inlined either.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: 'licenses.md' },
      rolldownOptions: {
        input: { index: at('src-renderer/index.html') },
        // Each file is a request, which costs more than reading code that a page doesn't use: one file
        // has what a start needs, and a few have what pages share. A file has all that its modules
        // import, unless an earlier one has it, so that none waits for another in a circle. Editor
        // and charts come with the pages that show them.
        output: {
          codeSplitting: {
            groups: [
              { name: 'start', tags: ['$initial'] },
              { name: 'domain', test: /src-shared/, minShareCount: 2 },
              {
                name: 'ui',
                test: /src-renderer[\\/](ui[\\/](?!editor|charts[\\/]drawings)|models|api|state)/,
                minShareCount: 2,
              },
              { name: 'editor', test: /src-renderer[\\/]ui[\\/]editor/ },
              { name: 'charts', test: /src-renderer[\\/]ui[\\/]charts[\\/]drawings/ },
              {
                name: 'features',
                test: /src-renderer[\\/]features[\\/](?!workshop)/,
                minShareCount: 2,
              },
            ],
          },
        },
      },
    },
  },
});
