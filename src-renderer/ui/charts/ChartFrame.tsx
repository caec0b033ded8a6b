import { ActionIcon, Menu } from '@mantine/core';
import { IconChartLine, IconDownload, IconTable } from '@tabler/icons-react';
import { Suspense, useId, useRef, useState, type ReactNode } from 'react';
import { PlainTable } from '../table/PlainTable.tsx';
import { PlainText } from '../text/PlainText.tsx';
import { saveChartPng, saveChartSvg } from './saveChart.ts';
import classes from './charts.module.css';

export interface ChartTable {
  heads: readonly string[];
  /** The indexes of columns with numbers. */
  numeric: readonly number[];
  rows: readonly (readonly string[])[];
}

interface ChartFrameProps {
  /** The finding, as a sentence: "Pass rate rose from 51% to 64%". */
  title: string;
  /** What the numbers are: unit, n, encoding, period. */
  note?: string;
  /** The name of exported files, without its ending. */
  fileName: string;
  /** The same numbers as a table. */
  table: ChartTable;
  /** In pixels; a drawing that knows its own height has `auto`. */
  height: number | 'auto';
  /** The drawing; it is loaded when it is first shown. */
  children: ReactNode;
  /** Controls to the left of table and export. */
  aside?: ReactNode;
}

/**
 * A chart with its finding as the title, a table of the same numbers, and its export. Screen
 * readers get the table; the drawing is a picture.
 */
export function ChartFrame(props: ChartFrameProps) {
  const { title, note, fileName, table, height, children, aside } = props;
  const id = useId();
  const drawing = useRef<HTMLDivElement>(null);
  const [asTable, setAsTable] = useState(false);
  const save = (by: typeof saveChartSvg): void => {
    const svg = drawing.current?.querySelector<SVGSVGElement>(
      'svg.recharts-surface, svg[data-chart]',
    );
    if (svg) void by(svg, fileName, title, drawing.current?.querySelector('canvas') ?? null);
  };
  return (
    <figure className={classes.frame} aria-labelledby={id}>
      <figcaption className={classes.head}>
        <div className={classes.titles}>
          <PlainText as="h3" id={id} className={classes.title} text={title} />
          {note !== undefined && <PlainText as="p" className={classes.note} text={note} />}
        </div>
        {aside}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={asTable ? 'Show as chart' : 'Show as table'}
          title={asTable ? 'Show as chart' : 'Show as table'}
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? <IconChartLine size={16} /> : <IconTable size={16} />}
        </ActionIcon>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Export chart"
              title="Export chart"
              disabled={asTable}
            >
              <IconDownload size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => save(saveChartPng)}>PNG picture</Menu.Item>
            <Menu.Item onClick={() => save(saveChartSvg)}>SVG picture</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </figcaption>
      {asTable ? (
        <NumbersTable table={table} title={title} height={height} />
      ) : (
        <div ref={drawing} className={classes.drawing} style={{ height }}>
          <Suspense fallback={<div className={classes.waiting} aria-busy />}>{children}</Suspense>
        </div>
      )}
    </figure>
  );
}

function NumbersTable(props: { table: ChartTable; title: string; height: number | 'auto' }) {
  const { table, title, height } = props;
  return (
    <div
      className={classes.numbers}
      style={{ maxHeight: height === 'auto' ? 480 : Math.max(height, 240) }}
      tabIndex={0}
      role="region"
      aria-label={title}
    >
      <PlainTable
        stickyHeader
        withTableBorder={false}
        verticalSpacing={5}
        horizontalSpacing="xs"
        fz={13}
        heads={table.heads}
        numeric={table.numeric}
        rows={table.rows.map((row, key) => ({
          key,
          cells: row.map((text) => <PlainText text={text} />),
        }))}
      />
    </div>
  );
}
