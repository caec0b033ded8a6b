import { download, saveTextFile } from '../files/saveTextFile.ts';

/** Properties that come from style sheets and tokens, which a saved file does not have. */
const painted = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'visibility',
] as const;

const space = { title: 34, edge: 12 };

/**
 * A chart as an SVG file that looks the same anywhere: computed colors and fonts are written into
 * it, with the finding above and the page's background behind. What the chart draws on a canvas
 * below becomes a picture in the file.
 */
function toStandaloneSvg(
  svg: SVGSVGElement,
  title: string,
  canvas: HTMLCanvasElement | null = null,
): string {
  const { width, height, left, top } = svg.getBoundingClientRect();
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll<SVGElement>('*');
  copy.querySelectorAll<SVGElement>('*').forEach((element, at) => {
    const original = originals[at];
    if (!original) return;
    const style = getComputedStyle(original);
    element.removeAttribute('style');
    element.removeAttribute('class');
    for (const name of painted) element.setAttribute(name, style.getPropertyValue(name));
  });
  if (canvas !== null) {
    const place = canvas.getBoundingClientRect();
    const picture = document.createElementNS('http://www.w3.org/2000/svg', 'image');
    picture.setAttribute('href', canvas.toDataURL());
    picture.setAttribute('x', String(place.left - left));
    picture.setAttribute('y', String(place.top - top));
    picture.setAttribute('width', String(place.width));
    picture.setAttribute('height', String(place.height));
    copy.prepend(picture);
  }
  const page = getComputedStyle(document.documentElement);
  const ink = page.getPropertyValue('--ts-ink').trim();
  const raised = page.getPropertyValue('--ts-raised').trim();
  const [fullWidth, fullHeight] = [width + 2 * space.edge, height + space.title + space.edge];
  const namespace = 'http://www.w3.org/2000/svg';
  const outer = document.createElementNS(namespace, 'svg');
  outer.setAttribute('xmlns', namespace);
  outer.setAttribute('width', String(fullWidth));
  outer.setAttribute('height', String(fullHeight));
  outer.setAttribute('viewBox', `0 0 ${fullWidth} ${fullHeight}`);
  const background = document.createElementNS(namespace, 'rect');
  background.setAttribute('width', '100%');
  background.setAttribute('height', '100%');
  background.setAttribute('fill', raised);
  const heading = document.createElementNS(namespace, 'text');
  heading.setAttribute('x', String(space.edge));
  heading.setAttribute('y', '22');
  heading.setAttribute('fill', ink);
  heading.setAttribute('font-family', 'Inter, system-ui, sans-serif');
  heading.setAttribute('font-size', '14');
  heading.setAttribute('font-weight', '600');
  heading.textContent = title;
  copy.removeAttribute('style');
  copy.removeAttribute('class');
  copy.setAttribute('x', String(space.edge));
  copy.setAttribute('y', String(space.title));
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  outer.append(background, heading, copy);
  return new XMLSerializer().serializeToString(outer);
}

export function saveChartSvg(
  svg: SVGSVGElement,
  fileName: string,
  title: string,
  canvas: HTMLCanvasElement | null,
): Promise<void> {
  saveTextFile(`${fileName}.svg`, toStandaloneSvg(svg, title, canvas), 'image/svg+xml');
  return Promise.resolve();
}

/** A PNG at twice the size on screen, so that it stays sharp in slides. */
export async function saveChartPng(
  svg: SVGSVGElement,
  fileName: string,
  title: string,
  canvas: HTMLCanvasElement | null,
): Promise<void> {
  const text = toStandaloneSvg(svg, title, canvas);
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await picture.decode();
  const enlarged = document.createElement('canvas');
  enlarged.width = picture.width * 2;
  enlarged.height = picture.height * 2;
  enlarged.getContext('2d')?.drawImage(picture, 0, 0, enlarged.width, enlarged.height);
  const blob = await new Promise<Blob | null>((resolve) => enlarged.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('The browser couldn’t draw the picture. Export SVG instead.');
  download({ fileName: `${fileName}.png`, parts: [blob], type: 'image/png' });
}
