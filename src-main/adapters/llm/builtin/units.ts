/**
 * Units as people write them, one per line, its sign first: general knowledge, not taken from any
 * catalog. A number and a parameter that name the same unit belong together.
 */
const units = `
  mm millimeter millimetre
  cm centimeter centimetre
  m meter metre
  km kilometer kilometre
  in inch
  ft foot feet
  yd yard
  mi mile
  mg milligram
  g gram
  kg kilogram kilo
  lb lbs pound
  oz ounce
  ms millisecond
  s sec second
  min minute
  h hr hrs hour
  d day
  wk week
  mo month
  yr yrs year
  night
  ml milliliter millilitre
  l liter litre
  k kelvin
  c celsius centigrade
  f fahrenheit
  deg degree
  mol mole
  n newton
  j joule
  kj kilojoule
  w watt
  kw kilowatt
  kwh
  v volt
  a ampere amp
  hz hertz
  khz kilohertz
  mhz megahertz
  ghz gigahertz
  pa pascal
  kpa kilopascal
  kb kilobyte
  mb megabyte
  gb gigabyte
  tb terabyte
  px pixel
  m/s mps
  km/h kmh kph
  mph
  $ dollar usd
  € euro eur
  £ gbp
  ¥ yen jpy
  % percent percentage
`;

const signOf = new Map<string, string>();
for (const line of units.trim().split('\n')) {
  const [sign = '', ...names] = line.trim().split(' ');
  for (const name of [sign, ...names]) signOf.set(name, sign);
}

/** The sign of a unit by any of its names, in singular or plural; null for other words. */
export function unitOf(word: string): string | null {
  const lower = word.toLowerCase();
  return (
    signOf.get(lower) ??
    (lower.length > 3 ? signOf.get(lower.replace(/e?s$/u, '')) : null) ??
    signOf.get(lower.replace(/s$/u, '')) ??
    null
  );
}

/** The units that a text names, by their signs; single letters only in parentheses or after "in". */
export function unitsIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const [, before = '', word = ''] of text.matchAll(/(\bin |\()?([\p{L}$€£¥%][\p{L}/]*)/gu)) {
    const unit = word.length > 2 || before !== '' || !/\p{L}/u.test(word) ? unitOf(word) : null;
    // A year names a date, years a duration.
    if (unit === 'yr' && !/s$/iu.test(word)) continue;
    if (unit !== null && !(word === 'in' || (word.toLowerCase() === 'a' && word !== 'A')))
      found.add(unit);
  }
  return found;
}

const attached =
  '(?:°\\s?[CF]|mm|cm|km|kg|mg|ml|ms|kWh|kW|kJ|kPa|kN|kV|mA|mol|mph|min|hrs?|lbs?|ft|oz|yrs?|px|Pa|Nm|[kMG]?Hz|[KMGT]B|[mgslLhKCFNJWVAT])';
/** Attached to a number: "12m", "300K", "9.8m/s^2", "20°C". */
export const attachedUnit = `${attached}(?:/${attached})?(?:\\^?-?[23]|[²³])?(?![\\p{L}\\p{N}/^])`;
