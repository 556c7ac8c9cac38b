import { clipboard } from 'electron'
import type { MenuItemConstructorOptions } from 'electron'
import type { ShellState } from '../shared/services-messages.ts'
import { describePending, describeServices } from './service-status.ts'

export interface ServicesMenuActions {
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
    { label: describePending(pending), enabled: pending > 0, click: actions.openQueue },
    { type: 'separator' },
    { label: 'Open Skilldock', click: actions.open },
    {
      label: 'Copy registry address',
      enabled: registry !== undefined,
      click: () => void clipboard.writeText(registry?.url ?? ''),
    },
    isStopped
      ? { label: 'Start services', click: actions.start }
      : { label: 'Stop services', enabled: state.phase !== 'stopping', click: actions.stop },
  ]
}
