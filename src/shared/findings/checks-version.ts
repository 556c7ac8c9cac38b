/**
 * Of the checks: raised whenever one is added, taken away or finds something else than before. Releases that
 * are pending are then checked again.
 */
export const CHECKS_VERSION = '1'
