import { EventEmitter } from 'node:events'

/** Properties that the language and libraries probe for, so accessing them never throws. */
const probed = new Set(['then', 'toJSON', 'constructor', 'nodeType', '$$typeof', 'asymmetricMatch'])

/** Accessing a property that the double lacks throws, so that no test passes because nothing was called. */
export function strict<T extends object>(name: string, object: T): T {
  return new Proxy(object, {
    get(target, key) {
      if (key in target || typeof key === 'symbol' || probed.has(key)) {
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' && !isClass(value) ? (value.bind(target) as unknown) : value
      }
      throw new Error(`The double of Electron has no ${name}.${key}.`)
    },
  })
}

/** A class whose statics and instances are strict. */
export function strictClass<T extends new (...args: never[]) => object>(name: string, plain: T): T {
  return new Proxy(strict(name, plain), {
    construct: (_target, args) => strict(name, Reflect.construct(plain, args) as object),
  })
}

function isClass(value: unknown): boolean {
  return Function.prototype.toString.call(value).startsWith('class')
}

/** An emitter of a fixed list of events; listening to any other event throws. */
export class StrictEmitter extends EventEmitter {
  readonly #name: string
  readonly #known: ReadonlySet<string>

  constructor(name: string, known: readonly string[]) {
    super()
    this.#name = name
    this.#known = new Set([...known, 'newListener', 'removeListener'])
  }

  override on(event: string, listener: (...args: never[]) => void): this {
    this.#check(event)
    return super.on(event, listener as (...args: unknown[]) => void)
  }

  override once(event: string, listener: (...args: never[]) => void): this {
    this.#check(event)
    return super.once(event, listener as (...args: unknown[]) => void)
  }

  override addListener(event: string, listener: (...args: never[]) => void): this {
    return this.on(event, listener)
  }

  #check(event: string): void {
    if (!this.#known.has(event))
      throw new Error(`The double of Electron has no event "${event}" of ${this.#name}.`)
  }
}

/** Emits an event with a preventable default, and returns whether it was prevented. */
export function emitPreventable(emitter: EventEmitter, name: string, details: object = {}): boolean {
  let isPrevented = false
  emitter.emit(name, {
    ...details,
    get defaultPrevented() {
      return isPrevented
    },
    preventDefault() {
      isPrevented = true
    },
  })
  return isPrevented
}
