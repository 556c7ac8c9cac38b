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
  describeSettings(): DeskSettings
  checkSettings(changes: SettingChanges): ErrorIssue[]
  saveSettings(changes: SettingChanges): Promise<void>
  findPortState(port: number): Promise<PortState>
  control(name: 'registry' | 'dashboard', action: ServiceAction): Promise<void>
  readLog(after: number): { lines: LogLine[]; first: number; last: number }
  makeDiagnostics(): Promise<FileReply>
}

export function settingsHandlers(
  operations: DeskOperations,
): Handlers<typeof deskSettingsRoutes & typeof deskOperationRoutes> {
  return {
    getSettings: () => operations.describeSettings(),
    checkSettings: ({ body }) => ({ issues: operations.checkSettings(body.changes) }),
    async saveSettings({ body }) {
      await operations.saveSettings(body.changes)
      return operations.describeSettings()
    },
    checkPort: ({ params }) => operations.findPortState(params.port),
    async controlService({ params }) {
      await operations.control(params.name, params.action)
      return { success: true }
    },
    readLog: ({ query }) => operations.readLog(query.after),
    downloadDiagnostics: () => operations.makeDiagnostics(),
  }
}
