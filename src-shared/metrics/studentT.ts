/** The 97.5% point of the standard normal distribution. */
export const Z95 = 1.959963984540054;

/** From here on the expansion in 1/ν is exact to ten digits. */
const minExpandedDegrees = 200;

const points = new Map<number, number>();

/**
 * The 97.5% point of Student's t distribution with ν degrees of freedom, which bounds the middle 95%
 * (docs/rules.md §3, Intervals). Requires an integer ν ≥ 1; decreases from 12.706 to 1.960. Relative
 * error below 1e-10. Sources: the finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4, solved by
 * Newton's method, and their expansion 26.7.5 from ν = 200 on.
 */
export function studentT95(degrees: number): number {
  const known = points.get(degrees);
  if (known !== undefined) return known;
  const point = degrees === 1 ? Math.tan(0.475 * Math.PI) : solve(degrees);
  points.set(degrees, point);
  return point;
}

function solve(degrees: number): number {
  let t = expanded(degrees);
  if (degrees >= minExpandedDegrees) return t;
  for (let step = 0; step < 50; step += 1) {
    const change = (middle(t, degrees) - 0.95) / (2 * density(t, degrees));
    t -= change;
    if (Math.abs(change) < 1e-14 * t) break;
  }
  return t;
}

/** P(|T| ≤ t) as a finite sum in θ = arctan(t/√ν). */
function middle(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const cosine = Math.cos(angle);
  const even = degrees % 2 === 0;
  let term = even ? 1 : cosine;
  let sum = term;
  for (let k = even ? 2 : 3; k < degrees; k += 2) {
    term *= (cosine * cosine * (k - 1)) / k;
    sum += term;
  }
  return even ? Math.sin(angle) * sum : (2 / Math.PI) * (angle + Math.sin(angle) * sum);
}

/** The density at t; its constant is a ratio of gamma functions, built up by their recurrence. */
function density(t: number, degrees: number): number {
  let scale = degrees % 2 === 0 ? 1 / (2 * Math.SQRT2) : 1 / Math.PI;
  for (let k = degrees % 2 === 0 ? 2 : 1; k < degrees; k += 2)
    scale *= ((k + 1) / k) * Math.sqrt(k / (k + 2));
  return scale * (1 + (t * t) / degrees) ** (-(degrees + 1) / 2);
}

function expanded(degrees: number): number {
  const z = Z95;
  const v = degrees;
  return (
    z +
    (z ** 3 + z) / (4 * v) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * v ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * v ** 3) +
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / (92160 * v ** 4)
  );
}
