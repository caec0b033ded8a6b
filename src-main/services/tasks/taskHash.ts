import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import type { TaskContent } from '../../../src-shared/domain/task.ts';
import { sha256 } from '../../runtime/sha256.ts';

/** What makes a task the same task: all of it but its name and tags. */
export const taskHash = ({ name: _name, tags: _tags, ...asked }: TaskContent): string =>
  sha256(canonicalJson(asked));
