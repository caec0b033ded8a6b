import type { EventEmitter } from 'node:events';

/** Emits an event that its listeners may prevent; true if one did. */
export function preventable(
  emitter: EventEmitter,
  name: string,
  params: object = {},
  ...more: unknown[]
): boolean {
  const event = {
    ...params,
    defaultPrevented: false,
    preventDefault: () => void (event.defaultPrevented = true),
  };
  emitter.emit(name, event, ...more);
  return event.defaultPrevented;
}
