import { IconArticle, IconPhoto, IconStar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { AreaSide } from '../../components/area-side.tsx'
import classes from './content-frame.module.css'
import { imageCountQuery, postCountQuery, projectCountsQuery } from './content.api.ts'

/** The navigation of the content area: blog, showcase and media. */
export function ContentFrame({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  const posts = useQuery(postCountQuery)
  const projects = useQuery(projectCountsQuery)
  const images = useQuery(imageCountQuery)
  const pending = projects.data?.pending || null
  const parts = [
    { path: '/content/blog', label: 'Blog', icon: IconArticle, count: posts.data ?? null },
    { path: '/content/showcase', label: 'Showcase', icon: IconStar, count: pending, of: 'pending' },
    { path: '/content/media', label: 'Media', icon: IconPhoto, count: images.data ?? null },
  ]
  const isHere = (path: string): boolean => `${location}/`.startsWith(`${path}/`)
  return (
    <AreaSide name="Content" views={parts.map((part) => ({ ...part, here: isHere(part.path) }))}>
      <div className={classes['part']}>{children}</div>
    </AreaSide>
  )
}
