import type { ListingFlaw } from '../../../src-shared/domain/clientFacts.ts';

/** What is wrong with a tool, and what to change. */
export const flawTexts: Readonly<Record<ListingFlaw | 'twice', { is: string; fix: string }>> = {
  twice: { is: 'the server lists it twice.', fix: 'Rename one of the two.' },
  'no-name': { is: 'it has no name.', fix: 'Give it one.' },
  'no-input-schema': {
    is: 'it has no inputSchema.',
    fix: 'Give it {"type": "object", "properties": {}}.',
  },
  'root-type': {
    is: 'its inputSchema isn\'t of type "object".',
    fix: 'Write "type": "object" at its root.',
  },
  'property-boolean': {
    is: 'a parameter has true or false as its schema.',
    fix: 'Write {} for any value, or leave the parameter out.',
  },
  'property-null': { is: 'a parameter has null as its schema.', fix: 'Write {} for any value.' },
  'property-constructor': {
    is: 'a parameter is named "constructor".',
    fix: 'Give it another name.',
  },
  'required-type': {
    is: '"required" isn\'t a list of names.',
    fix: 'Write a list, also for one name.',
  },
  'description-type': {
    is: "its description isn't text.",
    fix: 'Write text, or leave the member out.',
  },
  'description-value': {
    is: "its description isn't text.",
    fix: 'Write text, or leave the member out.',
  },
  'title-type': { is: "its title isn't text.", fix: 'Write text, or leave the member out.' },
  'hint-type': {
    is: 'a hint of its annotations is neither true nor false.',
    fix: 'Write true or false, or leave the hint out.',
  },
  'annotations-type': {
    is: "its annotations aren't an object.",
    fix: 'Write an object, or leave the member out.',
  },
  'output-root-type': {
    is: 'its outputSchema isn\'t of type "object".',
    fix: 'Wrap the value in an object.',
  },
  'root-union': {
    is: 'its inputSchema has anyOf, oneOf or allOf at its root.',
    fix: 'List all parameters in "properties", and say in the description which go together.',
  },
  'items-list': {
    is: 'a list has one schema per position.',
    fix: 'Write one schema for all items.',
  },
  'member-type': {
    is: 'a description, "required" or "enum" of a parameter is of the wrong type.',
    fix: 'Write text, and lists.',
  },
};

export const flawText = (flaw: ListingFlaw | 'twice'): string =>
  `${flawTexts[flaw].is} ${flawTexts[flaw].fix}`;
