import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { firstRunRoutes } from '../../../shared/contracts/desk-session.ts'
import { settingOfPath } from '../../../shared/settings.ts'
import type { FirstRun } from '../../../shared/contracts/desk-session.ts'
import type { PortState, SettingChanges } from '../../../shared/contracts/desk-settings.ts'
import type { SettingKey } from '../../../shared/settings.ts'
import { asApiError } from '../../lib/server/api-error.ts'
import type { ApiError } from '../../lib/server/api-error.ts'
import { call } from '../../lib/server/client.ts'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { firstChanges, firstSettings, withChange } from './first-run.ts'
import type { FirstSettings } from './first-run.ts'

const checkQuery = (code: string, settings: SettingChanges) =>
  queryOptions({
    queryKey: ['session', 'first run', code, settings],
    queryFn: ({ signal }) => call(firstRunRoutes.checkFirstRun, { body: { code, settings }, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

export interface FirstRunForm {
  fields: FirstSettings
  change(part: Partial<FirstSettings>): void
  changes: SettingChanges
  /** The state of the registry's port; null while it is unknown. */
  port: PortState | null
  /** Whether the setup link has expired or was used. */
  isLinkInvalid: boolean
  /** The problem with a setting, from the last check or from a rejected submission. */
  issueOf(key: SettingKey, rejection: ApiError | null): string | null
}

/** The settings of the first run, validated while typing. */
export function useFirstRun(
  code: string,
  { settings, hostName }: FirstRun,
  draft: FirstSettings | null,
): FirstRunForm {
  const [fields, setFields] = useState(() => draft ?? firstSettings(settings))
  const changes = firstChanges(fields, settings)
  const text = JSON.stringify(changes)
  const debounced = useDebounced(text, 300)
  const check = useQuery(checkQuery(code, JSON.parse(debounced) as SettingChanges))
  const current = debounced === text && !check.isPlaceholderData
  return {
    fields,
    change: (part) => setFields(withChange(fields, part, hostName)),
    changes,
    port: current ? (check.data?.port ?? null) : null,
    isLinkInvalid: check.error !== null && isCodeRefused(asApiError(check.error)),
    issueOf(key, rejection) {
      const found = [
        ...(rejection?.issues ?? []).map(({ path, message }) => ({
          path: path.replace(/^settings\./, ''),
          message,
        })),
        ...(check.data?.issues ?? []),
      ].find(({ path }) => settingOfPath(path) === key)
      return found === undefined ? null : `It ${found.message}.`
    },
  }
}

/** Whether the server rejected the code of the link: expired, used or malformed. */
export function isCodeRefused({ code, issues }: ApiError): boolean {
  return code === 'CODE_INVALID' || issues.some(({ path }) => path === 'code')
}
