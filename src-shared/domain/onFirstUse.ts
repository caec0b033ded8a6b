/** Makes a value when it is asked for the first time, and returns the same one from then on. */
export function onFirstUse<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
