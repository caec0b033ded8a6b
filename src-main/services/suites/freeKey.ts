/**
 * Returns the preferred key, or the first numbered one that is free, and adds it to the taken keys.
 */
export function freeKey(taken: Set<string>, wish: string): string {
  let key = wish;
  for (let number = 2; taken.has(key); number += 1) key = `${wish}-${number}`;
  taken.add(key);
  return key;
}
