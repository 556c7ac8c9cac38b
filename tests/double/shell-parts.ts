import { existsSync } from 'node:fs'
import type { App } from './app.ts'
import type { Rectangle } from './browser-window.ts'
import { strict, strictClass, StrictEmitter } from './strict.ts'

// The parts of the system's shell: tray, notifications, clipboard and displays. They show nothing; a test that
// observes or clicks them replaces their methods, as on real Electron.

export function createTrayClass(app: App) {
  class Tray extends StrictEmitter {
    constructor(image: string) {
      super('Tray', ['click'])
      if (!app.isReady()) throw new Error('Cannot create Tray before app is ready')
      if (!existsSync(image)) throw new Error(`Failed to load image from path '${image}'`)
    }

    setToolTip(_text: string): void {}

    setContextMenu(_menu: object | null): void {}
  }
  return strictClass('Tray', Tray)
}

interface NotificationOptions {
  title?: string
  body?: string
}

export function createNotificationClass(app: App) {
  class Notification extends StrictEmitter {
    readonly title: string
    readonly body: string

    constructor(options: NotificationOptions = {}) {
      super('Notification', ['click', 'close', 'show'])
      if (!app.isReady()) throw new Error('Cannot create Notification before app is ready')
      const { title = '', body = '', ...rest } = options
      const [unknown] = Object.keys(rest)
      if (unknown !== undefined)
        throw new Error(`The double of Electron has no option "${unknown}" of Notification.`)
      this.title = title
      this.body = body
    }

    static isSupported(): boolean {
      return true
    }

    show(): void {
      this.emit('show', {})
    }
  }
  return strictClass('Notification', Notification)
}

const themeSources = ['system', 'light', 'dark']

export function createNativeTheme() {
  let source = 'system'
  return strict('nativeTheme', {
    get themeSource(): string {
      return source
    },
    set themeSource(next: string) {
      if (!themeSources.includes(next)) throw new TypeError(`"${next}" is not a theme source.`)
      source = next
    },
  })
}

/** One display with a task bar at the bottom. */
const display = {
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  workArea: { x: 0, y: 0, width: 1920, height: 1040 },
}

export function createScreen(app: App) {
  const assertReady = (): void => {
    if (!app.isReady()) throw new Error("The 'screen' module can't be used before the app 'ready' event")
  }
  return strict('screen', {
    getDisplayMatching(_rectangle: Rectangle) {
      assertReady()
      return strict('Display', structuredClone(display))
    },
  })
}

export function createClipboard() {
  let text = ''
  return strict('clipboard', {
    async writeText(next: string): Promise<void> {
      text = next
    },
    readText: (): Promise<string> => Promise.resolve(text),
  })
}
