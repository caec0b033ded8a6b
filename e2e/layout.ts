import type { Page } from 'playwright';
import { sampled } from '../src-main/testing/nightly.ts';

/**
 * The sizes of a window in which every page is measured, the largest last. The first has as many CSS
 * pixels as one of 1,280 × 800 at a zoom of 200%.
 */
const smallest = [640, 400] as const;
const largest = [1440, 900] as const;
const sizes = sampled(
  [smallest, [1024, 700] as const, largest],
  (size) => size === smallest || size === largest,
);

/**
 * What is wrong with the layout of the open page, at every size. The themes share one layout, which
 * is proved at the smallest size; the colors of both are checked elsewhere. Leaves the window at the
 * largest size.
 */
export async function layoutFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    found.push(...(await layoutFaultsNow(page)).map((fault) => `${width}: ${fault}`));
    if (width === smallest[0] && (await page.evaluate(themeMovesBoxes)))
      found.push('dark: other boxes than in light');
  }
  return found;
}

/** The same at the size that the window has. */
export async function layoutFaultsNow(page: Page): Promise<string[]> {
  await settled(page);
  return page.evaluate(faultsInPage);
}

/** Waits until two frames in a row have the same boxes: charts and virtual rows measure themselves. */
const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      new Promise<boolean>((resolve) => {
        const state = (): string =>
          [...document.querySelectorAll('main, main *')]
            .map((one) => `${one.scrollWidth} ${one.scrollHeight}`)
            .join();
        requestAnimationFrame(() => {
          const first = state();
          requestAnimationFrame(() => {
            requestAnimationFrame(() => {
              resolve(first === state());
            });
          });
        });
      }),
    undefined,
    { timeout: 10_000 },
  );

/**
 * Runs in the page: whether the styles of the other theme give a part of the screen another box. One
 * task, so that nothing else changes between the two measurements, such as the text of a time.
 */
function themeMovesBoxes(): boolean {
  const boxes = (): string =>
    [...document.querySelectorAll('main > *, main > * > *, main > * > * > *')]
      .map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x, y, width, height].map(Math.round).join(' ');
      })
      .join('\n');
  const { dataset } = document.documentElement;
  const theme = dataset['mantineColorScheme'];
  const before = boxes();
  dataset['mantineColorScheme'] = theme === 'dark' ? 'light' : 'dark';
  const after = boxes();
  dataset['mantineColorScheme'] = theme;
  return before !== after;
}

