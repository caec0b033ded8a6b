import { z } from 'zod';
import { mcpClients } from '../../../../src-shared/domain/clientConfig.ts';

/** Flags of a command that MCP clients start: how it gets into their configuration. */
export const clientFlags = {
  '--config <client>': {
    about: `print what starts it in ${mcpClients.join(', ')}, and end`,
    of: z.enum(mcpClients),
  },
  '--add': 'with --config: show the change of the client’s file, and write it if you agree',
  '--undo': 'with --config: restore the file from before --add',
  '--yes': 'with --add: write without asking',
} as const;
