import type { z } from 'zod';
import type { serverDetail } from '../../../../src-shared/contract/servers.ts';

export type ServerDetail = z.infer<typeof serverDetail>;
