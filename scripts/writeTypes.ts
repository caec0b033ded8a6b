import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Writes the declarations of src-main/library into out/types, for the package. Run before packing.
const root = join(import.meta.dirname, '..');
const types = join(root, 'out', 'types');
const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');

rmSync(types, { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '--project', 'tsconfig.library.json'], {
  cwd: root,
  stdio: 'inherit',
});
// The compiler keeps the endings of the sources, which a package must not name.
for (const file of globSync('**/*.d.ts', { cwd: types })) {
  const text = readFileSync(join(types, file), 'utf8');
  const renamed = text.replace(/(from |import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2');
  // Types of packages that are bundled, or have none of their own, aren't installed with ours.
  const ignored = renamed.replace(
    /^import [^;]* from '(?!zod|vitest|node:|\.)[^']+';$/gm,
    '// @ts-ignore: these types are not installed\n$&',
  );
  writeFileSync(join(types, file), ignored);
}
