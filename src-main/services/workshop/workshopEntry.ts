import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ClientEntry, ServedCommand } from '../clientFiles/clientEntry.ts';

/** How the configuration of a client starts the workshop's server. */
export const workshopEntry = (served: ServedCommand): ClientEntry => ({
  ...served,
  name: 'touchstone-workshop',
  isOwn: startsWorkshop,
  replacesOthers: false,
});

function startsWorkshop({ command, args }: JsonObject): boolean {
  if (typeof command !== 'string' || !Array.isArray(args)) return false;
  return args.some((arg, index) => arg === 'workshop' && args[index + 1] === 'serve');
}
