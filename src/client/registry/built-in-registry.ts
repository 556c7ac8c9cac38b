/** Stands near the top of the built file, where the registry that serves it writes its own address (`vite.config.ts`). */
declare const servedBy: string

/** The address of the registry that this client came from; null for one that nobody has served. */
export const builtInRegistry: string | null =
  typeof servedBy === 'string' && servedBy !== '' ? servedBy : null
