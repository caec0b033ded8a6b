/** The same function, which computes each result once. It holds all results as long as it lives. */
export function remember<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as Value;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
