import { strict } from './strict.ts'

type Handler = (event: object, ...args: unknown[]) => unknown

const handlers = new Map<string, Handler>()

export const ipcMain = strict('ipcMain', {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, handler)
  },
})

/** Returns copies of values, and errors as text only, as Electron does. */
export async function invokeHandler(
  channel: string,
  event: object,
  args: unknown[],
): Promise<{ ok: boolean; value: unknown }> {
  try {
    const handler = handlers.get(channel)
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`)
    return { ok: true, value: structuredClone(await handler(strict('IpcMainInvokeEvent', event), ...args)) }
  } catch (error) {
    return { ok: false, value: `Error invoking remote method '${channel}': ${String(error)}` }
  }
}
