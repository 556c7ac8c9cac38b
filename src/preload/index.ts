import { contextBridge, ipcRenderer } from 'electron'
import { channelOf, ipcCalls } from '../shared/ipc-calls.ts'

// All that a page gets of the operating system: the calls of src/shared/ipc-schema.ts (`DesktopBridge`).
const bridge = Object.fromEntries(
  Object.entries(ipcCalls).map(([group, calls]) => [
    group,
    Object.fromEntries(
      calls.map((call) => [call, (): Promise<unknown> => ipcRenderer.invoke(channelOf(group, call))]),
    ),
  ]),
)

contextBridge.exposeInMainWorld('skilldock', bridge)
