/**
 * The MCP servers of an agent under test: what it is offered is what the evaluation froze, and each
 * call waits here until the run has answered it. A server SDK would refuse schemas that servers
 * publish, and round numbers; the relay of `services/gateway` serves a client for which nobody waits.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { ActualCall } from '../../../../src-shared/domain/observation.ts';
import { orElse } from '../../../../src-shared/domain/orElse.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type { CallResult, ServerInstructions } from '../chatModel.ts';
import type { AgentServerCommand } from './agentFiles.ts';
import { originOf, serveGatewayHttp } from './gatewayHttp.ts';

export interface WaitingCall {
  call: ActualCall;
  answer(result: CallResult): void;
}

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const maxLineLength = 8_000_000;
const methodNotFound = -32_601;

/** The variable with port, token and server, in that order. */
const addressVariable = 'TOUCHSTONE_AGENT_GATEWAY';
/** What an agent starts as each of its servers: it passes lines on. */
const bridge = `const [port, token, ...server] = process.env.${addressVariable}.split(' ');
const socket = require('node:net').connect(Number(port), '127.0.0.1', () => {
  socket.write(token + ' ' + server.join(' ') + '\\n');
  process.stdin.pipe(socket).pipe(process.stdout);
});
socket.on('error', () => process.exit(1)).on('close', () => process.exit(0));`;

interface AgentServerAddress {
  url: string;
  headers: Readonly<Record<string, string>>;
}

export class AgentGateway implements AsyncDisposable {
  /** Servers with which the agent spoke MCP. */
  readonly connected = new Set<string>();
  readonly #token = randomBytes(24).toString('hex');
  readonly #tools: ReadonlyMap<string, readonly SnapshotTool[]>;
  readonly #instructions: ServerInstructions;
  readonly #onCall: (call: WaitingCall) => void;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #http: Promise<HttpServer> | null = null;
  #calls = 0;

  private constructor(
    tools: readonly SnapshotTool[],
    instructions: ServerInstructions,
    onCall: (call: WaitingCall) => void,
  ) {
    this.#tools = Map.groupBy(tools, ({ server }) => server);
    this.#instructions = instructions;
    this.#onCall = onCall;
    this.#server = createServer((socket) => this.#welcome(socket));
  }

