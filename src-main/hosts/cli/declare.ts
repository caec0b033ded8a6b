import { Option, type Command } from 'commander';
import { z } from 'zod';
import { contextOf, type CommandContext } from './commandContext.ts';
import type { CommandIo } from './commandIo.ts';
import { UsageError } from './exitCodes.ts';
import { oneOf, wholeNumber } from './input/optionValues.ts';
import { openSession, openTemporarySession, type Session } from './session.ts';

/** A flag of which more is known than its help. */
interface Flag {
  about: string;
  default?: string;
  required?: true;
  /** Listed in the help, and checked by the parser. */
  choices?: readonly string[];
  /** Completed by shells; the command checks them itself, or `of` does. */
  words?: readonly string[];
  /** The field of the contract or of the settings that the value is for: it says what is accepted. */
  of?: z.ZodType;
}

/** Flags in commander's notation, and their help or what is known of them. */
type Flags = Readonly<Record<`--${string}`, string | Flag>>;

export interface FlagGroup<Options> {
  add(command: Command): unknown;
  /** In types only. */
  readonly given?: Options;
}

export const flagGroup = <Options>(add: FlagGroup<Options>['add']): FlagGroup<Options> => ({ add });

/** Flags that the help lists together under words of their own. */
interface HeadedFlags<Options> {
  heading: string;
  parts: readonly Part[];
  /** In types only. */
  readonly given?: Options;
}

export const headed = <const Parts extends readonly Part[]>(
  heading: string,
  ...parts: Parts
): HeadedFlags<OptionsOf<Parts>> => ({ heading, parts });

type Camel<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Text;
type NameOf<Text> = Text extends `--no-${infer Name}`
  ? Camel<Name>
  : Text extends `--${infer Name} ${string}`
    ? Camel<Name>
    : Text extends `--${infer Name}`
      ? Camel<Name>
      : never;
type OneOf<Spec> = Spec extends { of: z.ZodType<infer Value> }
  ? NonNullable<Value>
  : Spec extends { choices: readonly (infer Word)[] }
    ? Word
    : string;
type ValueOf<Text, Spec> = Text extends `${string}...>`
  ? OneOf<Spec>[]
  : Text extends `${string}>`
    ? OneOf<Spec>
    : boolean;
type IsSure<Text, Spec> = Spec extends { default: string } | { required: true }
  ? true
  : Text extends `--no-${string}`
    ? true
    : false;
type OptionsOfFlags<Given> = {
  -readonly [
    Text in keyof Given as IsSure<Text, Given[Text]> extends true ? NameOf<Text> : never
  ]: ValueOf<Text, Given[Text]>;
} & {
  -readonly [
    Text in keyof Given as IsSure<Text, Given[Text]> extends true ? never : NameOf<Text>
  ]?: ValueOf<Text, Given[Text]>;
};

type Part = Flags | FlagGroup<unknown> | HeadedFlags<unknown>;
/** The options that flags give, as commander names them. */
export type OptionsOf<Parts> = Parts extends readonly [infer First, ...infer Rest]
  ? OptionsOf<First> & OptionsOf<Rest>
  : Parts extends readonly []
    ? unknown
    : Parts extends FlagGroup<infer Options> | HeadedFlags<infer Options>
      ? Options
      : OptionsOfFlags<Parts>;

type Access = 'read' | 'write';
/** What a command gets to do its work: it is its own context. */
type Run<Parts, Opens> = CommandContext & {
  options: OptionsOf<Parts>;
  /** Loads every command of the program. */
  whole: () => Promise<Command>;
} & (Opens extends Access ? Pick<Session, 'client' | 'remote'> : unknown);

interface Words {
  /** Text of the help before the example. */
  notes?: string;
  /** What follows the name of the program in an example. */
  example?: string;
}

interface Spec<Parts, Opens> extends Words {
  /** Its flags, in the order of the help. */
  flags?: Parts;
  /** What is known of the first argument beside its name, or of the one that follows `--`. */
  argument?: {
    about?: string;
    choices?: readonly string[];
    words?: readonly string[];
    /** Refuses arguments that don't follow `--`, with this message. */
    afterDashes?: string;
  };
  /** The workspace is open while it runs. */
  opens?: Opens;
  /** The arguments follow in their order. */
  run(run: Run<Parts, Opens>, ...args: never[]): Promise<void> | void;
}

/** Adds everything to a command that has a name. */
export type Define = (command: Command, io: CommandIo, whole: () => Promise<Command>) => void;

/** The values that a shell completes for an option or an argument, by their declaration. */
export const completedWords = new WeakMap<object, readonly string[]>();

