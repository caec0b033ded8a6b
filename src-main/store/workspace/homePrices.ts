import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { PricedModel } from '../../../src-shared/domain/price.ts';
import { inspectPlace } from '../database/databaseFile.ts';
import { openDatabase, type DatabaseOptions } from '../database/openDatabase.ts';
import { createTransaction } from '../storeContext.ts';
import { openModelPrices } from './modelPrices.ts';

/** Prices of a workspace that is not opened otherwise. */
export interface HomePrices {
  prices: PricedModel[];
  /** Why they could not be read; null if there is no such workspace. */
  problem: string | null;
}

export const noHomePrices: HomePrices = { prices: [], problem: null };

/** Reads what a person set in a workspace, and changes nothing in it. */
export function readHomePrices(options: DatabaseOptions): HomePrices {
  try {
    if (inspectPlace(options.file) === 'new') return noHomePrices;
    const db = openDatabase({ ...options, access: 'read' });
    try {
      const context = { db, clock: options.clock, transaction: createTransaction(db) };
      return { prices: openModelPrices(context).list(), problem: null };
    } finally {
      db.close();
    }
  } catch (error) {
    return { prices: [], problem: errorText(error) };
  }
}
