/** Defined near the top of the built file, where the registry that serves it inserts its own address. */
declare const servedBy: string

/** The address of the registry that served this client; null for a local build. */
export const builtInRegistry: string | null =
  typeof servedBy === 'string' && servedBy !== '' ? servedBy : null