/** A command that does something. Its texts are checked by the schemas of its flags before it runs. */
export const define =
  <
    const Parts extends readonly Part[] | Part = readonly [],
    const Opens extends Access | undefined = undefined,
  >(
    spec: Spec<Parts, Opens>,
  ): Define =>
  (command, io, whole) => {
    const { flags = [], opens } = spec;
    const fields = new Map<Option, z.ZodType>();
    const add = (parts: readonly Part[]) => {
      for (const part of parts)
        if (isHeaded(part)) {
          command.optionsGroup(part.heading);
          add(part.parts);
          command.optionsGroup('');
        } else if (isGroup(part)) part.add(command);
        else
          for (const [text, flag] of Object.entries(part)) {
            const given = typeof flag === 'string' ? { about: flag } : flag;
            const option = addFlag(command, text, given);
            if (given.of !== undefined) fields.set(option, given.of);
          }
    };
    add(Array.isArray(flags) ? (flags as readonly Part[]) : [flags as Part]);
    const { registeredArguments: named } = command;
    const argument = spec.argument?.afterDashes === undefined ? named[0] : named.at(-1);
    if (argument && spec.argument) {
      const { about, choices, words } = spec.argument;
      if (about !== undefined) argument.description = about;
      if (choices) argument.choices(choices);
      if (words) completedWords.set(argument, words);
    }
    addHelp(command, spec);
    const act = async (...given: unknown[]): Promise<void> => {
      const context = contextOf(command, io);
      if (
        spec.argument?.afterDashes !== undefined &&
        command.args.length >= named.length &&
        !hasDashes(command)
      )
        throw new UsageError(spec.argument.afterDashes);
      const options = { ...command.opts<Record<string, unknown>>() };
      for (const [option, field] of fields) {
        const name = option.attributeName();
        if (name in options)
          options[name] = readValue(options[name], option.long ?? option.flags, field);
      }
      const run = (session?: Session) =>
        spec.run(
          { ...context, ...session, options, whole } as unknown as Run<Parts, Opens>,
          // Commander passes the options and the command last.
          ...(given.slice(0, -2) as never[]),
        );
      await (opens === undefined ? run() : inSession(context, opens, run));
    };
    command.action(act);
  };

export interface Member {
  usage: string;
  about: string;
  define: Define;
}

export const member = <
  const Parts extends readonly Part[] | Part = readonly [],
  const Opens extends Access | undefined = undefined,
>(
  usage: string,
  about: string,
  spec: Spec<Parts, Opens>,
): Member => ({ usage, about, define: define(spec) });

/** A command that only has commands. */
export const group =
  (words: Words, members: readonly Member[]): Define =>
  (command, io, whole) => {
    addHelp(command, words);
    for (const { usage, about, define: add } of members)
      add(command.command(usage).description(about), io, whole);
  };

/** Opens the workspace, or one of its own that is removed afterwards, does the work and closes it. */
export async function inSession<Result>(
  context: CommandContext,
  access: Access | 'temporary',
  work: (session: Session) => Promise<Result> | Result,
): Promise<Result> {
  const session = await (access === 'temporary'
    ? openTemporarySession(context)
    : openSession(context, access));
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** Commander drops `--` from the arguments; what the program was given holds it. */
function hasDashes({ parent }: Command): boolean {
  if (parent === null) return false;
  return (parent as { rawArgs?: string[] }).rawArgs?.includes('--') === true || hasDashes(parent);
}

const isHeaded = (part: Part): part is HeadedFlags<unknown> => 'parts' in part;
const isGroup = (part: Part): part is FlagGroup<unknown> => 'add' in part;

function addFlag(command: Command, text: string, flag: Flag): Option {
  const option = new Option(text, flag.about);
  if (flag.choices) option.choices(flag.choices);
  if (flag.default !== undefined) option.default(flag.default);
  if (flag.required) option.makeOptionMandatory();
  const words = flag.words ?? wordsOf(flag.of);
  if (words) completedWords.set(option, words);
  command.addOption(option);
  return option;
}

function addHelp(command: Command, { notes, example }: Words): void {
  const texts = [notes, example && `Example:\n  touchstone ${example}`].filter(Boolean);
  if (texts.length > 0) command.addHelpText('after', `\n${texts.join('\n\n')}`);
}

/** A schema without what it says about a missing value. */
function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
}

function wordsOf(schema: z.ZodType | undefined): readonly string[] | null {
  const field = schema && bare(schema);
  return field instanceof z.ZodEnum ? field.options.map(String) : null;
}

/** The value that a text stands for, by the schema of its field. Throws a UsageError. */
function readValue(text: unknown, flag: string, schema: z.ZodType): unknown {
  if (Array.isArray(text)) return text.map((each) => readValue(each, flag, schema));
  if (typeof text !== 'string') return text;
  const field = bare(schema);
  if (field instanceof z.ZodEnum) return oneOf(text, flag, field.options.map(String));
  if (field instanceof z.ZodNumber && field.format === 'safeint')
    return wholeNumber(text, flag, field);
  const read = field.safeParse(
    field instanceof z.ZodNumber && text.trim() !== '' ? Number(text) : text,
  );
  if (read.success) return read.data;
  if (!(field instanceof z.ZodNumber))
    throw new UsageError(`${flag} ${text}: ${read.error.issues[0]?.message ?? ''}`);
  const { minValue, maxValue } = field;
  throw new UsageError(
    `${flag} ${text}: It needs a number${maxValue === null ? '' : ` from ${minValue ?? 0} to ${maxValue}`}.`,
  );
}
