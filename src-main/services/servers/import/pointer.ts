import type { Path } from './serverFile.ts';

/** JSON pointer (RFC 6901). */
export function pointer(path: Path): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
