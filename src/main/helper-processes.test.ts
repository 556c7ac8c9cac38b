import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { createHelperProcesses, helperEntries } from './helper-processes.ts'

const started = vi.hoisted(() => [] as unknown[][])

vi.mock('electron', () => ({
  MessageChannelMain: class {
    readonly port1 = 'one end'
    readonly port2 = 'other end'
  },
  utilityProcess: {
    fork(...args: unknown[]) {
      started.push(args)
      return Object.assign(new EventEmitter(), { postMessage() {}, kill() {} })
    },
  },
}))

test.skipIf(process.platform === 'win32').each([
  ['modules', '/app/validator.js', 'Skilldock module check', 64],
  ['images', '/app/images.js', 'Skilldock image check', 64],
  ['agents', '/app/agents.js', 'Skilldock agent project reader', 512],
  ['backups', '/app/backups.js', 'Skilldock backup', 128],
] as const)(
  'a process for %s gets no environment of the app and one end of a port',
  (kind, entry, serviceName, heapMegabytes) => {
    started.length = 0
    const ports: unknown[] = []
    createHelperProcesses(helperEntries('/app')).start(
      7,
      kind,
      (port) => ports.push(port),
      () => {},
    )
    expect(started).toEqual([
      [
        entry,
        [],
        {
          env: { MALLOC_ARENA_MAX: '1' },
          execArgv: [`--max-old-space-size=${heapMegabytes}`],
          serviceName,
          stdio: 'ignore',
        },
      ],
    ])
    expect(ports).toEqual(['other end'])
  },
)
