import { EventEmitter } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { handleQuitting } from './quitting.ts'
import type { Quitting } from './quitting.ts'
import type { Services } from './server-process.ts'

const electron = vi.hoisted(() => ({
  app: null as (EventEmitter & { quit(): void }) | null,
  answers: [] as (number | Error)[],
  asked: [] as string[],
}))

vi.mock('electron', () => ({
  app: {
    on: (name: string, listener: () => void) => electron.app?.on(name, listener),
    quit: () => electron.app?.quit(),
  },
  dialog: {
    showMessageBox({ message }: { message: string }) {
      electron.asked.push(message)
      const answer = electron.answers.shift() ?? new Error('No answer.')
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ response: answer })
    },
  },
}))

let uploads: number
/** The number of uploads after the services have caught up. */
let heard: number | null
let stopped: string[]
let quitting: Quitting
let isOver: boolean

/** Quits like Electron: each of the two events can prevent it. */
class App extends EventEmitter {
  quit(): void {
    const goesOn = ['before-quit', 'will-quit'].every((name) => {
      const preventDefault = vi.fn()
      this.emit(name, { preventDefault })
      return preventDefault.mock.calls.length === 0
    })
    if (goesOn) isOver = true
  }
}

beforeEach(() => {
  electron.app = new App()
  electron.answers = []
  electron.asked = []
  uploads = 0
  heard = null
  stopped = []
  isOver = false
  quitting = handleQuitting({
    uploads: () => uploads,
    catchUp: () => Promise.resolve(void (uploads = heard ?? uploads)),
    stop: () => Promise.resolve(void stopped.push('stop')),
    pause: () => Promise.resolve(void stopped.push('pause')),
  } as unknown as Services)
})

const stopAnyway = 0
const keepRunning = 1
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('without uploads the app quits without asking, once the services have stopped', async () => {
  electron.app?.quit()
  expect(isOver).toBe(false)
  expect(quitting.isQuitting()).toBe(true)
  await settled()
  expect({ isOver, stopped, asked: electron.asked }).toEqual({ isOver: true, stopped: ['stop'], asked: [] })
})

test('with uploads the app shows one dialog at a time and quits only if confirmed', async () => {
  uploads = 2
  electron.answers = [keepRunning, stopAnyway]
  electron.app?.quit()
  electron.app?.quit()
  await settled()
  expect(electron.asked).toEqual(['2 uploads are in progress. Stop now?'])
  expect([isOver, quitting.isQuitting(), stopped]).toEqual([false, false, []])
  electron.app?.quit()
  await settled()
  expect([isOver, stopped]).toEqual([true, ['stop']])
})

test('the app does not ask about an upload that has just ended', async () => {
  uploads = 1
  heard = 0
  electron.app?.quit()
  await settled()
  expect({ isOver, stopped, asked: electron.asked }).toEqual({ isOver: true, stopped: ['stop'], asked: [] })
})

test('stopping the services asks in the same way, and does nothing if the dialog fails', async () => {
  await quitting.pause()
  uploads = 1
  await quitting.pause()
  expect(stopped).toEqual(['pause'])
  electron.answers = [stopAnyway]
  await quitting.pause()
  expect(stopped).toEqual(['pause', 'pause'])
  expect(quitting.isQuitting()).toBe(false)
})

test('the window can be closed once the services are stopped permanently, as before an update', async () => {
  await quitting.stop()
  expect(quitting.isQuitting()).toBe(true)
})
