import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { WorkerPool } from '../../adapters/process/workerPool.ts';
import { cutDepth } from '../../scoring/depth.ts';
import type { SchemaProblem } from '../../scoring/schemaCheck.ts';
import type { SchemaItem } from './schemaItem.ts';
import { besideModule } from '../../runtime/besideModule.ts';

const entry = besideModule(import.meta.url, 'schemaWorker');

/**
 * Checks schemas, and values against them, in a worker, so that neither a hostile schema nor a
 * hostile value can block the program.
 */
export class SchemaChecker {
  readonly #pool = new WorkerPool<SchemaItem, SchemaProblem[]>({
    entry,
    size: 1,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
  });

  checkSchema(schema: JsonObject, signal: AbortSignal): Promise<SchemaProblem[]> {
    return this.#run({ kind: 'schema', schema: cutDepth(schema) }, 'The schema', signal);
  }

  /**
   * How the value violates the schema. If that cannot be decided in time, it counts as a violation.
   */
  checkValue(
    schema: JsonObject,
    value: JsonValue,
    what: string,
    signal: AbortSignal,
  ): Promise<SchemaProblem[]> {
    return this.#run(
      { kind: 'value', schema: cutDepth(schema), value: cutDepth(value), what },
      what,
      signal,
    );
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #run(item: SchemaItem, what: string, signal: AbortSignal): Promise<SchemaProblem[]> {
    const [outcome] = await this.#pool.run([item], { signal });
    if (outcome?.outcome === 'done') return outcome.value;
    const why = outcome?.outcome === 'failed' ? outcome.reason : 'its check timed out';
    return [{ path: '', message: `${what} could not be checked: ${why}.`, name: null }];
  }
}
