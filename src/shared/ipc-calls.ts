/** Every IPC call by its group: all that the preload has to know, free of libraries. */
export const ipcCalls = {
  app: ['info'],
  services: ['state'],
  shell: ['retry', 'quit'],
} as const

export type IpcGroup = keyof typeof ipcCalls

/** The name under which a call crosses to the main process. */
export function channelOf(group: string, call: string): string {
  return `${group}.${call}`
}
