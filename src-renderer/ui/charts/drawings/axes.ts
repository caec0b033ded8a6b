import { firstCharacters, visibleText } from '../../text/Foreign.tsx';

/** What all drawings share: quiet lines, muted labels, no animation. */
export const grid = { stroke: 'var(--ts-line)', vertical: false } as const;
const tick = { fill: 'var(--ts-ink-muted)', fontSize: 11.5 } as const;
/** An axis with a line, and one beside it without. */
export const xAxis = {
  tick,
  tickLine: false,
  axisLine: { stroke: 'var(--ts-line-strong)' },
} as const;
export const yAxis = { tick, tickLine: false, axisLine: false } as const;
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

/** The labels of an axis that has a row per name, each cut to `max` characters. */
export const rowAxis = (rows: readonly { name: string }[], max: number) =>
  ({
    ...yAxis,
    type: 'category',
    dataKey: 'key',
    interval: 0,
    tickFormatter: (at: number): string => {
      const name = visibleText(rows[at]?.name ?? '');
      return name.length > max ? `${firstCharacters(name, max - 1)}…` : name;
    },
  }) as const;
