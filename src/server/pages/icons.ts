import type { CapabilityKey } from '../../shared/capabilities.ts'
import { Html } from './html.ts'

// Tabler icons, 24 by 24.
const icon = (paths: string, kind = ''): Html =>
  new Html(
    `<svg class="icon${kind}" viewBox="0 0 24 24" aria-hidden="true">${paths
      .split('|')
      .map((path) => `<path d="${path}"/>`)
      .join('')}</svg>`,
  )

export const searchIcon = icon('M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0|M21 21l-6 -6')

export const approvedIcon = icon(
  'M17 3.34a10 10 0 1 1 -14.995 8.984l-.005 -.324l.005 -.324a10 10 0 0 1 14.995 -8.336zm-1.293 5.953a1 1 0 0 0 -1.32 -.083l-.094 .083l-3.293 3.292l-1.293 -1.292l-.094 -.083a1 1 0 0 0 -1.403 1.403l.083 .094l2 2l.094 .083a1 1 0 0 0 1.226 0l.094 -.083l4 -4l.083 -.094a1 1 0 0 0 -.083 -1.32z',
  ' f',
)

/** The logo: a module in its dock. */
export const mark = new Html(
  '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M2.5 10v4.5a3 3 0 0 0 3 3h9a3 3 0 0 0 3-3V10" fill="none" ' +
    'stroke="currentColor" stroke-width="2.6" stroke-linecap="round"/><rect x="5" y="2.5" width="10" height="8" ' +
    'rx="1.5" fill="var(--accent)"/></svg>',
)

export const capabilityIcons: Record<CapabilityKey, Html> = {
  stdin: icon(
    'M8 9l3 3l-3 3|M13 15l3 0|M3 6a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2l0 -12',
  ),
  stdout: icon(
    'M3 19c3.333 -2 5 -4 5 -6c0 -3 -1 -3 -2 -3s-2.032 1.085 -2 3c.034 2.048 1.658 2.877 2.5 4c1.5 2 2.5 2.5 3.5 1c.667 -1 1.167 -1.833 1.5 -2.5c1 2.333 2.333 3.5 4 3.5h2.5|M20 17v-12c0 -1.121 -.879 -2 -2 -2s-2 .879 -2 2v12l2 2l2 -2|M16 7h4',
  ),
  read: icon(
    'M14 3v4a1 1 0 0 0 1 1h4|M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2|M9 9l1 0|M9 13l6 0|M9 17l6 0',
  ),
  write: icon(
    'M14 3v4a1 1 0 0 0 1 1h4|M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2|M10 18l5 -5a1.414 1.414 0 0 0 -2 -2l-5 5v2h2',
  ),
  arguments: icon(
    'M13 5h8|M13 9h5|M13 15h8|M13 19h5|M3 5a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -4|M3 15a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -4',
  ),
  environment: icon(
    'M5 4c-2.5 5 -2.5 10 0 16m14 -16c2.5 5 2.5 10 0 16m-10 -11h1c1 0 1 1 2.016 3.527c.984 2.473 .984 3.473 1.984 3.473h1|M8 16c1.5 0 3 -2 4 -3.5s2.5 -3.5 4 -3.5',
  ),
  clock: icon('M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0|M12 7v5l3 3'),
  wait: icon(
    'M6.5 7h11|M6.5 17h11|M6 20v-2a6 6 0 1 1 12 0v2a1 1 0 0 1 -1 1h-10a1 1 0 0 1 -1 -1|M6 4v2a6 6 0 1 0 12 0v-2a1 1 0 0 0 -1 -1h-10a1 1 0 0 0 -1 1',
  ),
  random: icon(
    'M18 4l3 3l-3 3|M18 20l3 -3l-3 -3|M3 7h3a5 5 0 0 1 5 5a5 5 0 0 0 5 5h5|M21 7h-5a4.978 4.978 0 0 0 -3 1m-4 8a4.984 4.984 0 0 1 -3 1h-3',
  ),
  sockets: icon(
    'M9.785 6l8.215 8.215l-2.054 2.054a5.81 5.81 0 1 1 -8.215 -8.215l2.054 -2.054|M4 20l3.5 -3.5|M15 4l-3.5 3.5|M20 9l-3.5 3.5',
  ),
  exit: icon('M13 12v.01|M3 21h18|M5 21v-16a2 2 0 0 1 2 -2h7.5m2.5 10.5v7.5|M14 7h7m-3 -3l3 3l-3 3'),
  streams: icon('M12 4l-8 4l8 4l8 -4l-8 -4|M4 12l8 4l8 -4|M4 16l8 4l8 -4'),
  unknown: icon(
    'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0|M12 16v.01|M12 13a2 2 0 0 0 .914 -3.782a1.98 1.98 0 0 0 -2.414 .483',
  ),
}
