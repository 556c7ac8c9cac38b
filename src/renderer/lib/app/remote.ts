/**
 * Whether this is the remote desk (docs/decisions/024-remote-desk.md), which browsers always open over HTTPS and the local one
 * never. It has no agents, no services and no setup.
 */
export const isRemote = (globalThis as { location?: Location }).location?.protocol === 'https:'
