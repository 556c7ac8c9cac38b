/** The sentences about the agent project that errors and the dashboard show. Those about its files are in `unreadable.texts.ts`. */
export const texts = {
  state: {
    none: 'No agent project selected. Choose its folder.',
    missing: 'The project has no data/nexus.db yet. It appears here as soon as the file exists.',
  },
  notRecent: 'This project is not in the list of recent projects. Reload the list.',
  invalidFolder: (problem: string) => `The path ${problem}.`,
  folder: {
    relative: 'must be an absolute path',
    missing: 'does not exist or cannot be read',
    noFolder: 'is not a folder',
    chosen: 'belongs to the chosen project; choose another project first',
  },
  manyAlerts: (count: number, first: string) =>
    `${count} alerts in the agent project. Most serious: ${first}`,
  endedAlert: 'This alert no longer exists. Reload the list.',
  notAcknowledgeable: 'Only mismatches can be acknowledged. Other alerts end when the problem is resolved.',
} as const
