import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import product from '../vitest.config.ts';

/** As the product's tests run, but for what is tested. The product's paths are from its root. */
const { projects: _, ...settings } = product.test ?? {};
export default mergeConfig(
  { root: join(import.meta.dirname, '..'), test: settings },
  { test: { include: ['research/**/*.test.ts'] } },
);
