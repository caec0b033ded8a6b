import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import { ResponsiveContainer, Treemap, type TreemapNode } from 'recharts';
import { firstCharacters, visibleText } from '../../text/Foreign.tsx';
import classes from '../charts.module.css';
import { seriesInk } from '../seriesStyle.tsx';
import { fitFirst, fitText, groupHead, insideGroup, type Box } from '../treemapBoxes.ts';

interface TreemapItem {
  id: string;
  name: string;
  value: number;
  hatched: boolean;
}

interface TreemapGroup {
  name: string;
  items: readonly TreemapItem[];
}

export interface TreemapProps {
  groups: readonly TreemapGroup[];
  format: (value: number) => string;
  /** What the area and the hatch stand for; no hatch is explained if no item is hatched. */
  areaMeaning: string;
  hatchMeaning: string;
  selected: string | null;
  onOpen: (id: string) => void;
}

/** Mean widths of a character in headings and items, in pixels. */
const headCharacter = 6.5;
const itemCharacter = 6.2;

/**
 * Groups of rectangles, the largest first: hue tells the groups apart, area is the value. One tab
 * stop; arrow keys move through the items in the order of their size.
 */
export default function TreemapDrawing(props: TreemapProps) {
  const { groups, areaMeaning, hatchMeaning } = props;
  const hatch = `hatch-${useId().replaceAll(/[^a-z0-9]/gi, '')}`;
  const order = groups.flatMap(({ items }) => items.map(({ id }) => id));
  const [cursor, setCursor] = useState<string | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const current = cursor !== null && order.includes(cursor) ? cursor : (order[0] ?? null);
  const focused = useRef<string | null>(null);
  const hold = useCallback((id: string | null) => (focused.current = id), []);
  const holds = useCallback((id: string) => focused.current === id, []);
  const { selected } = props;
  const before = useRef(selected);
  useEffect(() => {
    // The panel of an item that was open may have returned the focus to a drawing that is gone.
    if (selected === null && before.current !== null && document.activeElement === document.body) {
      hold(before.current);
      itemOf(area.current, before.current)?.focus();
    }
    before.current = selected;
  }, [selected, hold]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = current === null ? -1 : order.indexOf(current);
    const to = targetOf(event.key, at, order.length);
    const next = to === null ? undefined : order[to];
    if (next === undefined) return;
    event.preventDefault();
    setCursor(next);
    itemOf(area.current, next)?.focus();
  };
  const data = groups.map(({ name, items }, at) => ({
    name,
    at,
    children: items.map((item) => ({ ...item })),
  }));
  return (
    <>
      <div className={classes.plot} ref={area} onKeyDown={onKeyDown}>
        <ResponsiveContainer width="100%" height="100%">
          <Treemap
            data={data}
            dataKey="value"
            nameKey="name"
            aspectRatio={4 / 3}
            isAnimationActive={false}
            content={(node) =>
              node.depth === 1 ? (
                <Group node={node} {...{ hatch, current, setCursor, hold, holds }} {...props} />
              ) : (
                <g />
              )
            }
          >
            <HatchPattern id={hatch} />
          </Treemap>
        </ResponsiveContainer>
      </div>
      <ul className={classes.legend}>
        <li>
          <svg width={24} height={12} aria-hidden>
            <rect width={24} height={12} rx={2} className={classes.sample} />
          </svg>
          {areaMeaning}
        </li>
        {groups.some(({ items }) => items.some(({ hatched }) => hatched)) && (
          <li>
            <svg width={24} height={12} aria-hidden>
              <rect width={24} height={12} rx={2} className={classes.sample} />
              <rect width={24} height={12} rx={2} fill={`url(#${hatch})`} />
            </svg>
            {hatchMeaning}
          </li>
        )}
      </ul>
    </>
  );
}

const itemOf = (area: Element | null, id: string): SVGElement | null =>
  area?.querySelector<SVGElement>(`[data-item="${CSS.escape(id)}"]`) ?? null;

