import { serveOverStdio } from '../serveOverStdio.ts';
import { createFindToolServer, type FindToolOptions } from './findToolServer.ts';

/** Serves find_tool over standard input and output, see `serveOverStdio`. */
export async function serveFindTool(options: FindToolOptions): Promise<void> {
  await serveOverStdio(createFindToolServer(options), {
    log: (line) => void process.stderr.write(`find_tool server: ${line}\n`),
  });
}
