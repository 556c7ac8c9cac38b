import { IconArticle, IconPhoto, IconStar } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useRoute } from 'wouter'
import { formatCount } from '../../lib/format.ts'
import classes from './content-frame.module.css'
import { imageCountQuery, postCountQuery, projectCountsQuery } from './content.api.ts'

/** The three parts of what the public reads, and the one that is open. */
export function ContentFrame({ children }: { children: ReactNode }) {
  const posts = useQuery(postCountQuery)
  const projects = useQuery(projectCountsQuery)
  const images = useQuery(imageCountQuery)
  const pending = projects.data?.pending ?? 0
  return (
    <div className={classes['frame']}>
      <nav className={classes['side']} aria-label="Content" data-region="side" tabIndex={-1}>
        <Part path="/content/blog" icon={IconArticle} label="Blog" count={posts.data} />
        <Part
          path="/content/showcase"
          icon={IconStar}
          label="Showcase"
          count={pending === 0 ? undefined : pending}
          of="pending"
        />
        <Part path="/content/media" icon={IconPhoto} label="Media" count={images.data} />
      </nav>
      <div className={classes['part']}>{children}</div>
    </div>
  )
}

function Part({
  path,
  icon: PartIcon,
  label,
  count,
  of,
}: {
  path: string
  icon: Icon
  label: string
  count: number | undefined
  of?: string
}) {
  const [here] = useRoute(`${path}/*?`)
  return (
    <Link href={path} className={classes['row']} aria-current={here ? 'page' : undefined} data-ring="inside">
      <PartIcon size={16} stroke={1.75} aria-hidden />
      <span>{label}</span>
      {count !== undefined && (
        <b title={of === undefined ? undefined : `${formatCount(count)} ${of}`}>{formatCount(count)}</b>
      )}
    </Link>
  )
}
