/*
 * What stand-ins for agents take of the official SDKs. As one bundle it loads in a third of the time
 * of its packages, and a test starts dozens of them.
 */
export { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk/unstable';
export { Client } from '@modelcontextprotocol/sdk/client/index.js';
export { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
