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

/** A part of the window that F6 moves the focus to. It contains its own rendering errors. */
export function Region({ name, as = 'div', children, ...props }: Props) {
  // Every element in `as` takes the same attributes.
  const Element = as as 'section'
  return (
    <Element tabIndex={-1} {...props} data-region={name}>
      <ErrorBoundary what={props['aria-label'] ?? titles[name]}>{children}</ErrorBoundary>
    </Element>
  )
}
