import { isRemote, providerTable, type AddressedProvider, type Provider } from './provider.ts';

/**
 * Part of the provider table in a module of its own: the page imports the table, and its bundle
 * must not name any host.
 */
const addresses = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
} as const satisfies Record<AddressedProvider, string>;

const hasAddress = (provider: Provider): provider is AddressedProvider =>
  isRemote(provider) && providerTable[provider].ownAddress;

/** The provider's own address; null if each configuration names one. */
export const ownAddressOf = (provider: Provider): string | null =>
  hasAddress(provider) ? addresses[provider] : null;
