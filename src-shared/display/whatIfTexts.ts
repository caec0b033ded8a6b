import type { PresentedAs } from '../domain/clientFacts.ts';
import { clientNames } from './clientTexts.ts';
import type { AppliedChange, WhatIfChange } from '../domain/whatIf.ts';
import { counted } from './numbers.ts';

const presentedText = (client: PresentedAs): string =>
  client === 'generic'
    ? 'tools presented as the provider takes them'
    : `tools presented as ${clientNames[client]}`;

/** A stored change in one line, as it follows "What if: ". */
export function describeChange(change: AppliedChange): string {
  switch (change.kind) {
    case 'remove_tool':
      return `without ${change.toolId}`;
    case 'remove_server':
      return `without server ${change.server} (${counted(change.tools, 'tool')})`;
    case 'add_tool':
      return `with ${change.toolId}`;
    case 'add_server':
      return `with server ${change.server} (${counted(change.tools, 'tool')})`;
    case 'override':
      return `new ${change.parts.map((part) => part.replace('_', ' ')).join(' and ')} of ${change.toolId}`;
    case 'rename':
      return `${change.toolId} renamed to ${change.to}`;
    case 'present_as':
      return presentedText(change.client);
  }
}

/** A change that is still to be applied, in the words of `describeChange`. */
export function describePlanned(change: WhatIfChange): string {
  switch (change.kind) {
    case 'remove_server':
      return `without server ${change.server}`;
    case 'add_server':
      return `with server ${change.server}`;
    case 'add_tools':
      return `with ${counted(change.tools.length, 'tool')} from a file`;
    case 'override':
      return `new description of ${change.toolId}`;
    case 'rename':
      return `${change.toolId} renamed to ${change.name}`;
    case 'present_as':
      return presentedText(change.client);
    case 'remove_tool':
      return `without ${change.toolId}`;
  }
}
