/** Every IPC call by its group: all that the preload has to know, free of libraries. */
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

/** The name under which a call crosses to the main process. */
export function channelOf(group: string, call: string): string {
  return `${group}.${call}`
}