/** Where a key leads from position `at`; null if it does nothing. */
function targetOf(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(count - 1, at + 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

function HatchPattern({ id }: { id: string }) {
  return (
    <defs>
      <pattern
        id={id}
        width={7}
        height={7}
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path d="M0 0V7" stroke="var(--ts-raised)" strokeWidth={3.2} />
      </pattern>
    </defs>
  );
}

interface GroupProps extends TreemapProps {
  node: TreemapNode;
  hatch: string;
  current: string | null;
  setCursor: (id: string) => void;
  /** Remembers which item has the focus, until something else takes it. */
  hold: (id: string | null) => void;
  holds: (id: string) => boolean;
}

/** A group with its heading and its items, which the library lays out over the whole group. */
function Group({ node, ...rest }: GroupProps) {
  const ink = seriesInk(Number(node['at'] ?? node.index));
  const box: Box = { x: node.x, y: node.y, width: node.width, height: node.height };
  const head = groupHead(box);
  const name = visibleText(firstCharacters(node.name, 60));
  const texts = [rest.format(node.value), formatCount(node.value)].map(
    (number) => `${name} · ${number}`,
  );
  const width = box.width - 12;
  return (
    <g>
      <rect
        x={box.x + 1}
        y={box.y + 1}
        width={Math.max(0, box.width - 2)}
        height={Math.max(0, box.height - 2)}
        style={{ fill: `color-mix(in oklab, ${ink} 12%, var(--ts-raised))`, stroke: ink }}
      />
      {head > 0 && (
        <text x={box.x + 7} y={box.y + 15} fill="var(--ts-ink)" fontWeight={600} stroke="none">
          {fitFirst([...texts, name], width, headCharacter)}
        </text>
      )}
      {(node.children ?? []).map((child) => (
        <Item
          key={String(child['id'])}
          item={child as unknown as TreemapItem}
          box={insideGroup(child, box, head)}
          ink={ink}
          group={node.name}
          {...rest}
        />
      ))}
    </g>
  );
}

interface ItemProps extends Omit<GroupProps, 'node'> {
  item: TreemapItem;
  box: Box;
  ink: string;
  group: string;
}

function Item({ item, box, ink, group, ...rest }: ItemProps) {
  const { hatch, current, setCursor, hold, holds, format, hatchMeaning, selected, onOpen } = rest;
  const element = useRef<SVGGElement>(null);
  useEffect(() => {
    // The library redraws its elements when the size changes; the focus must not be lost.
    if (holds(item.id) && document.activeElement === document.body) element.current?.focus();
  }, [holds, item.id]);
  const open = (): void => {
    setCursor(item.id);
    onOpen(item.id);
  };
  const name = visibleText(firstCharacters(item.name, 100));
  const label = [`${name} of ${visibleText(firstCharacters(group, 60))}`, format(item.value)];
  const { x, y, width, height } = box;
  const chosen = selected === item.id;
  return (
    <>
      <g
        ref={element}
        className={classes.link}
        role="button"
        data-item={item.id}
        tabIndex={current === item.id ? 0 : -1}
        aria-pressed={chosen}
        aria-label={[...label, ...(item.hatched ? [hatchMeaning] : [])].join(', ')}
        onFocus={() => {
          hold(item.id);
          setCursor(item.id);
        }}
        onBlur={({ relatedTarget }) => {
          if (relatedTarget !== null) hold(null);
        }}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          open();
        }}
      >
        <title>{`${label.join(': ')}${item.hatched ? `\n${hatchMeaning}` : ''}`}</title>
        <rect
          {...{ x, y, width, height }}
          rx={2}
          style={{
            fill: `color-mix(in oklab, ${ink} 30%, var(--ts-raised))`,
            stroke: chosen ? 'var(--ts-ink)' : 'var(--ts-raised)',
            strokeWidth: chosen ? 2.5 : 1,
          }}
        />
        {item.hatched && (
          <rect {...{ x, y, width, height }} rx={2} fill={`url(#${hatch})`} opacity={0.75} />
        )}
      </g>
      <g aria-hidden pointerEvents="none" fill="var(--ts-ink)" stroke="none">
        {width >= 36 && height >= 18 && (
          <text x={x + 5} y={y + 14}>
            {fitText(name, width - 8, itemCharacter)}
          </text>
        )}
        {width >= 36 && height >= 34 && (
          <text x={x + 5} y={y + 28}>
            {fitText(formatCount(item.value), width - 8, itemCharacter)}
          </text>
        )}
      </g>
    </>
  );
}
