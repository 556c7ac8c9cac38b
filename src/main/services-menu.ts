import { clipboard } from 'electron'
import type { MenuItemConstructorOptions } from 'electron'
import type { ShellState } from '../shared/services-messages.ts'
import { texts } from './app.texts.ts'
import { describeServices } from './service-status.ts'

interface ServicesMenuActions {
  open(): void
  /** Opens the queue of the desk. */
  openQueue(): void
  start(): void
  stop(): void
}

/** Menu items of the services, for the tray and the application menu. */
export function servicesMenu(
  state: ShellState,
  pending: number,
  actions: ServicesMenuActions,
): MenuItemConstructorOptions[] {
  const registry = state.services.find(({ name }) => name === 'registry')
  const isStopped = state.phase === 'stopped'
  return [
    ...describeServices(state).map((label) => ({ label, enabled: false })),
    { label: texts.menu.pending(pending), enabled: pending > 0, click: actions.openQueue },
    { type: 'separator' },
    { label: texts.menu.open, click: actions.open },
    {
      label: texts.menu.copyAddress,
      enabled: registry !== undefined,
      click: () => void clipboard.writeText(registry?.url ?? ''),
    },
    isStopped
      ? { label: texts.menu.start, click: actions.start }
      : { label: texts.menu.stop, enabled: state.phase !== 'stopping', click: actions.stop },
  ]
}
