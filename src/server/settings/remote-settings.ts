import type { DeskSettings, SettingChanges } from '../../shared/contracts/desk-settings.ts'
import type { ErrorIssue } from '../../shared/errors.ts'
import { settingDeclarations } from '../../shared/settings.ts'
import type { SettingKey } from '../../shared/settings.ts'
import { refused } from './live-settings.ts'
import type { LiveSettings } from './live-settings.ts'
import { texts } from './settings.texts.ts'

const isLocal = (key: SettingKey): boolean => {
  const setting = settingDeclarations[key]
  return setting.local === true
}

const findLocal = (changes: SettingChanges): ErrorIssue[] =>
  (Object.keys(changes) as SettingKey[])
    .filter(isLocal)
    .map((path) => ({ path, message: texts.issues.local }))

/** The settings as the remote desk has them: without those that concern the registry's computer. */
export function remoteSettings(live: LiveSettings): Pick<LiveSettings, 'check' | 'save'> & {
  describe(): DeskSettings
} {
  return {
    describe: () => ({ file: null, items: live.describe().items.filter(({ key }) => !isLocal(key)) }),
    check(changes) {
      const issues = findLocal(changes)
      return issues.length > 0 ? issues : live.check(changes)
    },
    async save(changes) {
      const issues = findLocal(changes)
      if (issues.length > 0) throw refused(issues)
      await live.save(changes)
    },
  }
}
