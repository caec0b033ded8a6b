export { ApiProvider, createQueryClient } from './ApiProvider.tsx';
export { connect, createClient, type Client } from './connect.ts';
export type { Connection, ConnectionState } from './connection.ts';
export { useApi } from './useApi.ts';
export { itemSignalId, useToolSignals, worstSignal, type ToolSignal } from './useToolSignals.ts';
export { useServerScope } from './useServerScope.ts';
export { useStoredToolsLine } from './useStoredToolsLine.ts';
export { watchEvaluation } from './watchEvaluation.ts';
