// Scripts for the pages of the double. They are functions without imports, because they are sent as source.

/** Names shared by both worlds of a page; the token is secret so that a page cannot guess them. */
export interface BridgeNames {
  token: string
  binding: string
}

export const isolatedWorld = 'Electron Isolated Context'

/** For the page's main world: recreates what the preload exposes, as frozen copies and functions that call it. */
export function mainWorldScript(names: BridgeNames): string {
  return `(${mainWorld.toString()})(${JSON.stringify(names)})`
}

/** For the isolated world: the `electron` module of a sandboxed preload, and the preload itself. */
export function isolatedWorldScript(names: BridgeNames, preload: string): string {
  return `(${isolated.toString()})(${JSON.stringify(names)}, function (require, module, exports) {${preload}\n})`
}

type Shape =
  | { kind: 'value'; value: unknown }
  | { kind: 'function'; id: number }
  | { kind: 'object'; entries: [string, Shape][] }

function mainWorld({ token }: BridgeNames): void {
  const calls = new Map<number, (answer: { ok: boolean; value: unknown }) => void>()
  let last = 0

  const make = (shape: Shape): unknown => {
    if (shape.kind === 'value') return freeze(shape.value)
    if (shape.kind === 'object') {
      return Object.freeze(Object.fromEntries(shape.entries.map(([key, entry]) => [key, make(entry)])))
    }
    return (...args: unknown[]) => {
      last += 1
      const call = last
      const answered = new Promise((resolve, reject) => {
        calls.set(call, ({ ok, value }) => {
          calls.delete(call)
          if (ok) resolve(freeze(value))
          else reject(new Error(String(value)))
        })
      })
      const copies: unknown = structuredClone(args)
      dispatchEvent(new CustomEvent(`${token}-call`, { detail: { call, id: shape.id, args: copies } }))
      return answered
    }
  }
  const freeze = (value: unknown): unknown => {
    // The contents of a buffer cannot be frozen.
    if (ArrayBuffer.isView(value)) return value
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) freeze(inner)
    return Object.freeze(value)
  }

  // The app decides, and the double only supports denial, which returns null.
  globalThis.open = (url = '') => {
    const address = new URL(url, document.baseURI).href
    dispatchEvent(new CustomEvent(`${token}-open`, { detail: address }))
    return null
  }

  addEventListener(`${token}-expose`, (event) => {
    const { key, shape } = (event as CustomEvent<{ key: string; shape: Shape }>).detail
    Object.defineProperty(globalThis, key, { value: make(shape), enumerable: true })
  })
  addEventListener(`${token}-answer`, (event) => {
    const { call, ...answer } = (event as CustomEvent<{ call: number; ok: boolean; value: unknown }>).detail
    calls.get(call)?.(answer)
  })
}

type Preload = (require: (name: string) => unknown, module: object, exports: object) => void

function isolated({ token, binding }: BridgeNames, preload: Preload): void {
  const world = globalThis as unknown as Record<string, unknown>
  const send = world[binding] as (payload: string) => void
  addEventListener(`${token}-open`, (event) => {
    send(JSON.stringify({ open: (event as CustomEvent<string>).detail }))
  })
  // Electron runs a preload in the main frame only.
  if (globalThis.top !== globalThis.self) return
  const functions: ((...args: unknown[]) => unknown)[] = []
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0

  const strict = (name: string, object: object): unknown =>
    new Proxy(object, {
      get(target, key) {
        if (key in target || typeof key === 'symbol') return Reflect.get(target, key)
        throw new Error(`The double of Electron has no ${name}.${key}.`)
      },
    })
  const describe = (value: unknown): Shape => {
    if (typeof value === 'function')
      return { kind: 'function', id: functions.push(value as () => unknown) - 1 }
    const prototype: unknown =
      typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : null
    if (prototype !== Object.prototype) return { kind: 'value', value: structuredClone(value) }
    const entries = Object.entries(value as object)
    return { kind: 'object', entries: entries.map(([key, entry]) => [key, describe(entry)]) }
  }

  const contextBridge = strict('contextBridge', {
    exposeInMainWorld(key: string, api: unknown) {
      if (key in world) throw new Error(`Cannot bind an API on top of an existing property: ${key}`)
      dispatchEvent(new CustomEvent(`${token}-expose`, { detail: { key, shape: describe(api) } }))
    },
  })
  const ipcRenderer = strict('ipcRenderer', {
    async invoke(channel: string, ...args: unknown[]) {
      // As in Electron, a value that cannot be cloned fails before anything is sent.
      const copies = structuredClone(args)
      last += 1
      const answer = Promise.withResolvers<unknown>()
      waiting.set(last, answer)
      send(JSON.stringify({ id: last, channel, args: copies, length: copies.length }, packBytes))
      return await answer.promise
    },
  })
  /** Encodes bytes, which JSON cannot contain. */
  const packBytes = (_key: string, value: unknown): unknown => {
    if (!(value instanceof Uint8Array)) return value
    let text = ''
    for (const byte of value) text += String.fromCodePoint(byte)
    return { $bytes: btoa(text) }
  }
  const unpackBytes = (_key: string, value: unknown): unknown => {
    const packed = value as { $bytes?: string } | null
    if (typeof packed?.$bytes !== 'string') return value
    return Uint8Array.from(atob(packed.$bytes), (character) => character.codePointAt(0) ?? 0)
  }
  world[`${binding}Answer`] = (id: number, ok: boolean, text: string | undefined) => {
    const value: unknown = text === undefined ? undefined : JSON.parse(text, unpackBytes)
    const answer = waiting.get(id)
    waiting.delete(id)
    if (ok) answer?.resolve(value)
    else answer?.reject(new Error(String(value)))
  }

  addEventListener(`${token}-call`, (event) => {
    const { call, id, args } = (event as CustomEvent<{ call: number; id: number; args: unknown[] }>).detail
    const answer = (ok: boolean, value: unknown): void => {
      dispatchEvent(new CustomEvent(`${token}-answer`, { detail: { call, ok, value } }))
    }
    const run = async (): Promise<unknown> => structuredClone(await functions[id]?.(...args))
    run().then(
      (value) => answer(true, value),
      (error: unknown) => answer(false, error instanceof Error ? error.message : String(error)),
    )
  })

  const electron = strict('electron in a sandboxed preload', { contextBridge, ipcRenderer })
  const require = (name: string): unknown => {
    if (name === 'electron') return electron
    throw new Error(`module not found: ${name}`)
  }
  try {
    const module = { exports: {} }
    preload(require, module, module.exports)
  } catch (error) {
    console.error(`Unable to load preload script: ${String(error)}`)
  }
}
