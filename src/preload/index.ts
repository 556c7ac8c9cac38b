import { contextBridge, ipcRenderer } from 'electron'
import { channelOf, ipcCalls } from '../shared/ipc-calls.ts'

// Exposes only the calls of src/shared/ipc-schema.ts (`DesktopBridge`) to the page. Each takes at most one argument.
const bridge = Object.fromEntries(
  Object.entries(ipcCalls).map(([group, calls]) => [
    group,
    Object.fromEntries(
      calls.map((call) => [
        call,
        (argument: unknown): Promise<unknown> => ipcRenderer.invoke(channelOf(group, call), argument),
      ]),
    ),
  ]),
)

contextBridge.exposeInMainWorld('skilldock', bridge)
