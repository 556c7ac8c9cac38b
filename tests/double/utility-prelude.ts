// Preloaded in the Node process that acts as an Electron utility process.
import childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import type { ToUtility } from './utility-process.ts'

const send = process.send?.bind(process)
if (send === undefined) throw new Error('This process was not started by the double of Electron.')
const post = (message: ToUtility): void => void send(message, undefined, undefined, () => {})

class PassedPort extends EventEmitter {
  readonly #id: number
  #isStarted = false
  readonly #waiting: unknown[] = []

  constructor(id: number) {
    super()
    this.#id = id
  }

  postMessage(data: unknown): void {
    post({ kind: 'port', id: this.#id, data })
  }

  start(): void {
    this.#isStarted = true
    for (const data of this.#waiting.splice(0)) this.emit('message', { data, ports: [] })
  }

  close(): void {
    if (ports.delete(this.#id)) post({ kind: 'close', id: this.#id })
  }

  receive(data: unknown): void {
    if (this.#isStarted) this.emit('message', { data, ports: [] })
    else this.#waiting.push(data)
  }
}

/** Queues messages until the first listener is added. */
class ParentPort extends EventEmitter {
  readonly #waiting: { data: unknown; ports: PassedPort[] }[] = []

  constructor() {
    super()
    this.on('newListener', (name) => {
      if (name === 'message' && this.listenerCount('message') === 0) {
        setImmediate(() => {
          for (const event of this.#waiting.splice(0)) this.emit('message', event)
        })
      }
    })
  }

  postMessage(data: unknown): void {
    post({ kind: 'parent', data, ports: [] })
  }

  /** Does nothing, because this port starts with its first listener. */
  start(): void {}

  receive(data: unknown, passed: PassedPort[]): void {
    const event = { data, ports: passed }
    if (this.listenerCount('message') === 0 || this.#waiting.length > 0) this.#waiting.push(event)
    else this.emit('message', event)
  }
}

const ports = new Map<number, PassedPort>()
const parentPort = new ParentPort()

process.on('message', (message: ToUtility) => {
  if (message.kind === 'port') ports.get(message.id)?.receive(message.data)
  else if (message.kind === 'close') {
    const port = ports.get(message.id)
    ports.delete(message.id)
    port?.emit('close')
  } else {
    const passed = message.ports.map((id) => {
      const port = new PassedPort(id)
      ports.set(id, port)
      return port
    })
    parentPort.receive(message.data, passed)
  }
})
// A utility process does not outlive the app.
process.on('disconnect', () => process.exit(1))

Object.assign(process, { parentPort, type: 'utility', send: undefined })
Object.assign(childProcess, {
  fork() {
    throw new Error('child_process.fork does not work in a utility process: the run-as-node fuse is off.')
  },
})
syncBuiltinESMExports()
