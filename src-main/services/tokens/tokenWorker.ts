import { serveItems } from '../../adapters/process/itemLoop.ts';
import { countItem } from './countItem.ts';
import type { TokenItem } from './tokenCounter.ts';

// The rank tables are read with the first count in an encoding, within the time of that item.
serveItems((item) => countItem(item as TokenItem));
