import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Server, ServerInput } from '../../../src-shared/domain/server.ts';
import {
  statusTransitions,
  type ManagedTool,
  type ToolContent,
} from '../../../src-shared/domain/workshop.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { NamedSecrets } from '../../adapters/secrets/namedSecrets.ts';
import { notFound } from '../../store/database/conflict.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Services } from '../services.ts';
import { checkContent } from './checkContent.ts';
import { Executions } from './executions.ts';
import { createImportExport } from './importExport.ts';
import { Interpreters } from './interpreters.ts';
import { refusedBecause, toModelForm } from './modelForms.ts';
import { readDraft } from './readDraft.ts';
import { Revisions } from './revisions.ts';
import { workshopServer } from './runTool.ts';
import { SchemaJudge } from './schemaJudge.ts';
import type { OpenWorkshopServer } from './serving.ts';
import { Serving } from './serving.ts';

type Topic = Services['workshop'];

export interface WorkshopParts {
  store: Store;
  connect: ConnectMcp;
  clock: Clock;
  secrets: NamedSecrets;
  contactedHosts: Set<string>;
  /** Serves the ACTIVE tools over HTTP; given from outside, for servers stand above services. */
  openServer: OpenWorkshopServer;
  /** Adds a server to the list, as a person would. */
  register(input: ServerInput, signal: AbortSignal): Promise<Pick<Server, 'id' | 'name'>>;
  log?: Log | undefined;
}

/**
 * Tools that are written here: saved in versions, run, served and exchanged. Every change is one
 * transaction.
 */
