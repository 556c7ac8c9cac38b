import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskSettingsRoutes } from '../../../shared/contracts/desk-settings.ts'
import type { SettingChanges } from '../../../shared/contracts/desk-settings.ts'
import { call } from '../../lib/server/client.ts'
import { routeQuery } from '../../lib/server/route-query.ts'

export const settingsQuery = routeQuery(['settings', 'all'], deskSettingsRoutes.getSettings)

export const settingIssuesQuery = (changes: SettingChanges) =>
  queryOptions({
    queryKey: ['settings', 'check', changes],
    queryFn: ({ signal }) => call(deskSettingsRoutes.checkSettings, { body: { changes }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** `onSaved` is called even if the component that saved the settings has been unmounted. */
export function useSaveSettings(onSaved: (changes: SettingChanges) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (changes: SettingChanges) => call(deskSettingsRoutes.saveSettings, { body: { changes } }),
    onSuccess(settings, changes) {
      client.setQueryData(settingsQuery.queryKey, settings)
      onSaved(changes)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['services'] }),
  })
}
