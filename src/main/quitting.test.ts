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
      const answer = electron.answers.shift() ?? new Error('Nobody answers.')
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ response: answer })
    },
  },
}))

let uploads: number
/** What comes of the uploads when all has been heard that the services have said. */
let heard: number | null
let stopped: string[]
let quitting: Quitting
let isOver: boolean

/** Quits as Electron does: each of the two events may put it off. */
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

test('without an upload nothing is asked, and the app ends when the services have stopped', async () => {
  electron.app?.quit()
  expect(isOver).toBe(false)
  expect(quitting.isQuitting()).toBe(true)
  await settled()
  expect({ isOver, stopped, asked: electron.asked }).toEqual({ isOver: true, stopped: ['stop'], asked: [] })
})

test('with uploads it asks once at a time, and goes on only when told so', async () => {
  uploads = 2
  electron.answers = [keepRunning, stopAnyway]
  electron.app?.quit()
  electron.app?.quit()
  await settled()
  expect(electron.asked).toEqual(['2 uploads are on the way to the registry. Stop now?'])
  expect([isOver, quitting.isQuitting(), stopped]).toEqual([false, false, []])
  electron.app?.quit()
  await settled()
  expect([isOver, stopped]).toEqual([true, ['stop']])
})

test('an upload that ended a moment ago is not asked about', async () => {
  uploads = 1
  heard = 0
  electron.app?.quit()
  await settled()
  expect({ isOver, stopped, asked: electron.asked }).toEqual({ isOver: true, stopped: ['stop'], asked: [] })
})

test('stopping the services asks the same way, and does nothing where nobody can answer', async () => {
  await quitting.pause()
  uploads = 1
  await quitting.pause()
  expect(stopped).toEqual(['pause'])
  electron.answers = [stopAnyway]
  await quitting.pause()
  expect(stopped).toEqual(['pause', 'pause'])
  expect(quitting.isQuitting()).toBe(false)
})

test('services that were stopped for good let the window close: an update closes it before it quits', async () => {
  await quitting.stop()
  expect(quitting.isQuitting()).toBe(true)
})
