import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import type { ReportsParts } from './exportReport.ts';

/** Results written as files, in parts. What writes them is loaded for the first report. */
export class ReportsService implements ServiceFor<'reports'> {
  readonly #parts: ReportsParts;

  constructor(parts: ReportsParts) {
    this.#parts = parts;
  }

  /**
   * Writes the report of an evaluation of cases or tasks. Throws CONFLICT while it runs, or when it
   * changed during the export.
   */
  async *export(
    request: Input<'reports', 'export'>,
    { signal }: CallOptions,
  ): AsyncIterable<Output<'reports', 'export'>> {
    const { exportReport } = await import('./exportReport.ts');
    yield* exportReport(this.#parts, request, signal);
  }

  /** Writes the report of any other screen. */
  async *exportShown(
    request: Input<'reports', 'exportShown'>,
    { signal }: CallOptions,
  ): AsyncIterable<Output<'reports', 'exportShown'>> {
    const { exportShown } = await import('./exportReport.ts');
    yield* exportShown(this.#parts, request, signal);
  }
}
