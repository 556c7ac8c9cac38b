import type {
  DeskSettings,
  LogLine,
  PortState,
  ServiceAction,
  SettingChanges,
  deskOperationRoutes,
  deskSettingsRoutes,
} from '../../../shared/contracts/desk-settings.ts'
import type { ErrorIssue } from '../../../shared/errors.ts'
import type { Handlers } from '../../http/mount.ts'
import type { FileReply } from '../../http/replies.ts'

/** Operations on settings and services, implemented by the server's entry point. */
export interface DeskOperations {
  /** `remote`: for the remote desk, which does not have the settings of the registry's computer. */
  describeSettings(remote: boolean): DeskSettings
  checkSettings(changes: SettingChanges, remote: boolean): ErrorIssue[]
  saveSettings(changes: SettingChanges, remote: boolean): Promise<void>
  findPortState(port: number): Promise<PortState>
  control(name: 'registry' | 'dashboard', action: ServiceAction): Promise<void>
  readLog(after: number): { lines: LogLine[]; first: number; last: number }
  makeDiagnostics(): Promise<FileReply>
  backUpNow(): void
}

export function settingsHandlers(operations: DeskOperations): Handlers<typeof deskSettingsRoutes> {
  return {
    getSettings: ({ remote }) => operations.describeSettings(remote),
    checkSettings: ({ body, remote }) => ({ issues: operations.checkSettings(body.changes, remote) }),
    async saveSettings({ body, remote }) {
      await operations.saveSettings(body.changes, remote)
      return operations.describeSettings(remote)
    },
  }
}

export function operationHandlers(operations: DeskOperations): Handlers<typeof deskOperationRoutes> {
  return {
    checkPort: ({ params }) => operations.findPortState(params.port),
    controlService: ({ params }) => operations.control(params.name, params.action),
    readLog: ({ query }) => operations.readLog(query.after),
    downloadDiagnostics: () => operations.makeDiagnostics(),
    backUpNow: () => operations.backUpNow(),
  }
}
