import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskRoutes } from '../../../shared/contracts/desk.ts'
import type { SettingChanges } from '../../../shared/contracts/desk-settings.ts'
import { call } from '../../lib/client.ts'

export const settingsQuery = queryOptions({
  queryKey: ['settings', 'all'],
  queryFn: ({ signal }) => call(deskRoutes.getSettings, { signal }),
})

export const settingIssuesQuery = (changes: SettingChanges) =>
  queryOptions({
    queryKey: ['settings', 'check', changes],
    queryFn: ({ signal }) => call(deskRoutes.checkSettings, { body: { changes }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export function useSaveSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (changes: SettingChanges) => call(deskRoutes.saveSettings, { body: { changes } }),
    onSuccess: (settings) => client.setQueryData(settingsQuery.queryKey, settings),
    onSettled: () => client.invalidateQueries({ queryKey: ['services'] }),
  })
}
