import { mergeConfig } from 'vitest/config';
import product from '../vitest.config.ts';

/** As the product's tests run, but for what is tested. */
const { projects: _, ...settings } = product.test ?? {};
export default mergeConfig({ test: settings }, { test: { include: ['**/*.test.ts'] } });
