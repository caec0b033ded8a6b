import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import type {
  AdditionName,
  RequestAdditions,
} from '../../../../src-shared/domain/requestAdditions.ts';

/** Additions to a request that are ready to be sent: they may hold credentials. */
export interface Additions extends Pick<RequestAdditions, 'headers' | 'query' | 'body'> {
  /** SHA-256 over the values of the references; null if there are none. */
  secretsHash: string | null;
}
export const noAdditions: Additions = { headers: {}, query: {}, body: {}, secretsHash: null };
export type ReadAdditions = (configuration: ListedEndpoint) => Promise<Additions>;

export type ListedEndpoint = Pick<ModelConfiguration, 'provider' | 'baseUrl'> & {
  [Name in AdditionName]?: ModelConfiguration[Name] | undefined;
};
