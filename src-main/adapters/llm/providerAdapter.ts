import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { ModelConfiguration, Provider } from '../../../src-shared/domain/model.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ChatModel } from './chatModel.ts';
import type { Timing } from './request/timing.ts';

export type DescribeTools = (tools: readonly SnapshotTool[]) => JsonValue[];

export interface OpenParts {
  warn: (message: string) => void;
  /** The tool array of a wire format by its name; null where none has it. */
  describeTools: (wireApi: string) => DescribeTools | null;
  secrets: Secrets;
  /** Told of every host that is asked. */
  contacted: (host: string) => void;
  timing: Timing;
}

/** One provider: a file that exports this, and a line in `openChatModel.ts`. */
export interface ProviderAdapter {
  provider: Provider;
  /** The wire formats that it speaks, so that stored requests can be shown and recordings replayed without it. */
  wireFormats: Readonly<Record<string, DescribeTools>>;
  open(configuration: ModelConfiguration, parts: OpenParts): Promise<ChatModel>;
}
