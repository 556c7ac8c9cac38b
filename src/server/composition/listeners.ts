import { replaceFile } from '../../files/durable-files.ts'
import type { Apps } from './app-parts.ts'
import type { Config } from '../settings/config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import { defaultPaceWindowMs } from '../http/pace.ts'
import { createListener } from '../http/listener.ts'
import type { Listener } from '../http/listener.ts'
import { placeOf } from '../settings/live-settings.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { Logger } from '../operations/logging.ts'
import type { ServiceControl } from '../operations/service-control.ts'

export interface ListeningOptions {
  log: Logger
  formerPorts?: { registry: number | null; dashboard: number | null }
  stopTimeoutMs?: number
  paceWindowMs?: number
}

/** What is made after the applications that speak of it. */
export interface Made {
  registry: Listener
  loopback: Listener
  control: ServiceControl
}

export function makeListeners(
  options: ListeningOptions,
  live: LiveSettings,
  apps: Apps,
  onChange: () => void,
): Pick<Made, 'registry' | 'loopback'> {
  const { log, formerPorts, stopTimeoutMs, paceWindowMs = defaultPaceWindowMs } = options
  const shared = { log, onChange, paceWindowMs, ...(stopTimeoutMs === undefined ? {} : { stopTimeoutMs }) }
  return {
    registry: createListener({
      ...shared,
      name: 'registry',
      requestLines: 'notable',
      place: placeOf(live.config),
      formerPort: formerPorts?.registry ?? null,
      handle: apps.registry,
      errorPage: apps.errorPage,
    }),
    loopback: createListener({
      ...shared,
      name: 'dashboard',
      requestLines: 'all',
      place: { host: '127.0.0.1', port: live.config.dashboardPort, tls: null },
      formerPort: formerPorts?.dashboard ?? null,
      headers: { 'Cross-Origin-Resource-Policy': 'same-origin' },
      handle: apps.loopback,
      onStop: apps.endStreams,
    }),
  }
}

/** `running.json` for the other commands, and the ready file for whoever waits for it. */
export function announce(config: Readonly<Config>, registry: Listener, loopback: Listener): void {
  const address = config.tlsCert !== null && config.publicUrl !== null ? config.publicUrl : registry.url
  const addresses = { registry: address, dashboard: loopback.url }
  const running = { ...addresses, pid: process.pid, startedAt: new Date().toISOString() }
  replaceFile(dataPaths(config.dataFolder).running, `${JSON.stringify(running)}\n`)
  if (config.readyFile !== null) replaceFile(config.readyFile, `${JSON.stringify(addresses)}\n`)
}