  /** Listens on this computer alone; each connection needs the token of this gateway. */
  static async open(
    tools: readonly SnapshotTool[],
    instructions: ServerInstructions,
    onCall: (call: WaitingCall) => void,
  ): Promise<AgentGateway> {
    const gateway = new AgentGateway(tools, instructions, onCall);
    await new Promise<void>((resolve, reject) => {
      gateway.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return gateway;
  }

  /** The servers as an agent starts them. */
  get commands(): Record<string, AgentServerCommand> {
    const { port } = this.#server.address() as AddressInfo;
    return Object.fromEntries(
      [...this.#tools.keys()].map((server) => [
        server,
        {
          command: process.execPath,
          args: ['-e', bridge],
          env: {
            [addressVariable]: `${port} ${this.#token} ${server}`,
            ...('electron' in process.versions && { ELECTRON_RUN_AS_NODE: '1' }),
          },
        },
      ]),
    );
  }

  /** The servers as an agent connects to them over HTTP, each with the token of this gateway. */
  async addresses(): Promise<Record<string, AgentServerAddress>> {
    const names = [...this.#tools.keys()];
    this.#http ??= serveGatewayHttp({
      maxBytes: maxLineLength,
      serverOf: (path, authorization) =>
        this.#isToken(authorization.replace(/^Bearer /i, ''))
          ? (names[Number(/^\/(\d+)\/mcp$/.exec(path)?.[1] ?? Number.NaN)] ?? null)
          : null,
      read: (text, server, send) => this.#read(text, server, send),
    });
    const origin = originOf(await this.#http);
    const headers = { Authorization: `Bearer ${this.#token}` };
    return Object.fromEntries(
      names.map((name, at) => [name, { url: `${origin}/${at}/mcp`, headers }]),
    );
  }

  /** A server that was offered and with which the agent never spoke; null if there is none. */
  get missed(): string | null {
    return [...this.#tools.keys()].find((server) => !this.connected.has(server)) ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const http = await this.#http?.catch(() => null);
    http?.closeAllConnections();
    for (const server of [this.#server, http])
      if (server != null) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  #welcome(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    socket.setEncoding('utf8');
    let server: string | null = null;
    let text = '';
    socket.on('data', (chunk: string) => {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      if (text.length > maxLineLength) socket.destroy();
      for (const line of lines)
        if (server !== null)
          this.#read(line, server, (message) => {
            if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
          });
        else if (this.#isAllowed(line)) server = line.slice(line.indexOf(' ') + 1);
        else socket.destroy();
    });
  }

  #isAllowed(line: string): boolean {
    const at = line.indexOf(' ');
    return this.#isToken(line.slice(0, Math.max(0, at))) && this.#tools.has(line.slice(at + 1));
  }

  #isToken(text: string): boolean {
    const [given, token] = [Buffer.from(text), Buffer.from(this.#token)];
    return given.length === token.length && timingSafeEqual(given, token);
  }

  /** Reads one or several messages. Returns how many of them are answered by `write`. */
  #read(text: string, server: string, write: (message: JsonObject) => void): number {
    const value = orElse(() => parseJson(text) as JsonValue, null);
    let asked = 0;
    // Several messages at once are a list in versions of the protocol before 2025-06-18.
    for (const message of Array.isArray(value) ? value : [value]) {
      if (!isJsonObject(message)) continue;
      const { id, method, params } = message;
      if (typeof method !== 'string' || id === undefined) continue;
      asked += 1;
      const send = (part: JsonObject): void => write({ jsonrpc: '2.0', id, ...part });
      this.#answer(
        method,
        isJsonObject(params ?? null) ? (params as JsonObject) : {},
        server,
        send,
      );
    }
    return asked;
  }

  #answer(
    method: string,
    params: JsonObject,
    server: string,
    send: (part: JsonObject) => void,
  ): void {
    const tools = this.#tools.get(server) ?? [];
    if (method === 'initialize') {
      this.connected.add(server);
      const asked = params['protocolVersion'];
      const instructions = this.#instructions.find((each) => each.server === server)?.instructions;
      send({
        result: {
          protocolVersion: versions.find((version) => version === asked) ?? '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: server, version: '1.0.0' },
          ...(instructions != null && { instructions }),
        },
      });
    } else if (method === 'tools/list') send({ result: { tools: tools.map(published) } });
    else if (method === 'tools/call') this.#call(params, server, send);
    else if (method === 'ping') send({ result: {} });
    else send({ error: { code: methodNotFound, message: `${method} isn't offered.` } });
  }

  #call(params: JsonObject, server: string, send: (part: JsonObject) => void): void {
    const { name: given, arguments: args = {} } = params;
    const name = typeof given === 'string' ? given : JSON.stringify(given ?? null);
    const tool = this.#tools.get(server)?.find((each) => each.name === name);
    this.#calls += 1;
    const isObject = isJsonObject(args);
    this.#onCall({
      call: {
        id: `call_${this.#calls}`,
        server: tool === undefined ? null : server,
        tool: tool?.name ?? null,
        name,
        arguments: isObject ? args : null,
        argumentsText: isObject ? null : JSON.stringify(args),
      },
      answer: ({ text, isError, structured = null }) => {
        // A client refuses a result without the structured content that its tool promises.
        const lacks = tool?.outputSchema != null && structured === null;
        send({
          result: {
            content: [{ type: 'text', text }],
            isError: isError || lacks,
            ...(isJsonObject(structured) && { structuredContent: structured }),
          },
        });
      },
    });
  }
}

export const published = (tool: SnapshotTool): JsonObject => ({
  name: tool.name,
  ...(tool.title !== null && { title: tool.title }),
  description: tool.description,
  inputSchema: tool.inputSchema,
  ...(tool.outputSchema !== null && { outputSchema: tool.outputSchema }),
  ...(tool.annotations !== null && { annotations: tool.annotations }),
});
