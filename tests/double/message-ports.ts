import { strict, StrictEmitter } from './strict.ts'

/** The process that a port was passed to. */
export interface Home {
  sendToPort(id: number, data: unknown): void
  closePort(id: number): void
}

interface Registered {
  peer: number
  local: MessagePortMain | null
  home: Home | null
}

const ports = new Map<number, Registered>()
let lastPort = 0

/** One end of a channel. Messages are queued until `start`, as Electron documents. */
export class MessagePortMain extends StrictEmitter {
  readonly id: number
  #isStarted = false
  #isUsable = true
  readonly #waiting: unknown[] = []

  constructor(id: number) {
    super('MessagePortMain', ['message', 'close'])
    this.id = id
  }

  postMessage(data: unknown, transfer: readonly unknown[] = []): void {
    this.#assertUsable()
    if (transfer.length > 0) throw new Error('The double of Electron passes no ports through ports.')
    postFrom(this.id, structuredClone(data))
  }

  start(): void {
    this.#assertUsable()
    this.#isStarted = true
    for (const data of this.#waiting.splice(0)) this.emit('message', { data, ports: [] })
  }

  close(): void {
    if (!this.#isUsable) return
    this.#isUsable = false
    closeFrom(this.id)
  }

  receive(data: unknown): void {
    if (this.#isStarted) setImmediate(() => this.emit('message', { data, ports: [] }))
    else this.#waiting.push(data)
  }

  /** Makes the port unusable here, because it was passed to another process. Returns its queued messages. */
  neuter(): unknown[] {
    this.#assertUsable()
    this.#isUsable = false
    return this.#waiting.splice(0)
  }

  #assertUsable(): void {
    if (!this.#isUsable) throw new Error('This port was closed or passed on.')
  }
}

export class MessageChannelMain {
  readonly port1: MessagePortMain
  readonly port2: MessagePortMain

  constructor() {
    const [first, second] = [(lastPort += 1), (lastPort += 1)]
    this.port1 = strict('MessagePortMain', new MessagePortMain(first))
    this.port2 = strict('MessagePortMain', new MessagePortMain(second))
    ports.set(first, { peer: second, local: this.port1, home: null })
    ports.set(second, { peer: first, local: this.port2, home: null })
  }
}

/** Passes ports to another process; `announce` sends it their ids before any message arrives. */
export function passPorts(
  transfer: readonly MessagePortMain[],
  home: Home,
  announce: (ids: number[]) => void,
): void {
  const passed = transfer.map((port) => ({ id: port.id, waiting: port.neuter() }))
  for (const { id } of passed) Object.assign(registered(id), { local: null, home })
  announce(passed.map(({ id }) => id))
  for (const { id, waiting } of passed) for (const data of waiting) home.sendToPort(id, data)
}

/** Sends a message from the port `id` to its other end, in whichever process that is. */
export function postFrom(id: number, data: unknown): void {
  const sender = ports.get(id)
  if (sender === undefined) return
  const { peer } = sender
  const other = ports.get(peer)
  if (other?.local != null) other.local.receive(data)
  else other?.home?.sendToPort(peer, data)
}

/** Closes the other end of the port `id`, which was closed or whose process has ended. */
export function closeFrom(id: number): void {
  const closed = ports.get(id)
  if (closed === undefined) return
  ports.delete(id)
  const other = ports.get(closed.peer)
  ports.delete(closed.peer)
  if (other?.local != null) setImmediate(() => other.local?.emit('close'))
  else other?.home?.closePort(closed.peer)
}

export function closeAllOf(home: Home): void {
  for (const [id, port] of ports) if (port.home === home) closeFrom(id)
}

function registered(id: number): Registered {
  const port = ports.get(id)
  if (port === undefined) throw new Error('This port was closed.')
  return port
}
