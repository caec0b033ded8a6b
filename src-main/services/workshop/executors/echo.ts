import { echoHost, type HttpToolConfig } from '../../../../src-shared/domain/executors.ts';
import { rulesOf } from '../../../adapters/http/addressPolicy.ts';
import type { ExecutionCall, ExecutionResult } from './executor.ts';
import { runHttp } from './http.ts';

/** A server of ours that answers every request with what it received. */
export interface EchoServer {
  /** `http://127.0.0.1:PORT`. */
  origin: string;
  close(): Promise<void>;
}
export type OpenEcho = () => Promise<EchoServer>;

const echoAddress = new RegExp(`^http://${echoHost.replace('.', '\\.')}(?=[/?#]|$)`, 'i');

export function callsEcho({ url }: HttpToolConfig): boolean {
  return echoAddress.test(url);
}

/**
 * Sends the request to an echo that runs for this call only. Its port is the one address that the
 * call may reach, whatever the tool allows.
 */
export async function runEcho(
  openEcho: OpenEcho,
  config: HttpToolConfig,
  call: ExecutionCall,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  const echo = await openEcho();
  try {
    const target = { origin: echo.origin, addresses: rulesOf('loopback') };
    return await runHttp(config, call, signal, () => undefined, target);
  } finally {
    await echo.close();
  }
}
