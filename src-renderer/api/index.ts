export { ApiProvider, createQueryClient } from './ApiProvider.tsx';
export { connect, createClient, type Client } from './connect.ts';
export { ConnectionLost, type Connection, type ConnectionState, type HostKind } from './connection.ts';
export { useApi, type Api } from './useApi.ts';
export { watchEvaluation } from './watchEvaluation.ts';
