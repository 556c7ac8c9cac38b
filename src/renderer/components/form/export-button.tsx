import { IconDownload } from '@tabler/icons-react'
import type { Sent } from '../../../shared/route-call.ts'
import { useDownload } from '../../lib/server/use-download.ts'
import type { DownloadRoute } from '../../lib/server/use-download.ts'
import classes from './export-button.module.css'

export const exportFormats = ['csv', 'json', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

interface Props {
  route: DownloadRoute
  /** The filter of the list. */
  query: Sent['query']
  /** What the file holds: `agents`. */
  what: string
  format: ExportFormat
}

/** Downloads all rows that match the filter, not only those in view. */
export function ExportButton({ route, query, what, format }: Props) {
  const { mutate, isPending } = useDownload(route, query)
  const kind = format.toUpperCase()
  return (
    <button
      type="button"
      className={classes['export']}
      data-export={`${what}.${format}`}
      aria-label={`Export ${what} as ${kind}`}
      aria-busy={isPending}
      onClick={() => {
        if (!isPending) mutate()
      }}
    >
      <IconDownload size={14} stroke={1.75} aria-hidden /> {kind}
    </button>
  )
}
