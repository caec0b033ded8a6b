import { serveItems } from '../../adapters/process/itemLoop.ts';
import { countItem, type TokenItem } from './countItem.ts';

// The rank tables are read with the first count in an encoding, within the time of that item.
serveItems((item) => countItem(item as TokenItem));
