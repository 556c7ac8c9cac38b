/**
 * A column with JSON for SQL to look into, or null where it holds something else: SQLite's JSON functions would end the
 * whole statement. Of manifests and bodies the bytes are cast first.
 */
export const validJson = (column: string): string => `iif(json_valid(${column}), ${column}, NULL)`

/** A member of an element `f` of `json_each`, or null where the element is no object. */
export const memberOf = (name: string): string =>
  `iif(f.type = 'object', json_extract(f.value, '$.${name}'), NULL)`
