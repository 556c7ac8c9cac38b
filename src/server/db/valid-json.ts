/**
 * SQL for a JSON column, or null if its value is not JSON, for which SQLite's JSON functions would abort the statement.
 * Cast the bytes of manifests and bodies first.
 */
export const validJson = (column: string): string => `iif(json_valid(${column}), ${column}, NULL)`

/** SQL for a member of an element `f` of `json_each`, or null if the element is not an object. */
export const memberOf = (name: string): string =>
  `iif(f.type = 'object', json_extract(f.value, '$.${name}'), NULL)`
