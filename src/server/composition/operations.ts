import { hostname } from 'node:os'
import type { ScheduledBackups } from '../backup/scheduled-backups.ts'
import type { DeskServices } from '../../shared/contracts/desk-services.ts'
import type { PortState } from '../../shared/contracts/desk-settings.ts'
import { checkDataFolder } from '../data-folder/check-data-folder.ts'
import { mayChooseDataFolder } from '../settings/config.ts'
import type { Environment } from '../settings/config.ts'
import type { CorruptValues } from '../operations/corrupt-values.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import type { Database } from '../db/database.ts'
import { makeDiagnostics } from './diagnostics.ts'
import type { DeskOperations } from '../domains/operations/settings.routes.ts'
import type { ServiceState } from '../domains/operations/service-status.service.ts'
import type { Setup } from '../domains/identity/sign-in.service.ts'
import { findPortState } from '../http/port-state.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import { remoteSettings } from '../settings/remote-settings.ts'
import type { LogLines } from '../operations/log-lines.ts'
import type { ServiceControl } from '../operations/service-control.ts'

interface OperationsParts {
  live: LiveSettings
  environment: Environment
  database: Database
  logLines: LogLines
  corruptValues: CorruptValues
  registry: ServiceState
  local: ServiceState
  control: Pick<ServiceControl, 'control'>
  getServices(): Promise<DeskServices>
  fillDemo: (() => Promise<string>) | null
  backups: Pick<ScheduledBackups, 'backUpNow'>
}

/** The desk's operations on the services themselves: settings, ports, logs and setup. */
export function createOperations(parts: OperationsParts): { operations: DeskOperations; setup: Setup } {
  const { live, logLines, database } = parts
  const { dataFolder } = live.config
  const remotely = remoteSettings(live)
  const settingsOf = (remote: boolean) => (remote ? remotely : live)

  const portState = (port: number, host: string): Promise<PortState> => {
    const own = [parts.registry, parts.local].filter(({ state }) => state === 'running')
    const hosts = [...new Set(['127.0.0.1', host])]
    return findPortState(
      port,
      hosts,
      own.map((service) => service.port),
    )
  }

  return {
    operations: {
      describeSettings: (remote) => settingsOf(remote).describe(),
      checkSettings: (changes, remote) => settingsOf(remote).check(changes),
      saveSettings: (changes, remote) => settingsOf(remote).save(changes),
      findPortState: (port) => portState(port, live.config.host),
      control: parts.control.control,
      readLog: logLines.read,
      backUpNow: parts.backups.backUpNow,
      makeDiagnostics: () =>
        makeDiagnostics({
          config: live.config,
          paths: dataPaths(dataFolder),
          database,
          logLines,
          corruptValues: parts.corruptValues,
          describeSettings: live.describe,
          getServices: parts.getServices,
        }),
    },
    setup: {
      describe: () => ({
        dataFolder,
        mayChooseDataFolder: mayChooseDataFolder(parts.environment),
        hostName: hostname(),
        settings: live.describe().items,
      }),
      check: live.check,
      save: live.save,
      findFolderState: (path) => checkDataFolder(path, dataFolder),
      fillDemo: parts.fillDemo,
      findPortState(changes) {
        const address = live.addressWith(changes)
        return portState(address.port === 0 ? parts.registry.port : address.port, address.host)
      },
    },
  }
}