/** Runs in the page: every fault with the element that has it. */
function faultsInPage(): string[] {
  const faults: string[] = [];
  const main = document.querySelector('main');
  if (main === null) return ['no main part'];

  const nameOf = (element: Element): string => {
    const label = element.getAttribute('aria-label') ?? '';
    const text = (label === '' ? element.textContent : label).trim().slice(0, 40);
    const [own = ''] = element.classList;
    return `<${element.localName}${own === '' ? '' : ` .${own}`}> “${text}”`;
  };
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 1 &&
      height > 1 &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    );
  };
  /** Whether somebody who points at the text reads the rest of it. */
  const tellsRest = (element: Element): boolean => {
    element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    return element.closest('[title]') !== null || element.querySelector('[title]') !== null;
  };
  const root = document.documentElement;

  // Only the screen scrolls, never the window.
  const [extraX, extraY] = [root.scrollWidth - innerWidth, root.scrollHeight - innerHeight];
  if (extraX > 0 || extraY > 0) faults.push(`the window scrolls by ${extraX}, ${extraY} px`);
  const sideways = main.scrollWidth - main.clientWidth;
  if (sideways > 0) faults.push(`the screen scrolls sideways by ${sideways} px`);
  // The screen ends where its content ends.
  const content = main.firstElementChild?.getBoundingClientRect().height ?? 0;
  const emptiness = main.scrollHeight - Math.max(main.clientHeight, Math.ceil(content));
  if (emptiness > 1) faults.push(`scrolls ${emptiness} px into emptiness`);

  // Strips have one row.
  for (const strip of document.querySelectorAll('nav, [role="tablist"]'))
    if (isShown(strip) && strip.scrollHeight > strip.clientHeight)
      faults.push(`${nameOf(strip)} is higher than its row`);

  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('svg') !== null || !isShown(element)) continue;
    const style = getComputedStyle(element);
    for (const [axis, overflow, size, room, at] of [
      ['sideways', style.overflowX, element.scrollWidth, element.clientWidth, element.scrollLeft],
      ['down', style.overflowY, element.scrollHeight, element.clientHeight, element.scrollTop],
    ] as const) {
      if (overflow !== 'auto' && overflow !== 'scroll') continue;
      const over = size - room;
      // A text field holds what somebody typed.
      if (over > 0 && over < 8 && element.localName !== 'textarea')
        faults.push(`${nameOf(element)} scrolls ${axis} by only ${over} px`);
      if (at > 0) faults.push(`${nameOf(element)} begins scrolled ${axis} by ${at} px`);
    }
    // What is cut tells the rest in a title, its own or that of what it stands in.
    const clipsX = style.overflowX === 'hidden' || style.overflowX === 'clip';
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
    );
    const isCut =
      clipsX &&
      (element.scrollWidth > element.clientWidth + 1 ||
        (style.webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight + 1));
    if (isCut && (hasText || style.textOverflow === 'ellipsis') && element.localName !== 'input')
      if (element.closest('.ts-visually-hidden') === null && !tellsRest(element))
        faults.push(`${nameOf(element)} is cut without a title`);
  }

  // No control is cut by what it stands in.
  for (const control of document.querySelectorAll(
    'main :is(button, a, input, select, textarea, summary, label)',
  )) {
    if (!isShown(control) || control.closest('.ts-visually-hidden') !== null) continue;
    const box = control.getBoundingClientRect();
    for (let outer = control.parentElement; outer !== null; outer = outer.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(outer);
      const inside = outer.getBoundingClientRect();
      const beyond = Math.max(box.right - inside.right, inside.left - box.left);
      const below = Math.max(box.bottom - inside.bottom, inside.top - box.top);
      if (overflowX === 'hidden' && beyond > 1)
        faults.push(`${nameOf(control)} is cut by ${Math.round(beyond)} px at a side`);
      if (overflowY === 'hidden' && below > 1 && below < box.height)
        faults.push(`${nameOf(control)} is cut by ${Math.round(below)} px at an edge`);
      // What scrolls shows the rest; what is fixed stands outside of the others.
      if (overflowX === 'auto' || overflowY === 'auto' || position === 'fixed') break;
    }
  }

  // No text is written over another one.
  const clippedTo = (box: DOMRect, element: Element): DOMRect => {
    let { left, right, top, bottom } = box;
    for (let outer: Element | null = element; outer !== null; outer = outer.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(outer);
      const inside = outer.getBoundingClientRect();
      if (overflowX !== 'visible') {
        left = Math.max(left, inside.left);
        right = Math.min(right, inside.right);
      }
      if (overflowY !== 'visible') {
        top = Math.max(top, inside.top);
        bottom = Math.min(bottom, inside.bottom);
      }
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  };
  /** What stays in its place while the rest scrolls lies above it. */
  const floorOf = (element: Element): Element | null => {
    for (let outer: Element | null = element; outer !== null; outer = outer.parentElement)
      if (/sticky|fixed|absolute/.test(getComputedStyle(outer).position)) return outer;
    return null;
  };
  const words: { element: Element; floor: Element | null; box: DOMRect }[] = [];
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element === null || node.textContent?.trim() === '' || !isShown(element)) continue;
    if (element.closest('svg, .cm-editor, .ts-visually-hidden') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const box = clippedTo(rect, element);
      if (box.width > 2 && box.height > 2) words.push({ element, floor: floorOf(element), box });
    }
  }
  words.sort((a, b) => a.box.top - b.box.top);
  for (const [at, { element, floor, box }] of words.entries())
    for (let next = at + 1; next < words.length; next += 1) {
      const other = words[next];
      if (other === undefined || other.box.top >= box.bottom) break;
      const down = Math.min(box.bottom, other.box.bottom) - other.box.top;
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const least = Math.min(box.height, other.box.height) / 2;
      if (other.floor === floor && across > 2 && down > least && other.element !== element)
        faults.push(`${nameOf(element)} and ${nameOf(other.element)} are written over each other`);
    }

  // A notice keeps a distance from what comes before and after it.
  const notices = [...main.querySelectorAll('[role="note"], [role="alert"]')].filter(isShown);
  // In a narrow window, an open panel covers the list that it belongs to.
  const layerOf = (element: Element): Element | null => element.closest('aside, [role="dialog"]');
  for (const notice of notices) {
    const box = notice.getBoundingClientRect();
    const { previousElementSibling: before, nextElementSibling: after } = notice;
    const others = main.querySelectorAll(
      'h1, h2, [role="note"], [role="tablist"], [role="grid"], table',
    );
    for (const other of [...others, before, after].filter((one) => one !== null)) {
      if (other === notice || !isShown(other) || notice.contains(other) || other.contains(notice))
        continue;
      if (layerOf(other) !== layerOf(notice)) continue;
      const near = other.getBoundingClientRect();
      const sideBySide = near.left >= box.right || near.right <= box.left;
      const gap = near.top >= box.bottom ? near.top - box.bottom : box.top - near.bottom;
      if (!sideBySide && gap < 8)
        faults.push(`${nameOf(notice)} stands ${Math.round(gap)} px from ${nameOf(other)}`);
    }
  }

  // One button leads on; a panel or a dialog has its own. What opens the other choices of a button
  // is a part of it.
  const filled = [...main.querySelectorAll('[data-variant="filled"]:is(button, a)')].filter(
    (button) =>
      isShown(button) &&
      button.closest('aside, [role="dialog"]') === null &&
      !button.matches('.mantine-ButtonGroup-group > :not(:first-child)'),
  );
  if (filled.length > 1)
    faults.push(`${filled.length} filled buttons: ${filled.map(nameOf).join(', ')}`);
  // What a person sees first offers few things to press. Marks of a chart and cells are its data.
  const buttons = [...main.querySelectorAll('button, [role="button"]')].filter((button) => {
    const { top, bottom } = button.getBoundingClientRect();
    return (
      isShown(button) &&
      top < innerHeight &&
      bottom > 0 &&
      button.closest('figure, [role="application"], [role="gridcell"]') === null
    );
  });
  if (buttons.length > 40) faults.push(`${buttons.length} buttons in the first view`);
  return [...new Set(faults)];
}
