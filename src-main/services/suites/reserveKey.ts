/**
 * Returns the preferred key, or the first numbered one that is free, and adds it to the taken keys.
 */
export function reserveKey(taken: Set<string>, preferred: string): string {
  let key = preferred;
  for (let number = 2; taken.has(key); number += 1) key = `${preferred}-${number}`;
  taken.add(key);
  return key;
}
