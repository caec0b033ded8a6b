import type { LintRuleInfo } from '../../../src-shared/domain/lint.ts';

/**
 * What clients make of a tool that costs the model something, as rules of `lint`. They take no points
 * from its quality: where a flaw of the schema is the cause, a rule of quality takes them.
 */
export const clientRules = {
  'client-hides-server': {
    severity: 'high',
    what: 'A tool for which a client shows no tool of its server.',
    fix: 'Correct the tool that is named: the client says nothing.',
    bad: 'list_parcels: Lists the parcels of a customer. {"properties":{"customer":true}}',
    good: 'list_parcels: Lists the parcels of a customer. {"type":"object","properties":{"customer":{"type":"string"}}}',
  },
  'client-hides-tool': {
    severity: 'high',
    what: 'A tool that a client leaves out.',
    fix: 'Change what the client leaves it out for.',
    bad: 'read.file and read/file: a client that writes both as read_file shows one of them.',
    good: 'read_file and read_folder',
  },
  'client-cuts-description': {
    severity: 'medium',
    what: 'A description that is longer than a client shows.',
    fix: 'Begin with what a model needs to choose the tool, and shorten the rest.',
    bad: 'list_parcels: A description of 5,000 characters.',
    good: 'list_parcels: Lists the parcels of a customer.',
  },
  'client-loses-reference': {
    severity: 'medium',
    what: 'A reference into definitions that a client removes.',
    fix: 'Write the schema in place of the reference.',
    bad: 'send: Sends a parcel. {"properties":{"to":{"$ref":"#/$defs/address"}},"$defs":{"address":{"type":"object"}}}',
    good: 'send: Sends a parcel. {"properties":{"to":{"type":"object"}}}',
  },
  'client-closes-schema': {
    severity: 'medium',
    what: 'Arguments that a schema allows and that a client forbids.',
    fix: 'List all parameters in "properties" at the root of the schema.',
    bad: 'set_labels: Sets labels. {"type":"object","additionalProperties":{"type":"string"}}',
    good: 'set_labels: Sets labels. {"type":"object","properties":{"labels":{"type":"object"}}}',
  },
  'client-cuts-instructions': {
    severity: 'low',
    what: 'A server of which a model reads little before it searches for tools.',
    fix: 'Say in the first line of the instructions, within 250 characters, what the server is for.',
    bad: 'parcels, without instructions: a model reads its name alone.',
    good: 'parcels: "Parcels of customers: find one, send one, change its address."',
  },
  'client-drops-keywords': {
    severity: 'low',
    what: 'Limits or descriptions of parameters that a client removes from the schema.',
    fix: 'Say in the description of the parameter what the keyword says.',
    bad: 'book: Books a slot. {"properties":{"seats":{"type":"integer","maximum":8}}}',
    good: 'book: Books a slot. {"properties":{"seats":{"type":"integer","description":"Seats, 8 at most"}}}',
  },
} as const satisfies Record<string, Omit<LintRuleInfo, 'id'>>;

export type ClientRule = keyof typeof clientRules;

/** The rules in their order, the gravest first. */
export const clientRuleIds = Object.keys(clientRules) as ClientRule[];
