/** The wished key, or the first numbered one that is free; added to the set of taken keys. */
export function freeKey(taken: Set<string>, wish: string): string {
  let key = wish;
  for (let number = 2; taken.has(key); number += 1) key = `${wish}-${number}`;
  taken.add(key);
  return key;
}
