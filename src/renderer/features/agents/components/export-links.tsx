import { IconDownload } from '@tabler/icons-react'
import { useActions } from '../../../lib/actions.ts'
import { addressOf } from '../../../../shared/route-call.ts'
import classes from './export-links.module.css'

const formats = ['csv', 'json'] as const

interface Props {
  /** The two routes of the same rows. */
  csv: { path: string }
  json: { path: string }
  /** The filter that the list has been read with. */
  query?: Record<string, string | number | undefined>
  /** What the files hold: `agents`. */
  what: string
}

/** Saves all rows of what is shown, not only those in sight. */
export function ExportLinks({ csv, json, query = {}, what }: Props) {
  const routes = { csv, json }
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
        <a
          key={format}
          className={classes['export']}
          data-export={`${what}.${format}`}
          href={addressOf(routes[format].path, {}, query)}
          download
          aria-label={`Export ${what} as ${format.toUpperCase()}`}
        >
          <IconDownload size={14} stroke={1.75} aria-hidden /> {format.toUpperCase()}
        </a>
      ))}
    </span>
  )
}
