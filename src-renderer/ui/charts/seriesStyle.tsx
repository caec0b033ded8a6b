/** Color-blind-safe in both themes; each series also has a shape of its own. */
const inks = [
  'var(--ts-accent-ink)',
  'var(--ts-wrong-tool-ink)',
  'var(--ts-passed-ink)',
  'var(--ts-unneeded-ink)',
  'var(--ts-no-tool-ink)',
  'var(--ts-not-scored-ink)',
];

export function seriesInk(at: number): string {
  return inks[at % inks.length] ?? 'var(--ts-ink)';
}

export function SeriesShape({ at, x, y }: { at: number; x: number; y: number }) {
  /** Half of its width, in pixels. */
  const r = 4;
  switch (at % 4) {
    case 0:
      return <circle cx={x} cy={y} r={r} />;
    case 1:
      return <rect x={x - r + 0.5} y={y - r + 0.5} width={2 * r - 1} height={2 * r - 1} />;
    case 2:
      return <path d={`M${x} ${y - r - 1} L${x + r + 1} ${y + r} L${x - r - 1} ${y + r} Z`} />;
    default:
      return (
        <path d={`M${x} ${y - r - 1} L${x + r + 1} ${y} L${x} ${y + r + 1} L${x - r - 1} ${y} Z`} />
      );
  }
}

/** The names of the series with their colors and shapes. */
export function Legend({ names, className }: { names: readonly string[]; className?: string }) {
  return (
    <ul className={className}>
      {names.map((name, at) => (
        <li key={name}>
          <svg width={12} height={12} aria-hidden fill={seriesInk(at)}>
            <SeriesShape at={at} x={6} y={6} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
