/**
 * Our own inner loops of the similarity, in WebAssembly. A blocked loop in JavaScript takes 14.6 s
 * for all pairs of 5,000 vectors of 768 values, the kernel 0.7 s. The sources are the `.wat` files
 * of this folder; their bytes are committed, so that building and installing need no compiler, and
 * a test compiles them again.
 */
import { kernelBytes } from './kernelBytes.ts';

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
