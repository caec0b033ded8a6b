/** A program that is started by itself, next to the module of `url`: its source, or what it was built to. */
export const besideModule = (url: string, name: string): URL =>
  new URL(url.endsWith('.ts') ? `./${name}.ts` : `./${name}.js`, url);
