/**
 * The value of work that says no by throwing (a parser, a look at a file), or another value in its
 * place. For work where the reason doesn't matter; where it does, catch the error.
 */
export function orElse<Value, Other>(work: () => Value, otherwise: Other): Value | Other {
  try {
    return work();
  } catch {
    // The caller says with `otherwise` what no value means.
    return otherwise;
  }
}
