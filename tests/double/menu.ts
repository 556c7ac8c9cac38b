import { strict } from './strict.ts'

interface Template {
  role?: string
  type?: string
  label?: string
  submenu?: Template[]
  enabled?: boolean
  click?: () => void
}

const labels: Record<string, string> = {
  appMenu: 'App',
  close: 'Close Window',
  editMenu: 'Edit',
  quit: 'Quit',
  reload: 'Reload',
  resetZoom: 'Actual Size',
  togglefullscreen: 'Toggle Full Screen',
  windowMenu: 'Window',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
}
const knownKeys = new Set(['role', 'type', 'label', 'submenu', 'enabled', 'click'])

class Menu {
  readonly items: object[]
  static #current: Menu | null = null

  constructor(template: Template[]) {
    this.items = template.map((entry) => strict('MenuItem', toItem(entry)))
  }

  static buildFromTemplate(template: Template[]): Menu {
    return strict('Menu', new Menu(template))
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.#current = menu
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#current
  }
}

function toItem(entry: Template): object {
  for (const key of Object.keys(entry)) {
    if (!knownKeys.has(key)) throw new Error(`The double of Electron has no "${key}" of a menu item.`)
  }
  const known = entry.role === undefined ? '' : labels[entry.role]
  if (known === undefined) throw new Error(`The double of Electron has no role "${entry.role}".`)
  return {
    role: entry.role,
    type: entry.type ?? (entry.submenu === undefined ? 'normal' : 'submenu'),
    label: entry.label ?? known,
    submenu: entry.submenu === undefined ? undefined : Menu.buildFromTemplate(entry.submenu),
    enabled: entry.enabled ?? true,
    click: entry.click,
  }
}

export const strictMenu = strict('Menu', Menu)
