import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { readToolPage, type ToolPageParts } from './readToolPage.ts';

/** What is known of the tools of registered servers, gathered from everything that is stored. */
export class ToolsService implements ServiceFor<'tools'> {
  readonly #parts: ToolPageParts;

  constructor(parts: ToolPageParts) {
    this.#parts = parts;
  }

  get(
    { server, tool }: Input<'tools', 'get'>,
    { signal }: CallOptions,
  ): Promise<Output<'tools', 'get'>> {
    return readToolPage(this.#parts, { server, name: tool }, signal);
  }
}