export function createWorkshopService(parts: WorkshopParts) {
  const { store } = parts;
  const judge = new SchemaJudge();
  const interpreters = new Interpreters(() => store.workshop.settings().python);
  const revisions = new Revisions(() => store.workshop.revision());
  const python = (signal: AbortSignal) => interpreters.find(signal);
  const executions = new Executions({
    store,
    clock: parts.clock,
    log: parts.log,
    runner: {
      judge,
      secrets: parts.secrets,
      connect: parts.connect,
      python,
      findServer: (name) => store.servers.getByName(name),
      contacted: (host) => void parts.contactedHosts.add(host),
    },
  });

  const toolOf = (id: string): ManagedTool => {
    const found = store.tools.get(id);
    if (found === null) throw notFound('Tool', id);
    return found;
  };
  const liveTool = (id: string): ManagedTool => {
    const found = toolOf(id);
    if (found.deletedAt === null) return found;
    throw new ServiceError('CONFLICT', {
      thing: `The tool ${found.content.name}`,
      cause: 'It is deleted.',
      nextStep: 'Bring it back first.',
    });
  };
  /**
   * Changes what is served where the tool is ACTIVE before or after; told once the change is
   * committed.
   */
  const changing = <T extends ManagedTool>(before: ManagedTool | null, work: () => T): T => {
    const after = store.transaction(() => {
      const done = work();
      if (isServed(before) || isServed(done)) store.workshop.raiseRevision();
      return done;
    });
    revisions.look();
    return after;
  };
  const refuse = async (content: ToolContent, signal: AbortSignal): Promise<void> => {
    const [first] = await checkContent(content, { judge, python }, signal);
    if (first === undefined) return;
    const field = ['content', first.field, ...(first.path ?? '').split('/').slice(1)].join('.');
    throw new ServiceError('INVALID', {
      thing: `The tool ${content.name}`,
      cause: first.message,
      nextStep: 'Correct it and save again.',
      field,
    });
  };
  const requireNewName = (content: ToolContent, id: string | null): void => {
    const other = store.tools.getByName(content.name);
    if (other === null || other.id === id) return;
    throw new ServiceError('CONFLICT', {
      thing: `The tool ${content.name}`,
      cause: 'Another tool has this name.',
      nextStep: 'Choose another name.',
      field: 'content.name',
    });
  };
  /**
   * What somebody writes in the window outlives a file that comes in meanwhile: the editor shows
   * both.
   */
  const save = (
    id: string,
    content: ToolContent,
    changelog: string,
    draft: 'dropped' | 'kept' = 'dropped',
  ): ManagedTool => {
    const before = liveTool(id);
    requireNewName(content, id);
    return changing(before, () => {
      const saved = store.tools.save(id, content, changelog);
      if (draft === 'dropped') store.workshop.dropDraft(id);
      return saved;
    });
  };
  const serving = new Serving({
    open: parts.openServer,
    backend: {
      tools: async () => store.tools.active().map((tool) => toModelForm(tool, 'mcp')),
      call: (call, signal) => executions.execute({ ...call, activeOnly: true }, signal),
      revisions: (signal) => revisions.watch(-1, signal),
    },
  });

  const topic: Topic = {
    list: async (query) => store.tools.search(query),
    tags: async () => store.tools.tags(),
    get: async ({ id }) => toolOf(id),
    getByName: async ({ name }) => {
      const found = store.tools.getByName(name);
      if (found === null) throw notFound('Tool', name);
      return found;
    },

    create: async ({ content, categoryId, changelog }, { signal }) => {
      requireNewName(content, null);
      await refuse(content, signal);
      return changing(null, () => {
        const made = store.tools.insert(content, categoryId, changelog);
        store.workshop.dropDraft('new');
        return made;
      });
    },

    save: async ({ id, content, changelog, baseVersion }, { signal }) => {
      requireBase(liveTool(id), baseVersion);
      requireNewName(content, id);
      await refuse(content, signal);
      // Looked at again: somebody else may have saved while the content was checked.
      requireBase(liveTool(id), baseVersion);
      return save(id, content, changelog);
    },

    setStatus: async ({ id, status }) => {
      const tool = liveTool(id);
      if (!statusTransitions[tool.status].includes(status)) {
        const allowed = statusTransitions[tool.status].join(' or ');
        throw new ServiceError('INVALID', {
          thing: `The tool ${tool.content.name}`,
          cause: `It is ${tool.status} and can't become ${status}.`,
          nextStep: `From ${tool.status} it can become ${allowed}.`,
          field: 'status',
        });
      }
      return changing(tool, () => store.tools.setStatus(id, status));
    },
    setCategory: async ({ id, categoryId }) => {
      liveTool(id);
      return store.tools.setCategory(id, categoryId);
    },
    remove: async ({ id }) => {
      const tool = liveTool(id);
      changing(tool, () => store.tools.setDeleted(id, true));
      return { what: `Tool ${tool.content.name}` };
    },
    undelete: async ({ id }) => {
      const tool = toolOf(id);
      return tool.deletedAt === null
        ? tool
        : changing(tool, () => store.tools.setDeleted(id, false));
    },
    purge: async ({ id }) => {
      const tool = toolOf(id);
      if (tool.deletedAt === null) {
        throw new ServiceError('CONFLICT', {
          thing: `The tool ${tool.content.name}`,
          cause: 'It is not deleted.',
          nextStep: 'Delete it first; only then can it be removed for good.',
        });
      }
      store.tools.purge(id);
      return { what: `Tool ${tool.content.name}` };
    },
    check: async ({ draft, id }, { signal }) => {
      const { content, problems } = readDraft(draft);
      if (content === null) return { content, problems };
      const found = await checkContent(content, { judge, python }, signal);
      const other = store.tools.getByName(content.name);
      const taken =
        other !== null && other.id !== id
          ? [
              {
                field: 'name',
                message: 'Another tool has this name.',
                path: null,
                line: null,
                column: null,
              },
            ]
          : [];
      return { content, problems: [...taken, ...found] };
    },

    versions: async ({ id }) => store.tools.versions.list(toolOf(id).id),
    version: async ({ id, version }) => {
      const found = store.tools.versions.get(toolOf(id).id, version);
      if (found === null) throw noVersion(toolOf(id), version);
      return found;
    },
    restore: async ({ id, version, changelog }) => {
      const old = store.tools.versions.get(liveTool(id).id, version);
      if (old === null) throw noVersion(toolOf(id), version);
      return save(id, old.content, changelog ?? `Restored version ${version}.`);
    },

    categories: async () => store.toolCategories.list(),
    createCategory: async (input) => store.toolCategories.insert(input),
    updateCategory: async ({ id, ...input }) => store.toolCategories.update(id, input),
    removeCategory: async ({ id }) => ({
      what: `Category ${store.toolCategories.delete(id).name}`,
    }),

    draft: async ({ id }) => store.workshop.draft(id),
    drafts: async () => store.workshop.drafts(),
    keepDraft: async ({ id, draft, baseVersion }) => {
      if (id !== 'new') toolOf(id);
      return { updatedAt: store.workshop.keepDraft(id, draft, baseVersion) };
    },
    dropDraft: async ({ id }) => {
      store.workshop.dropDraft(id);
      return {};
    },

    start: (input, { signal }) => executions.start(input, signal),
    wait: ({ id }, { signal }) => executions.wait(id, signal),
    execute: (input, { signal }) => executions.execute(input, signal),
    cancel: ({ id }) => executions.cancel(id),
    execution: async ({ id }) => executions.get(id),
    executions: async ({ filter, offset, limit }) =>
      store.toolExecutions.search(filter, { offset, limit }),
    callers: async () => store.toolExecutions.callers(),

    models: async ({ form }) => {
      const all = store.tools.active().map((tool) => ({
        name: tool.content.name,
        tool: toModelForm(tool, form),
        reason: refusedBecause(tool.content, form),
      }));
      return {
        tools: all
          .filter(({ reason }) => reason === null)
          .map(({ name, tool }) => ({ name, tool })),
        omitted: all.flatMap(({ name, reason }) => (reason === null ? [] : [{ name, reason }])),
      };
    },
    model: async ({ form, name }) => {
      const found = store.tools.getByName(name);
      if (found?.status !== 'ACTIVE')
        throw new ServiceError('NOT_FOUND', {
          thing: `Tool ${name}`,
          cause: 'There is no ACTIVE tool of this name.',
          nextStep: 'Activate it, or choose another one.',
          field: 'name',
        });
      const reason = refusedBecause(found.content, form);
      if (reason !== null)
        throw new ServiceError('INVALID', {
          thing: `Tool ${name}`,
          cause: reason,
          nextStep: 'Give it a shorter name.',
          field: 'name',
        });
      return toModelForm(found, form);
    },
    watch: ({ afterRevision }, { signal }) => revisions.watch(afterRevision, signal),

    serving: async () => serving.state(),
    serve: ({ port }) => serving.start(port),
    stopServing: () => serving.stop(),
    register: async (_none, { signal }) => {
      const config = { ...workshopServer, args: [...workshopServer.args] };
      const known = store.servers
        .list()
        .find(
          (server) =>
            JSON.stringify(server.config) === JSON.stringify(config) ||
            sameCommand(server.config, config),
        );
      if (known !== undefined) return { serverId: known.id, name: known.name, made: false };
      let name = 'workshop';
      for (let number = 2; store.servers.getByName(name) !== null; number += 1)
        name = `workshop-${number}`;
      const made = await parts.register({ name, config }, signal);
      return { serverId: made.id, name: made.name, made: true };
    },

    ...createImportExport({
      store,
      check: (content, signal) => checkContent(content, { judge, python }, signal),
      changing,
      save: (id, content, changelog) => save(id, content, changelog, 'kept'),
    }),

    settings: async () => store.workshop.settings(),
    updateSettings: async (change) => store.workshop.patchSettings(change),
    interpreter: async (_none, { signal }) => {
      const found = await interpreters.find(signal);
      return found.found
        ? { found: true, command: found.command, version: found.version, reason: null }
        : { found: false, command: null, version: null, reason: found.reason };
    },
  };

  return {
    topic,
    recover: (): void => executions.recover(),
    close: async (): Promise<void> => {
      await serving.stop();
      await executions.close();
      revisions.close();
      await judge.close();
    },
  };
}

function isServed(tool: ManagedTool | null): boolean {
  return tool !== null && tool.status === 'ACTIVE' && tool.deletedAt === null;
}

function sameCommand(config: Server['config'], other: typeof workshopServer): boolean {
  return (
    config.transport === 'stdio' &&
    config.command === other.command &&
    config.args.join('\0') === other.args.join('\0')
  );
}

function requireBase({ content, version }: ManagedTool, baseVersion: number): void {
  if (version === baseVersion) return;
  throw new ServiceError('CONFLICT', {
    thing: `The tool ${content.name}`,
    cause: `It was saved elsewhere meanwhile: the latest version is ${version}, and what was edited is version ${baseVersion}.`,
    nextStep: 'Compare with the latest version, then save on top of it.',
    field: 'baseVersion',
  });
}

function noVersion({ content, version }: ManagedTool, asked: number): ServiceError {
  return new ServiceError('NOT_FOUND', {
    thing: `Version ${asked} of ${content.name}`,
    cause: `There is none; the latest is ${version}.`,
    nextStep: 'Choose another version.',
    field: 'version',
  });
}
