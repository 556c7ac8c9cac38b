import { useActions } from '../../../lib/keys/actions.ts'
import { ExportButton } from '../../../components/form/export-button.tsx'
import type { ExportFormat } from '../../../components/form/export-button.tsx'
import type { DownloadRoute } from '../../../lib/server/use-download.ts'
import classes from './export-links.module.css'

const formats = ['csv', 'json'] as const

/** The two routes of the same rows. */
export type ExportRoutes = Record<ExportFormat, DownloadRoute>

interface Props {
  routes: ExportRoutes
  /** The filter that the list has been read with. */
  query?: Record<string, string>
  /** What the files hold: `agents`. */
  what: string
}

/** Both exports of a list, and the actions of the same name. */
export function ExportLinks({ routes, query = {}, what }: Props) {
  useActions(
    formats.map((format) => ({
      id: `export-${what}-${format}`,
      label: `export these ${what} as ${format.toUpperCase()}`,
      group: 'Look' as const,
      run: () => document.querySelector<HTMLElement>(`[data-export="${what}.${format}"]`)?.click(),
    })),
  )
  return (
    <span className={classes['exports']}>
      {formats.map((format) => (
        <ExportButton key={format} route={routes[format]} query={query} what={what} format={format} />
      ))}
    </span>
  )
}
