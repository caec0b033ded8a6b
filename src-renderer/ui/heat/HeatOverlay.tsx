import { firstCharacters, visibleText } from '../text/Foreign.tsx';
import { seriesInk } from '../charts/seriesStyle.tsx';
import {
  calloutRadius,
  characterWidth,
  fitsBeside,
  maxColumnName,
  minNumberScale,
  placeCallouts,
  type HeatLayout,
  type HeatMark,
} from './heatLayout.ts';
import type { HeatBand, HeatCell, HeatView } from './heatPicture.ts';
import classes from './HeatMap.module.css';

export interface HeatOverlayProps {
  layout: HeatLayout;
  view: HeatView;
  bands: readonly HeatBand[];
  nameOf: (row: number) => string;
  marks: readonly HeatMark[];
  current: HeatCell;
  selected: HeatCell | null;
}

const minBlock = 8;

const short = (text: string, width: number): string => {
  const fits = Math.max(1, Math.floor(width / characterWidth));
  const shown = visibleText(firstCharacters(text, 200));
  return shown.length > fits ? `${firstCharacters(shown, fits - 1)}…` : shown;
};

/** Axes, blocks, numbers and the cursor above the cells. Screen readers get the readout. */
export function HeatOverlay(props: HeatOverlayProps) {
  const { layout, view, bands } = props;
  const { left, top, side, scale } = layout;
  const x = (column: number): number =>
    left + Math.min(side, Math.max(0, (column - view.column) * scale));
  const y = (row: number): number => top + Math.min(side, Math.max(0, (row - view.row) * scale));
  return (
    <>
      <Blocks bands={bands} x={x} y={y} />
      {bands.map((band, at) => (
        <BandLabels
          key={band.start}
          band={band}
          ink={seriesInk(at)}
          layout={layout}
          vertical={[y(band.start), y(band.start + band.size)]}
          horizontal={[x(band.start), x(band.start + band.size)]}
        />
      ))}
      {layout.named && <Names {...props} />}
      <Cursor {...props} />
      {placeCallouts(props.marks, view, layout).map(({ mark, x: cellX, y: cellY, atX, atY }) => (
        <g key={mark.number}>
          {scale < minNumberScale && (
            <>
              <path className={classes.leader} d={`M${cellX} ${cellY}L${atX} ${atY}`} />
              <circle className={classes.callout} cx={atX} cy={atY} r={calloutRadius} />
            </>
          )}
          <text className={classes.number} x={atX} y={atY + 4} textAnchor="middle">
            {mark.number}
          </text>
        </g>
      ))}
    </>
  );
}

type Place = (at: number) => number;

/** Outlines of servers by servers. */
function Blocks({ bands, x, y }: { bands: readonly HeatBand[]; x: Place; y: Place }) {
  return bands.flatMap((rows, at) =>
    bands.slice(0, at + 1).flatMap((columns) => {
      const [fromX, toX] = [x(columns.start), x(columns.start + columns.size)];
      const [fromY, toY] = [y(rows.start), y(rows.start + rows.size)];
      return toX - fromX < minBlock || toY - fromY < minBlock
        ? []
        : [
            <rect
              key={`${rows.start} ${columns.start}`}
              className={classes.block}
              x={fromX - 0.5}
              y={fromY - 0.5}
              width={toX - fromX}
              height={toY - fromY}
            />,
          ];
    }),
  );
}

interface BandLabelsProps {
  band: HeatBand;
  ink: string;
  layout: HeatLayout;
  vertical: readonly [number, number];
  horizontal: readonly [number, number];
}

function BandLabels({ band, ink, layout, vertical, horizontal }: BandLabelsProps) {
  const { left, top, side, named } = layout;
  const [height, width] = [vertical[1] - vertical[0], horizontal[1] - horizontal[0]];
  const middle = (vertical[0] + vertical[1]) / 2;
  const fitsBelow = band.name.length * characterWidth <= width - 4;
  return (
    <g>
      {height > 1 && (
        <rect x={left - 7} y={vertical[0]} width={3} height={Math.max(1, height - 1)} fill={ink} />
      )}
      {width > 1 && (
        <rect
          x={horizontal[0]}
          y={top + side + 4}
          width={Math.max(1, width - 1)}
          height={3}
          fill={ink}
        />
      )}
      {!named && height >= 13 && (
        <text
          className={classes.band}
          x={left - 12}
          y={middle + (height >= 30 ? -2 : 4)}
          textAnchor="end"
        >
          {short(band.name, left - 16)}
        </text>
      )}
      {!named && height >= 30 && (
        <text className={classes.size} x={left - 12} y={middle + 12} textAnchor="end">
          {band.size} {band.size === 1 ? 'tool' : 'tools'}
        </text>
      )}
      {named &&
        height >= 13 &&
        fitsBeside(layout, horizontal[1] + 6, vertical[0] + 12, band.name.length) && (
          <text className={classes.band} x={horizontal[1] + 6} y={vertical[0] + 12}>
            {short(band.name, layout.width)}
          </text>
        )}
      {!named && fitsBelow && (
        <text
          className={classes.band}
          x={(horizontal[0] + horizontal[1]) / 2}
          y={top + side + 21}
          textAnchor="middle"
        >
          {short(band.name, width)}
        </text>
      )}
    </g>
  );
}

function Names({ layout, view, nameOf }: HeatOverlayProps) {
  const { left, top, side, scale } = layout;
  const first = Math.ceil(view.row - 0.5);
  const rows = Array.from({ length: Math.ceil(view.size) + 1 }, (_, at) => at);
  return rows.flatMap((at) => {
    const row = first + at;
    const column = Math.ceil(view.column - 0.5) + at;
    const y = top + (row - view.row + 0.5) * scale;
    const x = left + (column - view.column + 0.5) * scale;
    return [
      y > top && y < top + side && nameOf(row) !== '' ? (
        <text key={`row ${at}`} className={classes.name} x={left - 11} y={y + 4} textAnchor="end">
          {short(nameOf(row), left - 16)}
        </text>
      ) : null,
      x > left && x < left + side && nameOf(column) !== '' ? (
        <text
          key={`column ${at}`}
          className={classes.name}
          transform={`translate(${x + 4} ${top + side + 12}) rotate(-55)`}
          textAnchor="end"
        >
          {short(nameOf(column), maxColumnName)}
        </text>
      ) : null,
    ];
  });
}

function Cursor({ layout, view, current, selected }: HeatOverlayProps) {
  const { left, top, side, scale } = layout;
  const box = ({ row, column }: HeatCell) => {
    const size = Math.max(scale, 7);
    return {
      x: left + (column - view.column + 0.5) * scale - size / 2,
      y: top + (row - view.row + 0.5) * scale - size / 2,
      width: size,
      height: size,
    };
  };
  const isVisible = ({ row, column }: HeatCell): boolean =>
    row >= view.row - 0.5 &&
    row < view.row + view.size &&
    column >= view.column - 0.5 &&
    column < view.column + view.size;
  const cross = selected ?? current;
  const { x, y, width, height } = box(cross);
  return (
    <>
      {isVisible(cross) && (
        <path
          className={classes.cross}
          d={`M${left - 3} ${y + height / 2}H${x}M${x + width / 2} ${y + height}V${top + side + 3}`}
        />
      )}
      {isVisible(current) && <rect className={classes.cursor} {...box(current)} />}
      {selected && isVisible(selected) && <rect className={classes.selected} {...box(selected)} />}
    </>
  );
}
