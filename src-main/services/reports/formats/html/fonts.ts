import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programFiles } from '../../../../runtime/programFiles.ts';

interface Font {
  family: string;
  /** The font's package, and the start of its file's name there and in the built window. */
  source: string;
  file: string;
  weights: string;
}

/** The type of the window: Latin letters, all weights in one file each (48 and 40 KB). */
const fonts: readonly Font[] = [
  {
    family: 'Inter Variable',
    source: 'inter',
    file: 'inter-latin-wght-normal',
    weights: '100 900',
  },
  {
    family: 'JetBrains Mono Variable',
    source: 'jetbrains-mono',
    file: 'jetbrains-mono-latin-wght-normal',
    weights: '100 800',
  },
];

/** The window's build holds the files under hashed names; without it, the packages do. */
function readFont({ source, file }: Font): Buffer | null {
  const folders = [
    join(programFiles.renderer, 'assets'),
    join(programFiles.root, 'node_modules', '@fontsource-variable', source, 'files'),
  ];
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    const name = readdirSync(folder).find(
      (each) => each.startsWith(file) && each.endsWith('.woff2'),
    );
    if (name !== undefined) return readFileSync(join(folder, name));
  }
  return null;
}

let faces: string | undefined;

/**
 * The fonts as style rules with their bytes, about 120 KB: a report is one file that loads nothing.
 * Letters that they lack, and all if the program is incomplete, are shown in the system's type.
 */
export function fontFaces(): string {
  faces ??= fonts
    .map((font) => {
      const bytes = readFont(font);
      if (!bytes) return '';
      return (
        `@font-face{font-family:"${font.family}";font-weight:${font.weights};font-display:block;` +
        `src:url(data:font/woff2;base64,${bytes.toString('base64')}) format("woff2")}\n`
      );
    })
    .join('');
  return faces;
}
