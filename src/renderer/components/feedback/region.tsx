import type { HTMLAttributes, Ref } from 'react'
import type { RegionName } from '../../lib/keys/regions.ts'
import { ErrorBoundary } from './error-boundary.tsx'

interface Props extends HTMLAttributes<HTMLElement> {
  name: RegionName
  as?: 'div' | 'section' | 'aside' | 'header' | 'footer' | 'nav'
  ref?: Ref<HTMLElement> | undefined
  'data-open'?: boolean | undefined
  'data-over'?: boolean | undefined
}

const titles: Record<RegionName, string> = {
  bar: 'The top bar',
  side: 'The sidebar',
  list: 'The list',
  sheet: 'This page',
  dock: 'This panel',
}

/** One of the parts of the window that F6 walks. A fault in it stays in it. */
export function Region({ name, as = 'div', children, ...props }: Props) {
  // All of them take the same attributes.
  const Element = as as 'section'
  return (
    <Element tabIndex={-1} {...props} data-region={name}>
      <ErrorBoundary what={props['aria-label'] ?? titles[name]}>{children}</ErrorBoundary>
    </Element>
  )
}
