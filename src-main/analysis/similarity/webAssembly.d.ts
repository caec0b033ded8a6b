/** What the tile uses of WebAssembly: the types of Node leave it to those of a page. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: SharedArrayBuffer;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  const Memory: new (descriptor: { initial: number; maximum: number; shared: true }) => Memory;
  const Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  const Instance: new (module: object, imports: { host: { memory: Memory } }) => Instance;
}
