export type Tree =
  string | number | bigint | boolean | null | readonly Tree[] | { readonly [key: string]: Tree };

type Side = 'both' | 'expected' | 'actual' | 'neither';

export interface AlignedLine {
  /** The path of the value, unique within the tree. */
  path: string;
  depth: number;
  /** The key or `[index]`; "" at the root of a plain value. */
  name: string;
  side: Side;
  /**
   * The value as text if it is a leaf; null for a node whose children follow, and for a side
   * without a value.
   */
  expected: string | null;
  actual: string | null;
  /** Both sides exist and their text differs. Only a hint: the verdict comes from the scorer. */
  differs: boolean;
}

function isObject(value: Tree | undefined): value is { readonly [key: string]: Tree } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Children by name, up to the limit; null for a leaf. */
function childrenOf(value: Tree | undefined, limit: number): Map<string, Tree> | null {
  if (Array.isArray(value))
    return value.length === 0
      ? null
      : new Map(value.slice(0, limit).map((item: Tree, index) => [`[${index}]`, item]));
  if (!isObject(value)) return null;
  const entries = Object.entries(value);
  return entries.length === 0 ? null : new Map(entries.slice(0, limit));
}

function sizeOf(value: Tree | undefined): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

function leafText(value: Tree | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

interface Options {
  /** True for an expected value that counts as one value although it is an object: a matcher. */
  isLeaf?: (expected: Tree) => boolean;
  /** Maximum number of lines, because a hostile reply may hold a million. */
  limit?: number;
}

/**
 * Aligns two values key by key: keys of the expected side in its order, then those that only the
 * actual side has. Two nodes of different kinds (an object and a list, a node and a leaf) are
 * compared as leaves.
 */
export function alignTrees(
  expected: Tree | undefined,
  actual: Tree | undefined,
  options: Options = {},
): { lines: AlignedLine[]; cut: boolean } {
  const { isLeaf = () => false, limit = 400 } = options;
  const lines: AlignedLine[] = [];
  let cut = false;

  const visit = (
    name: string,
    path: string,
    depth: number,
    left: Tree | undefined,
    right: Tree | undefined,
  ): void => {
    if (lines.length >= limit) {
      cut = true;
      return;
    }
    const leftChildren = left !== undefined && isLeaf(left) ? null : childrenOf(left, limit);
    const rightChildren = left !== undefined && isLeaf(left) ? null : childrenOf(right, limit);
    const sameKind = Array.isArray(left) === Array.isArray(right);
    const bothNodes = leftChildren !== null && rightChildren !== null && sameKind;
    const oneNode =
      (left === undefined && rightChildren !== null) ||
      (right === undefined && leftChildren !== null);
    const side = sideOf(left, right);
    if (!bothNodes && !oneNode) {
      const expectedText = leafText(left);
      const actualText = leafText(right);
      lines.push({
        path,
        depth,
        name,
        side,
        expected: expectedText,
        actual: actualText,
        differs: side === 'both' && expectedText !== actualText,
      });
      return;
    }
    lines.push({ path, depth, name, side, expected: null, actual: null, differs: false });
    if (sizeOf(left) > limit || sizeOf(right) > limit) cut = true;
    const names = new Set([...(leftChildren?.keys() ?? []), ...(rightChildren?.keys() ?? [])]);
    for (const child of names)
      visit(
        child,
        `${path}/${child}`,
        depth + 1,
        leftChildren?.get(child),
        rightChildren?.get(child),
      );
  };

  visit('', '', 0, expected, actual);
  return { lines, cut };
}

function sideOf(expected: Tree | undefined, actual: Tree | undefined): Side {
  if (expected !== undefined && actual !== undefined) return 'both';
  if (expected !== undefined) return 'expected';
  return actual === undefined ? 'neither' : 'actual';
}
