/** What all drawings share: quiet lines, muted labels, no animation. */
export const grid = { stroke: 'var(--ts-line)', vertical: false } as const;
export const tick = { fill: 'var(--ts-ink-muted)', fontSize: 11.5 } as const;
export const axisLine = { stroke: 'var(--ts-line-strong)' } as const;
export const noMotion = { isAnimationActive: false } as const;

export function xTitle(text: string) {
  return {
    value: text,
    position: 'insideBottom',
    offset: -2,
    fill: 'var(--ts-ink-muted)',
  } as const;
}

export function yTitle(text: string) {
  return {
    value: text,
    angle: -90,
    position: 'insideLeft',
    offset: 4,
    style: { textAnchor: 'middle', fill: 'var(--ts-ink-muted)' },
  } as const;
}
