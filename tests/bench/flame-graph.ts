// Draws CPU profiles of V8 as flame graphs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The part of a `.cpuprofile` that is read. */
export interface Profile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }[]
  /** The node that was running at each sample, and the microseconds before it. */
  samples: number[]
  timeDeltas: number[]
}

/** A function with all calls that have the same callers. */
export interface Frame {
  name: string
  /** The base name of its script, or empty for native code. */
  script: string
  /** Microseconds, including callees. */
  total: number
  callees: Frame[]
}

/** Not counted: what these functions wait for is not processor time. */
const waiting = new Set(['(idle)', '(program)'])

/** The root of all calls. Callees of the same name are one frame, the longest first. */
export function readProfile({ nodes, samples, timeDeltas }: Profile): Frame {
  const own = new Map<number, number>()
  for (const [index, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + (timeDeltas[index] ?? 0))
  const byId = new Map(nodes.map((node) => [node.id, node]))

  const merge = (ids: readonly number[], name: string, script: string): Frame => {
    const groups = new Map<string, number[]>()
    for (const child of ids.flatMap((id) => byId.get(id)?.children ?? [])) {
      const { functionName, url } = byId.get(child)?.callFrame ?? { functionName: '', url: '' }
      if (waiting.has(functionName)) continue
      const key = `${functionName || '(anonymous)'}\n${basename(url)}`
      groups.set(key, [...(groups.get(key) ?? []), child])
    }
    const callees = [...groups]
      .map(([key, members]) => {
        const [callee = '', file = ''] = key.split('\n')
        return merge(members, callee, file)
      })
      .toSorted((a, b) => b.total - a.total)
    const self = ids.reduce((sum, id) => sum + (own.get(id) ?? 0), 0)
    return { name, script, total: callees.reduce((sum, callee) => sum + callee.total, self), callees }
  }
  const roots = nodes.filter(({ callFrame }) => callFrame.functionName === '(root)').map(({ id }) => id)
  return merge(roots, 'all', '')
}

const width = 1200
const rowHeight = 18
/** The average width of a letter. */
const letterWidth = 6.6
/** Narrower frames are left out. */
const minWidth = 1.5
const colors = { own: '#f2b866', node: '#9cc3e6', native: '#d7d2c8' }

/** An SVG, with the outermost calls at the top. A frame's tooltip has its share of the processor time. */
export function drawFlameGraph(root: Frame): string {
  const boxes: string[] = []
  let depth = 0
  const draw = (frame: Frame, x: number, row: number): void => {
    const size = (frame.total / root.total) * width
    if (size < minWidth) return
    depth = Math.max(depth, row + 1)
    const { name, script } = frame
    const color = script === '' ? colors.native : script.startsWith('node:') ? colors.node : colors.own
    const share = ((frame.total / root.total) * 100).toFixed(1)
    const letters = Math.floor((size - 6) / letterWidth)
    const label = letters < 3 ? '' : name.length <= letters ? name : `${name.slice(0, letters - 1)}…`
    const y = row * rowHeight
    boxes.push(
      `<g><title>${escape(`${name}${script === '' ? '' : ` (${script})`}, ${share} %`)}</title>` +
        `<rect x="${x.toFixed(1)}" y="${y}" width="${(size - 0.5).toFixed(1)}" height="${rowHeight - 1}" fill="${color}"/>` +
        `${label === '' ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 13}">${escape(label)}</text>`}</g>`,
    )
    let left = x
    for (const callee of frame.callees) {
      draw(callee, left, row + 1)
      left += (callee.total / root.total) * width
    }
  }
  draw(root, 0, 0)
  const height = depth * rowHeight
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="11">` +
    `<rect width="${width}" height="${height}" fill="#fff"/>\n${boxes.join('\n')}\n</svg>\n`
  )
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Draws each profile in the folder beside it. */
export function drawProfiles(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.cpuprofile'))) {
    const profile = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile
    writeFileSync(join(folder, name.replace(/\.cpuprofile$/, '.svg')), drawFlameGraph(readProfile(profile)))
  }
}
