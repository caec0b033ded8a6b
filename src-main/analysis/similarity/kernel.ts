import { kernelBytes } from './kernelBytes.ts';

/**
 * The inner loops of the similarity in WebAssembly. No published package has them: BLAS builds for
 * WebAssembly multiply whole matrices, and no dependency may compile at installation. The sources
 * are the `.wat` files of this folder, the bytes are committed, and a test compiles them again.
 */
export type KernelName = keyof typeof kernelBytes;

const compiled = new Map<KernelName, object>();

/** The one function of a kernel on a shared memory; its code is compiled once in a thread. */
export function openKernel(
  name: KernelName,
  memory: WebAssembly.Memory,
): (...given: number[]) => void {
  const module =
    compiled.get(name) ??
    new WebAssembly.Module(Uint8Array.from(Buffer.from(kernelBytes[name], 'base64')));
  compiled.set(name, module);
  const { run } = new WebAssembly.Instance(module, { host: { memory } }).exports;
  if (typeof run !== 'function') throw new Error(`The kernel ${name} exports no function.`);
  return (...given) => {
    Reflect.apply(run, null, given);
  };
}
