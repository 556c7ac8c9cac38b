import { contextBridge, ipcRenderer } from 'electron'
import { channelOf, ipcCalls } from '../shared/ipc-calls.ts'

// All that a page gets of the operating system: the calls of src/shared/ipc-schema.ts (`DesktopBridge`), each
// of which takes one argument or none.
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
