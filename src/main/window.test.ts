import { EventEmitter } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { openAppSettings } from './app-settings.ts'
import { openDeskWindow } from './window.ts'

const electron = vi.hoisted(() => ({ options: [] as Record<string, unknown>[], partitions: [] as string[] }))

vi.mock('electron', () => ({
  BrowserWindow: class extends EventEmitter {
    readonly webContents = new EventEmitter()

    constructor(options: Record<string, unknown>) {
      super()
      electron.options.push(options)
    }
  },
  protocol: {},
  session: {
    fromPartition(partition: string) {
      electron.partitions.push(partition)
      return { protocol: { isProtocolHandled: () => true } }
    },
  },
}))

beforeEach(() => {
  electron.options.length = 0
  openDeskWindow({
    preload: '/app/preload.cjs',
    settings: openAppSettings('/nowhere/app.json'),
    onDeskLost() {},
    mayClose: () => true,
    onClosed() {},
  })
})

test('the window is created with these web preferences and no others', () => {
  const options = electron.options[0] as { webPreferences: Record<string, unknown> }
  const { session: own, ...preferences } = options.webPreferences
  expect(own).toBeDefined()
  // All others have Electron's defaults. None of these may weaken them.
  expect(preferences).toEqual({
    preload: '/app/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
  })
})

test("the window's session is in memory, so that no readable sign-in data reaches the disk", () => {
  expect(electron.partitions.length).toBeGreaterThan(0)
  expect(electron.partitions.filter((partition) => partition.startsWith('persist:'))).toEqual([])
})
