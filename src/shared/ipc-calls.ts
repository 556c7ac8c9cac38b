/** All IPC calls by group. Separate from their schemas, so that the preload script needs no libraries. */
export const ipcCalls = {
  app: ['info'],
  services: ['state', 'start', 'stop'],
  shell: ['retry', 'quit', 'usePort'],
  setup: ['useDataFolder', 'restoreBackup', 'restoreProgress', 'newLink'],
  session: ['get', 'set'],
  files: ['chooseFolder', 'chooseImages', 'saveModule'],
  preferences: ['get', 'set'],
  window: ['setTheme'],
} as const

export type IpcGroup = keyof typeof ipcCalls

/** The name of a call's IPC channel. */
export function channelOf(group: string, call: string): string {
  return `${group}.${call}`
}
