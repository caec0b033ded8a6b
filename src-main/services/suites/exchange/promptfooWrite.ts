import { stringify } from 'yaml';
import { withExactNumbers } from '../suiteFileCodec.ts';
import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { CaseFile, SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import { firstRightCall, type SingleCall } from './firstRightCall.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import { callsAssertion } from './promptfooCalls.ts';
import { conversationPrompt, looksLikeTemplate, toTurnTests } from './promptfooTasks.ts';
import { suiteLosses } from './suiteLosses.ts';
import { comparesLoosely, plainValue } from './values.ts';

/**
 * Writes a configuration with one test per case, and one per turn of a task. The expected calls are metadata, which one
 * assertion compares with the calls that an answer returns; our reader uses the rest of it.
 */
export function writePromptfoo(
  suite: CaseFile,
  tasks: readonly SuiteFileTask[] = [],
): { text: string; losses: ExportLoss[] } {
  const prompt = tasks.length > 0 ? null : sharedPrompt(suite);
  const losses = suiteLosses(
    suite,
    prompt === null
      ? { system: true, messages: true, allowed: true, ownPrompts: true }
      : { allowed: true, notes: true },
    false,
  );
  const config = {
    description: suite.name,
    prompts: [tasks.length > 0 ? conversationPrompt : (prompt ?? '{{query}}')],
    defaultTest: {
      ...(suite.servers.length > 0 && { metadata: { servers: suite.servers } }),
      ...(suite.cases.length > 0 && { assert: [callsAssertion()] }),
    },
    tests: [
      ...suite.cases.map((each) => ({
        ...toTest(each, prompt === null ? [] : saidBefore(suite, each), losses),
        // A case is no turn of a conversation.
        ...(tasks.length > 0 && { options: { disableConversationVar: true } }),
      })),
      ...tasks.flatMap((task) => toTurnTests(task, losses)),
    ],
  };
  return {
    text: stringify(config, {
      lineWidth: 0,
      blockQuote: 'literal',
      compat: 'yaml-1.1',
      aliasDuplicateObjects: false,
      customTags: withExactNumbers,
    }),
    losses,
  };
}

interface Said {
  role: string;
  content: string;
}

/** What a case says before its query: the system prompt and the messages, its own or those of the suite. */
const saidBefore = (suite: CaseFile, each: SuiteFileCase): Said[] => {
  const system = each.system ?? suite.system;
  const messages = each.messages ?? suite.messages ?? [];
  return [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    ...messages.map(({ role, content }) => ({ role, content })),
  ];
};

const variableOf = ({ role }: Said, at: number): string =>
  role === 'system' ? 'system' : `message_${at + 1}`;

/**
 * The chat that all cases have in common, with variables for what each says before its query; null if
 * they say nothing, or not in the same order. promptfoo fills variables within a prompt of JSON
 * (https://www.promptfoo.dev/docs/configuration/prompts/).
 */
function sharedPrompt(suite: CaseFile): string | null {
  const [first = [], ...more] = suite.cases.map((each) => saidBefore(suite, each));
  const roles = (said: readonly Said[]): string => said.map(({ role }) => role).join();
  if (first.length === 0 || more.some((said) => roles(said) !== roles(first))) return null;
  const chat = first.map((each, at) => ({
    role: each.role,
    content: `{{${variableOf(each, at)}}}`,
  }));
  return `${JSON.stringify([...chat, { role: 'user', content: '{{query}}' }], null, 2)}\n`;
}

function toTest(each: SuiteFileCase, before: readonly Said[], losses: ExportLoss[]): JsonObject {
  const addLoss = (what: string): void => void losses.push({ case: each.id, what });
  const calls = each.expected_calls.map((call) => firstRightCall(call, addLoss));
  const servers = new Map<string, string>();
  for (const { server, tool } of calls) {
    if ((servers.get(tool) ?? server) !== server)
      addLoss(`Several servers have a tool ${tool}, and promptfoo doesn’t tell them apart.`);
    else servers.set(tool, server);
  }
  if (before.some(({ content }) => looksLikeTemplate(content)))
    addLoss(
      'What is said before its query contains {{, {%, or {#, which promptfoo reads as a template.',
    );
  if (looksLikeTemplate(each.query))
    addLoss('Its query contains {{, {%, or {#, which promptfoo reads as a template.');
  const metadata = {
    id: each.id,
    ...((each.tags ?? []).length > 0 && { tags: each.tags ?? [] }),
    ...((each.servers ?? []).length > 0 && { servers: each.servers ?? [] }),
    ...(servers.size > 0 && { tool_servers: Object.fromEntries(servers) }),
    expected_calls: calls.map((call) => toExpectedCall(call, addLoss)),
    ...(each.arguments_mode !== undefined && { arguments_mode: each.arguments_mode }),
    ...(each.order_dependent === true && calls.length > 1 && { order_dependent: true }),
  };
  return {
    description: each.name,
    vars: {
      query: each.query,
      ...Object.fromEntries(before.map((said, at) => [variableOf(said, at), said.content])),
    },
    metadata,
  };
}

function toExpectedCall(
  { tool, parameters }: SingleCall,
  addLoss: (what: string) => void,
): JsonObject {
  if (parameters === undefined) return { tool };
  const args: JsonObject = {};
  const ignore: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    const plain = plainValue(value);
    if (isIgnored(value)) {
      args[name] = null;
      ignore.push(name);
    } else if (plain === undefined) {
      addLoss(`${tool}: ${name} isn’t exported, because promptfoo has no such matcher.`);
      // It is no additional argument, whatever its value is.
      args[name] = null;
      ignore.push(name);
    } else {
      args[name] = plain;
      if (comparesLoosely(value))
        addLoss(
          `${tool}: promptfoo compares ${name} exactly. Touchstone ignores the case and width of ` +
            'letters.',
        );
    }
  }
  return { tool, args, ...(ignore.length > 0 && { ignore }) };
}

function isIgnored(value: JsonValue): boolean {
  return JSON.stringify(value) === '{"$ignore":true}';
}
