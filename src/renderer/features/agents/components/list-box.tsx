import type { ReactNode } from 'react'

const headHeight = 28

/** The place of a table below others: as high as its rows, up to so many; more of them scroll in it. */
export function ListBox({
  rows,
  most,
  rowHeight = 28,
  children,
}: {
  rows: number
  most: number
  rowHeight?: number
  children: ReactNode
}) {
  const line = 1
  return <div style={{ height: headHeight + Math.min(rows, most) * rowHeight + line }}>{children}</div>
}
