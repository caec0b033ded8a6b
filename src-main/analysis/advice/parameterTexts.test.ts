import { describe, expect, it } from 'vitest';
import { inSentence, parameterText } from './parameterTexts.ts';

describe('what the description of a parameter says', () => {
  it.each([
    ['filePath', 'The absolute path to the .chart file', '.chart file'],
    ['id', 'Dry dock identifier', 'Dry dock'],
    ['vessel', 'ID of the cargo vessel (hexadecimal)', 'cargo vessel'],
    ['id', 'Vessel ID', 'Vessel'],
    ['ids', 'IDs to update', null],
    ['id', 'The unique ID of the resource', null],
    ['note', 'What the captain said', null],
  ])('of %s, “%s”, identifies %j', (name, text, thing) => {
    expect(parameterText(name, text).thing).toBe(thing);
  });

  it.each([
    ['checkIn', 'Check-in date (YYYY-MM-DD)', 'Check-in date'],
    ['code', 'Port IATA or ICAO code.', 'Port IATA or ICAO code'],
    ['title', 'Title contains', null],
    ['origin', 'Starting point', null],
    ['depth', 'Depth of the water', null],
    ['depth', 'The depth', null],
  ])('of %s, “%s”, is the noun phrase %j', (name, text, phrase) => {
    expect(parameterText(name, text).phrase).toBe(phrase);
  });

  it.each([
    ['Whether to sink it (default: no)', 'whether to sink it'],
    ['If true, remove the cargo', 'whether to remove the cargo'],
    ['Set to true to permanently delete it', 'whether to permanently delete it'],
    ['Include empty holds', 'whether to include empty holds'],
    ['Test mode flag', null],
    ['Set to true if it is empty', null],
    ['Set this to false for a full hold', null],
    ['Family cabin', null],
    ['Remove', null],
  ])('of a switch, “%s”, is %j', (text, phrase) => {
    expect(parameterText('sink', text, true).phrase).toBe(phrase);
  });

  it('keeps the capital of a first word only where the server writes it so', () => {
    expect(inSentence('Dry dock', 'Gets a dry dock.')).toBe('dry dock');
    expect(inSentence('Neptune dock', 'Gets the Neptune dock.')).toBe('Neptune dock');
    expect(inSentence('SSH key', '')).toBe('SSH key');
  });
});
