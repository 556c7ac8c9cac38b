import { EventEmitter } from 'node:events'
import type { UtilityProcess } from 'electron'
import { expect, test, vi } from 'vitest'
import { createHelperProcesses } from './helper-processes.ts'

const started = vi.hoisted(() => [] as unknown[][])

vi.mock('electron', () => ({
  MessageChannelMain: class {
    readonly port1 = 'one end'
    readonly port2 = 'other end'
  },
  utilityProcess: {
    fork(...words: unknown[]) {
      started.push(words)
      return Object.assign(new EventEmitter(), { postMessage() {}, kill() {} })
    },
  },
}))

test.skipIf(process.platform === 'win32')(
  'a process that checks modules gets nothing of the environment, and one end of a port',
  () => {
    const services = { postMessage: vi.fn<(message: object, ports: unknown[]) => void>() }
    const entries = { modules: '/app/validator.js', pictures: '/app/pictures.js' }
    createHelperProcesses(entries).start(7, 'modules', services as unknown as UtilityProcess, () => {})
    expect(started).toEqual([
      [
        '/app/validator.js',
        [],
        {
          env: {},
          execArgv: ['--max-old-space-size=64'],
          serviceName: 'Skilldock module check',
          stdio: 'ignore',
        },
      ],
    ])
    expect(services.postMessage).toHaveBeenCalledWith({ type: 'helper', id: 7 }, ['other end'])
  },
)
