import { IconExternalLink } from '@tabler/icons-react'
import { orUnknown } from '../table/cells.tsx'
import { webAddress } from '../web-address.ts'
import classes from './web-link.module.css'

/** An address that leads outside; text that is no web address stays text. */
export function WebLink({ url }: { url: string | null }) {
  if (url === null) return orUnknown(url)
  const href = webAddress(url)
  if (href === null) return <code title={url}>{url}</code>
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" className={classes['link']} title={href}>
      <span>{url}</span>
      <IconExternalLink size={14} stroke={1.75} role="img" aria-label="opens outside" />
    </a>
  )
}
