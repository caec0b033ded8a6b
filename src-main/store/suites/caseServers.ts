/**
 * SQL of the servers whose tools a case `c` of a suite `u` shows, as a JSON array: its own, or those
 * of the suite if it names none.
 */
export const serversOfCase = "CASE WHEN c.servers = '[]' THEN u.servers ELSE c.servers END";
