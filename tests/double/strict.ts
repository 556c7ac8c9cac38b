import { EventEmitter } from 'node:events'

/** What nothing may be asked of that it does not have, for languages and libraries look for these by themselves. */
const asked = new Set(['then', 'toJSON', 'constructor', 'nodeType', '$$typeof', 'asymmetricMatch'])

/** Any property that the double does not have throws, so that no test passes by calling nothing. */
export function strict<T extends object>(name: string, object: T): T {
  return new Proxy(object, {
    get(target, key) {
      if (key in target || typeof key === 'symbol' || asked.has(key)) {
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' && !isClass(value) ? (value.bind(target) as unknown) : value
      }
      throw new Error(`The double of Electron has no ${name}.${key}.`)
    },
  })
}

/** A class whose statics and instances are strict. */
export function strictClass<T extends new (...words: never[]) => object>(name: string, plain: T): T {
  return new Proxy(strict(name, plain), {
    construct: (_target, words) => strict(name, Reflect.construct(plain, words) as object),
  })
}

function isClass(value: unknown): boolean {
  return Function.prototype.toString.call(value).startsWith('class')
}

/** An emitter of the events that it names; listening to another one throws. */
export class StrictEmitter extends EventEmitter {
  readonly #name: string
  readonly #known: ReadonlySet<string>

  constructor(name: string, known: readonly string[]) {
    super()
    this.#name = name
    this.#known = new Set([...known, 'newListener', 'removeListener'])
  }

  override on(event: string, listener: (...words: never[]) => void): this {
    this.#check(event)
    return super.on(event, listener as (...words: unknown[]) => void)
  }

  override once(event: string, listener: (...words: never[]) => void): this {
    this.#check(event)
    return super.once(event, listener as (...words: unknown[]) => void)
  }

  override addListener(event: string, listener: (...words: never[]) => void): this {
    return this.on(event, listener)
  }

  #check(event: string): void {
    if (!this.#known.has(event))
      throw new Error(`The double of Electron has no event "${event}" of ${this.#name}.`)
  }
}

/** An event whose default can be prevented; tells whether it was. */
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
