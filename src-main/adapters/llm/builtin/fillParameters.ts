import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { fits } from './fits.ts';
import type { Span } from './mention.ts';
import type { QueryReading } from './queryReading.ts';
import {
  dateMentioned,
  emailMentioned,
  momentMentioned,
  partOfDate,
  pathMentioned,
  timeMentioned,
  urlMentioned,
} from './rules/formatRules.ts';
import {
  assignment,
  identifierAfterName,
  identifierWithPrefix,
  uuidMentioned,
} from './rules/identifierRules.ts';
import {
  listAfterName,
  listOfEnums,
  listOfMentions,
  listOfNames,
  listOfNumbers,
} from './rules/listRules.ts';
import {
  fittingNumber,
  nextNumber,
  numberAfterHash,
  numberNextToName,
} from './rules/numberRules.ts';
import {
  expressionWritten,
  lastPhrase,
  nameAfterNoun,
  phraseByRole,
  unitOfNumber,
} from './rules/phraseRules.ts';
import type { Rule } from './rules/rule.ts';
import {
  booleanNamed,
  constantOfSchema,
  defaultOfSchema,
  enumNamed,
  optionNamed,
} from './rules/schemaRules.ts';
import {
  newValueAfterTo,
  nextQuote,
  phraseAfterCue,
  properName,
  quoteAfterCue,
  remainingPhrase,
} from './rules/textRules.ts';
import type { Slot } from './slots.ts';

/**
 * Rules from the surest to the weakest. Every parameter tries a group before the next group begins,
 * so that a value introduced by name never fills a parameter that takes anything. Within a group
 * the order of the schema decides, then the order of the rules.
 */
const groups: readonly (readonly Rule[])[] = [
  [constantOfSchema, assignment, identifierWithPrefix, uuidMentioned],
  [
    enumNamed,
    optionNamed,
    booleanNamed,
    listOfEnums,
    expressionWritten,
    quoteAfterCue,
    numberNextToName,
    numberAfterHash,
    identifierAfterName,
  ],
  [newValueAfterTo, phraseAfterCue, momentMentioned, emailMentioned, urlMentioned, pathMentioned],
  [dateMentioned, timeMentioned],
  [listOfNumbers, fittingNumber, partOfDate],
  [listOfMentions, listAfterName, listOfNames, nextQuote, nextNumber],
  [phraseByRole, nameAfterNoun, unitOfNumber],
  [properName],
  [remainingPhrase],
  [lastPhrase],
  [defaultOfSchema],
];
/** Rules that may read earlier messages: only those that need a plainly named value. */
const contextRules: readonly Rule[] = [assignment, identifierWithPrefix, identifierAfterName];

export interface FillInput {
  slots: readonly Slot[];
  reading: QueryReading;
  /**
   * System prompt and earlier messages, the latest first: the source of required parameters that
   * the query does not give.
   */
  context: readonly QueryReading[];
  /** True for stems that name the chosen tool. */
  isToolWord: (stem: string) => boolean;
}

/**
 * The arguments of a call, by rules. Every value comes from the query, the context or the schema
 * (`const`, `default`); what is not found is left out. Types, `enum`, bounds, lengths and formats
 * are respected; `pattern` is not checked.
 */
export function fillParameters(input: FillInput): JsonObject {
  const taken: Span[] = [];
  const values = fillSlots(input.slots, input.reading, input.isToolWord, taken);
  for (const slot of input.slots) {
    if (!slot.required || values.has(slot)) continue;
    const value = fromContext(slot, input);
    if (value !== undefined) values.set(slot, value);
  }
  return asObject(input.slots, values);
}

function fillSlots(
  slots: readonly Slot[],
  reading: QueryReading,
  isToolWord: FillInput['isToolWord'],
  taken: Span[],
): Map<Slot, JsonValue> {
  const values = new Map<Slot, JsonValue>();
  for (const rules of groups) {
    for (const slot of slots) {
      if (slot.type === 'object' || values.has(slot)) continue;
      const open = slots.filter((each) => !values.has(each));
      for (const rule of rules) {
        const found = rule({ slot, reading, taken, isToolWord, open });
        if (!found || !fits(found.value, slot)) continue;
        values.set(slot, found.value);
        if (found.span) taken.push(found.span);
        break;
      }
    }
  }
  // Objects come last: their members use what the plain parameters leave. An object without any
  // member is left out.
  for (const slot of slots) {
    if (slot.type !== 'object' || !slot.required) continue;
    const members = fillSlots(slot.slots, reading, isToolWord, taken);
    if (members.size > 0) values.set(slot, asObject(slot.slots, members));
  }
  return values;
}

function fromContext(slot: Slot, { context, isToolWord }: FillInput): JsonValue | undefined {
  for (const reading of context) {
    for (const rule of contextRules) {
      const found = rule({ slot, reading, taken: [], isToolWord, open: [slot] });
      if (found && fits(found.value, slot)) return found.value;
    }
  }
  return undefined;
}

/** In the order of the schema. `fromEntries` makes own properties of names like `__proto__` too. */
function asObject(slots: readonly Slot[], values: ReadonlyMap<Slot, JsonValue>): JsonObject {
  return Object.fromEntries(
    slots.flatMap((slot) => {
      const value = values.get(slot);
      return value === undefined ? [] : [[slot.name, value] as const];
    }),
  );
}
