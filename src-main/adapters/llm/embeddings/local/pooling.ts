/**
 * One vector of a text from the vectors of its tokens. `mean`: v = Σ over tokens of h_t ÷ tokens, as
 * sentence encoders are trained; `first`: v = h_1, the token that stands for the whole text. Padding
 * has no influence. All zeros without a token.
 *
 * @param values the vectors of the tokens, one after the other
 * @param depth length of each vector
 * @param tokens number of tokens before the padding
 */
export function poolTokens(
  values: Float32Array,
  depth: number,
  tokens: number,
  pooling: 'mean' | 'first',
): Float32Array {
  if (pooling === 'first') return values.slice(0, depth);
  const sum = new Float32Array(depth);
  for (let token = 0; token < tokens; token += 1)
    for (let at = 0; at < depth; at += 1)
      sum[at] = (sum[at] ?? 0) + (values[token * depth + at] ?? 0);
  return sum.map((value) => value / Math.max(1, tokens));
}

/** The vector of length 1 in the same direction; zeros stay zeros. */
export function unitVector(values: Float32Array): Float32Array {
  const length = Math.hypot(...values);
  return length === 0 ? Float32Array.from(values) : values.map((value) => value / length);
}
